// A web that ends its answers in every way there is: each request that reached it has a record.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { readWarc } from '../../src/archive/read.ts'
import { visitsOf } from '../../src/archive/visits-of.ts'
import { httpOf, type WarcRecord } from '../../src/archive/warc-record.ts'
import { type CrawlOptions, crawl } from '../../src/library/crawl.ts'
import { crawlFolder } from '../archive/sample.ts'
import { readByWarcio } from '../archive/with-warcio.ts'
import { rawServer } from '../fetch/raw-server.ts'

const HTML = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n'
const ZIPPED = gzipSync('z'.repeat(5000))

interface Ending {
  /** What comes; then the connection is held open, closed or reset. */
  readonly sends: string | Buffer
  readonly ends: 'holds' | 'closes' | 'resets'
  /** Status, bytes of the body and WARC-Truncated of its response; or why there is none. */
  readonly recorded: string
}

const ENDINGS: Readonly<Record<string, Ending>> = {
  'silent-holds': { sends: '', ends: 'holds', recorded: 'timeout' },
  'silent-closes': { sends: '', ends: 'closes', recorded: 'reset' },
  'silent-resets': { sends: '', ends: 'resets', recorded: 'reset' },
  'half-a-status': { sends: 'HTTP/1.1 2', ends: 'closes', recorded: 'reset' },
  'another-protocol': { sends: 'SSH-2.0-OpenSSH_9.2\r\n', ends: 'holds', recorded: 'protocol' },
  'half-a-head': { sends: HTML, ends: 'closes', recorded: '200 0 disconnect' },
  'half-a-head-holds': { sends: HTML, ends: 'holds', recorded: '200 0 time' },
  'no-body': { sends: `${HTML}Content-Length: 9\r\n\r\n`, ends: 'resets', recorded: '200 0 disconnect' },
  'half-a-body': { sends: `${HTML}Content-Length: 99\r\n\r\n<p>half`, ends: 'closes', recorded: '200 7 disconnect' },
  'half-a-body-holds': { sends: `${HTML}Content-Length: 99\r\n\r\n<p>half`, ends: 'holds', recorded: '200 7 time' },
  'half-a-zip': {
    sends: Buffer.concat([
      Buffer.from(`${HTML}Content-Encoding: gzip\r\nContent-Length: 999\r\n\r\n`),
      ZIPPED.subarray(0, -8),
    ]),
    ends: 'closes',
    recorded: '200 5000 disconnect',
  },
  'half-a-chunk': {
    sends: `${HTML}Transfer-Encoding: chunked\r\n\r\n9\r\n<p>ha`,
    ends: 'closes',
    recorded: '200 5 disconnect',
  },
  'a-bad-chunk': {
    sends: `${HTML}Transfer-Encoding: chunked\r\n\r\n3\r\n<p>\r\nzz\r\n`,
    ends: 'holds',
    recorded: '200 3 unspecified',
  },
  'two-lengths': {
    sends: `${HTML}Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd`,
    ends: 'holds',
    recorded: '200 0 unspecified',
  },
  'no-zip': {
    sends: `${HTML}Content-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc`,
    ends: 'closes',
    recorded: '200 0 unspecified',
  },
  'a-long-head': { sends: `${HTML}X-Long: ${'x'.repeat(40_000)}\r\n\r\n`, ends: 'holds', recorded: '200 0 length' },
  'failure-breaks-off': {
    sends: 'HTTP/1.1 404 No\r\nContent-Length: 99\r\n\r\nno',
    ends: 'closes',
    recorded: '404 2 disconnect',
  },
  'failure-holds': { sends: 'HTTP/1.1 410 No\r\nContent-Length: 99\r\n\r\nno', ends: 'holds', recorded: '410 2 time' },
  'not-to-be-archived': {
    sends: `${HTML}X-Robots-Tag: noarchive\r\nContent-Length: 99\r\n\r\n<p>half`,
    ends: 'closes',
    recorded: '200 0 disconnect',
  },
  'not-to-be-archived-either': {
    sends: `${HTML}Content-Length: 99\r\n\r\n<meta name=robots content=noarchive>`,
    ends: 'closes',
    recorded: '200 0 disconnect',
  },
  picture: {
    sends: 'HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 99\r\n\r\npng',
    ends: 'holds',
    recorded: '200 0 length',
  },
  whole: { sends: `${HTML}Content-Length: 3\r\n\r\n<p>`, ends: 'holds', recorded: '200 3 ' },
}

