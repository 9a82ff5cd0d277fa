// Asks for one URL at 127.0.0.1 and prints its body, or in one word what went wrong.
import { systemClock } from '../../src/base/clock.ts'
import { Fetcher } from '../../src/fetch/fetcher.ts'

const fetcher = new Fetcher({
  userAgent: 'Escalona-test/1',
  timeoutMs: 5000,
  connectTimeoutMs: 5000,
  firstByteTimeoutMs: 5000,
  maxBodyBytes: 1000,
  allowNetworks: ['127.0.0.0/8'],
  clock: systemClock,
})
const fetched = await fetcher.get(process.argv[2]!, { ip: '127.0.0.1', family: 4, untilMs: 0 }, 'html')
if (fetched.kind === 'answer') process.stdout.write(fetched.exchange.body)
else process.stdout.write(fetched.kind === 'failed' ? fetched.why : fetched.by)
await fetcher.close()
