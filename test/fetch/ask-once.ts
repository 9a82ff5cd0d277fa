// Asks for URLs at 127.0.0.1 all at once, and prints for each a line: its body, or in one word what went wrong.
//   node ask-once.js TIMEOUT_MS URL…
import { systemClock } from '../../src/base/clock.ts'
import { Fetcher } from '../../src/fetch/fetcher.ts'

const [timeout, ...urls] = process.argv.slice(2)
const timeoutMs = Number(timeout)
const address = { ip: '127.0.0.1', family: 4, untilMs: 0 } as const
const fetcher = new Fetcher({
  userAgent: 'Escalona-test/1',
  timeoutMs,
  connectTimeoutMs: timeoutMs,
  firstByteTimeoutMs: timeoutMs,
  maxBodyBytes: 1000,
  allowNetworks: ['127.0.0.0/8'],
  clock: systemClock,
})
const lines = await Promise.all(
  urls.map(async url => {
    const fetched = await fetcher.get(url, address, 'html')
    if (fetched.kind === 'answer') return Buffer.from(fetched.exchange.body).toString()
    return fetched.kind === 'failed' ? fetched.why : fetched.by
  }),
)
process.stdout.write(lines.join('\n'))
await fetcher.close()
