// What is said of hosts that don't answer: at the end of the crawl, by explain and by status.
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { Outages } from '../../src/folder/stats/outages.ts'
import { escalona, temporaryFolder } from './run-cli.ts'

/** Its connections are accepted by the system, and never answered. */
async function silentPort(address: string, use: (host: string) => void): Promise<void> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, address, resolve))
  try {
    use(`${address}:${(server.address() as AddressInfo).port}`)
  } finally {
    server.close()
  }
}

test('unreachable: the end of a crawl, explain and status say which hosts are down, why, since when and when they are tried again', async t => {
  const folder = temporaryFolder(t)
  const gone = '127.0.0.7:1'
  const options = [
    '-o',
    folder,
    '--retries',
    '0',
    '--delay',
    '1ms',
    '--timeout',
    '300ms',
    '--allow-network',
    '127.0.0.0/8',
  ]
  await silentPort('127.0.0.8', silent => {
    const seeds = [`http://${gone}/`, `http://${gone}/b`, `http://${silent}/`]
    const { code, stderr } = escalona(['crawl', ...seeds, ...options])
    assert.equal(code, 1)
    assert.match(stderr, /what is left cannot be reached now: .* 3 queued/)
    assert.match(stderr, /3 links left at hosts that could not be reached; run the same command to try them again\n/)
    assert.match(stderr, /robots-connect, 2 links at 1 host \(127\.0\.0\.7:1\): .*No connection could be made\.\n/)
    assert.ok(
      stderr.includes(`robots-timeout, 1 link at 1 host (${silent}): While fetching robots.txt: The answer did not`),
    )

    const explained = (url: string, ...more: string[]) => escalona(['explain', folder, url, ...more]).stdout.toString()
    const refused = explained(seeds[1]!)
    assert.match(
      refused,
      /its host is down since 20\d\d-\S+Z \(robots-connect: .*No connection could be made\); it is tried again /,
    )
    assert.match(
      explained(seeds[2]!),
      /its host is down since 20\d\d-\S+Z \(robots-timeout: .*did not arrive in time\)/,
    )
    assert.match(
      explained(seeds[2]!, '--lang', 'pt'),
      /o host está fora do ar desde .*\(robots-timeout: .*; é tentado de novo /,
    )

    const status = escalona(['status', folder]).stdout.toString()
    assert.match(status, /: what is left cannot be reached\n/)
    assert.match(status, /\+ waiting +3\n/)
    assert.doesNotMatch(status, /nothing is left/)
  })
})

test('unreachable: when all hosts are down for one reason, one line says so', t => {
  const folder = temporaryFolder(t)
  const options = ['-o', folder, '--retries', '0', '--delay', '1ms', '--allow-network', '127.0.0.0/8', '-q']
  const { code, stderr } = escalona(['crawl', 'http://127.0.0.7:1/', 'http://127.0.0.6:1/', ...options])
  assert.equal(code, 1)
  assert.match(
    stderr,
    /^.*2 links left at hosts that could not be reached \(robots-connect: .*No connection could be made\); .*\n$/,
  )
})

test('unreachable: an outage begins with the first failure after an answer, and ends with the next answer', () => {
  const outages = new Outages()
  const url = 'http://a.org/x'
  const answered = (status: number) => ({ kind: 'answered', url, status, wireBytes: 0, tookMs: 1 }) as const
  outages.hear({ kind: 'again', url, why: 'timeout' }, 5)
  outages.hear(answered(503), 6)
  outages.hear({ kind: 'failed', url, why: 'status-503' }, 6)
  assert.deepEqual(new Outages(outages.toJSON()).of('a.org'), { why: 'status-503', sinceMs: 5 })
  assert.equal(outages.of('b.org'), undefined)
  outages.hear(answered(404), 7)
  assert.equal(outages.of('a.org'), undefined)
  for (let n = 0; n < 1001; n++) outages.hear({ kind: 'again', url: `http://h${n}.org/`, why: 'connect' }, n)
  assert.deepEqual([outages.of('h0.org'), outages.of('h1.org')?.sinceMs], [undefined, 1])
})
