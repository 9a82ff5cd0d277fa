import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { pages, recordsOf, robotsTxt, WarcFolder } from '../audit/synthetic-warc.ts'
import { escalona, MAIN, refusalOf } from './run-cli.ts'

const ORIGIN = 'http://a.example'
const POLITE = [robotsTxt(ORIGIN, 0, 'User-agent: *\nDisallow: /private\n'), ...pages(ORIGIN, 5, 1000, 1000)]

test('audit: the table, what is certain and what is not; exit codes 0, 1 and 2', t => {
  const folder = new WarcFolder(t)
  const path = folder.add('1.warc.gz', recordsOf(POLITE))
  const plain = escalona(['audit', path])
  assert.equal(plain.code, 0, plain.stderr)
  const text = plain.stdout.toString()
  assert.match(text, /^REQUESTS .* HOST\n +6 +1\.0 s +1\.0 s {2}not known +archived +0 +0 +0 {2}a\.example\n/)
  assert.match(text, /1 file, 13 records, 6 requests to 1 host\n/)
  assert.match(text, /User-Agent "testbot\/1\.0" \(requests: 6\), names no contact\n/)
  assert.match(text, /No rule was given/)
  assert.match(text, /How sure this is:\n {2}of 6 requests it is not known whether WARC-Date/)
  assert.equal(escalona(['audit', path, '--delay', '1s', '--robots']).code, 0)
  const strict = escalona(['audit', path, '--delay', '2s'])
  assert.equal(strict.code, 1)
  assert.match(
    strict.stdout.toString(),
    /Breaches:\n {2}a\.example: 5 gaps shorter than 2\.0 s, the first between 2026-03-01T12:00:00\.000Z/,
  )
  assert.equal(escalona(['audit', join(folder.path, 'none')]).code, 2)
  const damaged = folder.add('2.warc', [...recordsOf(POLITE), Buffer.from('no record')])
  assert.equal(escalona(['audit', damaged, '--delay', '1s']).code, 2, 'what was not read is not called fine')
  assert.equal(escalona(['audit', damaged, '--delay', '2s']).code, 1)
  const foreign = escalona(['audit', folder.add('3.warc', [Buffer.from('<html>')])])
  assert.deepEqual([foreign.code, foreign.stdout.length], [2, 0])
  assert.match(foreign.stderr, /3\.warc has no WARC record; name files/)
})

test('audit --json: everything in one object; --host', t => {
  const folder = new WarcFolder(t)
  folder.add('1.warc', recordsOf([...POLITE, ...pages('http://b.example:8080', 2, 500)]))
  const { code, stdout } = escalona(['audit', folder.path, '--delay', '1s', '--json'])
  assert.equal(code, 1)
  const all = JSON.parse(stdout.toString())
  assert.deepEqual(
    all.hosts.map(({ host, requests, smallestGapMs }: Record<string, unknown>) => [host, requests, smallestGapMs]),
    [
      ['a.example', 6, 1000],
      ['b.example:8080', 2, 500],
    ],
  )
  assert.deepEqual([all.breaches.length, all.breaches[0].kind, all.agents[0].hasContact], [1, 'delay', false])
  assert.deepEqual(all.rules, { delayMs: 1000, robots: false, course: false })
  assert.equal(escalona(['audit', folder.path, '--delay', '1s', '--host', 'a.*']).code, 0)
})

test('audit: both languages, and control characters are shown, not sent', t => {
  const folder = new WarcFolder(t)
  const path = folder.add(
    '1.warc',
    recordsOf(
      POLITE.map(one => ({ ...one, agent: 'bad\x1b[2J' })),
      { software: '\x1b[31m' },
    ),
  )
  const { code, stdout } = escalona(['audit', path, '--course', '--lang', 'pt'])
  assert.equal(code, 0)
  assert.match(stdout.toString(), /Nenhuma violação encontrada/)
  assert.ok(!stdout.includes(0x1b))
})

test('audit: wrong use says what to write', async () => {
  assert.match(await refusalOf('audit', []), /audit needs FILES/)
  assert.match(
    await refusalOf('audit', ['x', '--delay', '100']),
    /--delay takes a duration such as 250ms.*not 100; see/,
  )
  assert.match(await refusalOf('audit', ['x', '-n', '0']), /--limit takes a whole number/)
})

test('audit: a reader that goes away ends it quietly', t => {
  const folder = new WarcFolder(t)
  const hosts = Array.from({ length: 3000 }, (_, n) => ({ url: `http://h${n}.example/`, at: n }))
  const path = folder.add('1.warc', recordsOf(hosts))
  const script = '"$1" "$2" audit "$3" --json | head -c 10'
  const { status, stderr } = spawnSync('bash', ['-c', `set -o pipefail; ${script}`, '-', process.execPath, MAIN, path])
  assert.deepEqual([status, stderr.toString()], [0, ''])
})