function answer(socket: Socket, head: string): void {
  const ending = ENDINGS[head.split(' ')[1]!.slice(1)]
  if (ending === undefined) socket.write('HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n')
  else {
    if (ending.sends.length > 0) socket.write(ending.sends)
    if (ending.ends === 'closes') socket.end()
    // What was written arrives first.
    if (ending.ends === 'resets') setTimeout(() => socket.resetAndDestroy(), 50)
  }
}

/** Each ending has a host of its own: one that is silent is not asked for more. */
async function crawled(t: TestContext, options: Partial<CrawlOptions> = {}) {
  const servers = await Promise.all(Object.keys(ENDINGS).map(() => rawServer(t, answer)))
  const seeds = Object.keys(ENDINGS).map((name, n) => `${servers[n]!.origin}/${name}`)
  const folder = crawlFolder(t)
  const own = { folder, delayMs: 1, workers: 1, allowNetworks: ['127.0.0.0/8'], timeoutMs: 1500, retries: 0 }
  for await (const _ of crawl({ seeds, ...own, ...options }));
  const files = readdirSync(join(folder, 'archive')).map(name => join(folder, 'archive', name))
  const records = files.flatMap(file => [...readWarc(file)])
  return { heads: servers.flatMap(({ heads }) => heads), folder, files, records }
}

function pathOf({ fields }: WarcRecord): string {
  return new URL(fields.get('warc-target-uri') ?? 'x:').pathname.slice(1)
}

test('WARC 1.1 5.13: however an answer ends, its request has a record, and what came of the answer has one', async t => {
  const { heads, folder, files, records } = await crawled(t)
  const requests = records.filter(({ type }) => type === 'request')
  assert.deepEqual(
    requests.map(({ block }) => Buffer.from(block).toString('latin1')).sort(),
    heads.sort(),
    'the requests in the archive are those that the web has seen',
  )
  for (const [name, { recorded }] of Object.entries(ENDINGS)) {
    const own = records.filter(record => record.type !== 'request' && pathOf(record) === name)
    const seen = own.map(record => {
      if (record.type === 'metadata') return Buffer.from(record.block).toString().trim().replace('failure: ', '')
      const { status, body } = httpOf(record)
      return `${status} ${body.length} ${record.fields.get('warc-truncated') ?? ''}`
    })
    assert.deepEqual(seen, [recorded], name)
    const [request] = requests.filter(record => pathOf(record) === name)
    assert.equal(request!.fields.get('warc-concurrent-to'), own[0]!.fields.get('warc-record-id'), name)
    assert.equal(own[0]!.fields.get('warc-concurrent-to'), request!.fields.get('warc-record-id'), name)
    // The index has what came back, with the reason for which something is missing.
    const [, , truncated] = recorded.split(' ')
    const visits = visitsOf(folder, request!.fields.get('warc-target-uri')!)
    assert.deepEqual(
      visits.map(visit => visit.truncated ?? ''),
      truncated === undefined ? [] : [truncated],
      name,
    )
  }
  const pages = records.filter(({ fields }) => fields.get('escalona-page') === 'yes')
  assert.deepEqual(pages.map(pathOf), ['whole'])
  const others = await Promise.all(files.map(file => readByWarcio(readFileSync(file))))
  assert.equal(others.flat().length, records.length, 'warcio reads the same records')
  const index = readFileSync(join(folder, 'index.cdxj'), 'utf8')
  assert.match(index, /"url": "[^"]*\/picture", "mime": "image\/png", [^\n]*"truncated": "length"/)
  assert.doesNotMatch(index, /\/whole"[^\n]*truncated/)
})

test('WARC 1.1 5.13: with --archive pages, what failed has no record', async t => {
  const { records } = await crawled(t, { archive: 'pages' })
  const paths = records.filter(({ type }) => type === 'request').map(pathOf)
  assert.deepEqual(new Set(paths), new Set(['robots.txt', 'whole']))
})
