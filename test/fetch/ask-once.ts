// Asks for URLs at 127.0.0.1, or through the proxy TEST_PROXY, all at once, and prints for each a line: its body, or in one word what went wrong.
//   node ask-once.js TIMEOUT_MS URL…
import { systemClock } from '../../src/base/clock.ts'
import { Fetcher } from '../../src/fetch/fetcher.ts'

const [timeout, ...urls] = process.argv.slice(2)
const timeoutMs = Number(timeout)
const proxy = process.env.TEST_PROXY
const address = proxy === undefined ? ({ ip: '127.0.0.1', family: 4, untilMs: 0 } as const) : undefined
const fetcher = new Fetcher({
  userAgent: 'Escalona-test/1',
  timeoutMs,
  connectTimeoutMs: timeoutMs,
  firstByteTimeoutMs: timeoutMs,
  maxBodyBytes: 1000,
  allowNetworks: ['127.0.0.0/8'],
  ...(proxy !== undefined && { proxy: { http: proxy, https: proxy, no: [] } }),
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
