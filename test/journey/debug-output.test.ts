import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageAt } from '../web/synthetic-web.ts'
import { pageUrls } from './collected.ts'
import { crawl, journey } from './crawl.ts'

test('rule 5.14: -d prints one JSON document a page: URL, Title, Text, Timestamp', async t => {
  const trip = await journey(t, { seed: 31, hosts: 60 })
  const startSeconds = (performance.timeOrigin + performance.now()) / 1000
  const fast = ['--delay', '20ms', '--timeout', '1s', '--retries', '1']
  const { code, stdout, stderr } = await crawl(trip, '-n', '400', '-d', ...fast)
  assert.equal(code, 0, stderr)
  assert.ok(stdout.endsWith('\n'))
  const documents = stdout
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
  t.diagnostic(`${documents.length} documents`)
  assert.deepEqual(documents.map(document => document.URL).sort(), pageUrls(trip.folder))
  assert.equal(documents.length, 400)
  for (const document of documents) {
    assert.deepEqual(Object.keys(document), ['URL', 'Title', 'Text', 'Timestamp'])
    const { URL: url, Title: title, Text: text, Timestamp: seconds } = document
    assert.ok(Number.isInteger(seconds) && seconds >= Math.floor(startSeconds) && seconds <= startSeconds + 120, url)
    const known = pageAt(trip.web, url.replace('http://', '').replace(`:${trip.server.port}`, ''))!
    if (known.title === undefined) continue
    assert.equal(title, known.title, url)
    assert.equal(text, known.opening, url)
  }
})

test('rule 5.18: without -d standard output is empty, and with -q standard error too', async t => {
  const trip = await journey(t, { seed: 32, hosts: 6, oddities: false })
  const loud = await crawl(trip, '-n', '10', '--delay', '5ms')
  assert.deepEqual([loud.code, loud.stdout], [0, ''])
  assert.notEqual(loud.stderr, '')
  const quiet = await crawl(trip, '-n', '20', '--delay', '5ms', '-q')
  assert.deepEqual([quiet.code, quiet.stdout, quiet.stderr], [0, '', ''])
  assert.equal(pageUrls(trip.folder).length, 20)
})
