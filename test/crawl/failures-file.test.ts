import assert from 'node:assert/strict'
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { hostChangesIn, readActions } from '../../src/folder/actions-file.ts'
import { dropUnsettled, type FailureLine, openFailures } from '../../src/folder/failures-file.ts'
import { failureLines } from '../../src/folder/lines-of.ts'
import { readSeeds, SeedsFile } from '../../src/folder/seeds-file.ts'
import { readStats } from '../../src/folder/stats/stats-file.ts'
import { openLocal } from '../../src/frontier/local/open.ts'
import { linesTakenBack } from '../../src/run/opening/enqueue.ts'

function newFolder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'escalona-failures-'))
  t.after(() => rmSync(path, { recursive: true }))
  return path
}

function line(n: number, more: Partial<FailureLine> = {}): FailureLine {
  return { url: `http://h${n}.com/`, reason: 'timeout', attempts: 4, atMs: n, ...more }
}

function urlsIn(folder: string): string[] {
  const text = readFileSync(join(folder, 'failures.jsonl'), 'utf8')
  return text.split('\n').flatMap(one => (one === '' ? [] : (JSON.parse(one) as FailureLine).url))
}

/** Links 0, 1, … are known; those that are named were refused. */
async function frontierWith(links: number, refused: readonly number[]) {
  const frontier = await openLocal()
  await frontier.offer(Array.from({ length: links }, (_, n) => ({ url: line(n).url, rank: 0, hops: 0 })))
  const { tickets } = await frontier.take(links)
  const wanted = tickets.filter(({ url }) => refused.some(n => url === line(n).url))
  const outcome = { kind: 'refused', reason: 'timeout' } as const
  const settlements = wanted.map(
    ({ id }) => ({ ticketId: id, outcome, links: [], shown: 'silence', delayMs: 0 }) as const,
  )
  await frontier.settle(settlements)
  return frontier
}

test('failures file: after a kill, lines of links that did not end are dropped, and only those', async t => {
  const folder = newFolder(t)
  const file = openFailures(folder, {})
  file.append([line(0)])
  const from = file.bytes
  file.append([1, 2, 3, 4, 5].map(n => line(n)))
  await dropUnsettled(file, from, await frontierWith(6, [1, 3, 5]))
  assert.deepEqual(
    urlsIn(folder),
    [0, 1, 3, 5].map(n => line(n).url),
    'what an earlier run wrote is certain',
  )
  file.append([line(7)])
  await file.close()
  assert.deepEqual(urlsIn(folder).at(-1), line(7).url)
})

test('failures file: many lines at the end are judged', async t => {
  const folder = newFolder(t)
  const file = openFailures(folder, {})
  file.append(Array.from({ length: 2500 }, (_, n) => line(n)))
  await dropUnsettled(
    file,
    0,
    await frontierWith(
      2500,
      Array.from({ length: 2400 }, (_, n) => n),
    ),
  )
  assert.equal(urlsIn(folder).length, 2400)
  await file.close()
})

test('failures file: half a line is cut off, and what a terminal would obey is escaped', async t => {
  const folder = newFolder(t)
  const file = openFailures(folder, {})
  file.append([line(1, { from: 'http://a.com/\x9b31m' })])
  await file.close()
  appendFileSync(join(folder, 'failures.jsonl'), '{"url":"http://h2')
  const said: string[] = []
  const again = openFailures(folder, { onRepair: message => said.push(message) })
  again.append([line(3)])
  await again.close()
  assert.deepEqual(urlsIn(folder), [line(1).url, line(3).url])
  assert.match(said.join(), /cut off 17 bytes/)
  assert.doesNotMatch(readFileSync(join(folder, 'failures.jsonl'), 'utf8'), /[\x7f-\x9f]/)
})

test('failures file: seeds are kept in their order, each once, with what they redirected to', async t => {
  const folder = newFolder(t)
  assert.deepEqual(readSeeds(folder), [])
  const seeds = new SeedsFile(folder, {})
  seeds.append([{ url: 'http://a.com/' }, { url: 'http://b.com/' }])
  seeds.append([{ url: 'http://www.a.com/', from: 'http://a.com/' }, { url: 'http://a.com/' }])
  await seeds.close()
  const again = new SeedsFile(folder, {})
  assert.deepEqual(again.given, ['http://a.com/', 'http://b.com/'])
  assert.deepEqual([...again.all], ['http://a.com/', 'http://b.com/', 'http://www.a.com/'])
  await again.close()
  assert.deepEqual(readSeeds(folder).length, 3)
})

test('failures file: a link that is back in the queue takes its lines back; after a kill only if it really was put back', async t => {
  const folder = newFolder(t)
  const file = openFailures(folder, {})
  const frontier = await frontierWith(4, [0, 1, 2])
  file.append([line(0), line(1), line(2), line(3)])
  const from = file.bytes
  const refused = [0, 1, 2].map(n => ({ url: line(n).url, reason: 'timeout' }))
  linesTakenBack(file, 5)([...refused, { url: line(3).url, reason: 'timeout' }, { url: line(9).url, reason: 'scope' }])
  file.append([line(2, { reason: 'reset' })])
  await dropUnsettled(file, from, frontier)
  await file.close()
  assert.deepEqual(
    [...failureLines(folder)].map(({ url, reason }) => [url, reason]),
    [
      [line(0).url, 'timeout'],
      [line(1).url, 'timeout'],
      [line(2).url, 'reset'],
    ],
    '0 and 1 are still refused, 2 ended again, and 3 was put back',
  )
})

test('folder: lines of failures.jsonl of a wrong shape are left out, counted and reported once', async t => {
  const folder = newFolder(t)
  const wrong = [
    ...[
      '{}',
      'null',
      '[]',
      '7',
      '"x"',
      'true',
      '{',
      '{"url":1,"reason":"timeout","atMs":1}',
      '{"url":"http://a.com/"}',
    ],
    ...['{"url":"http://a.com/","reason":{},"atMs":1}', '{"url":"http://a.com/","reason":"timeout","atMs":"1"}'],
    ...['{"url":"http://a.com/","reason":"timeout","atMs":1,"attempts":[]}', '{"url":null,"requeued":true,"atMs":1}'],
  ]
  const strange = ['', 'x', 'http://', `http://${'y'.repeat(70_000)}/`].map(url => JSON.stringify(line(1, { url })))
  const path = join(folder, 'failures.jsonl')
  appendFileSync(path, [JSON.stringify(line(1)), ...wrong, ...strange, JSON.stringify(line(3)), ''].join('\n'))
  const repairs: string[] = []
  const file = openFailures(folder, { onRepair: message => repairs.push(message) })
  await dropUnsettled(file, 0, await frontierWith(4, [1, 3]))
  const stats = readStats(folder, 0, file, 0)
  assert.deepEqual([...stats.failed], [['timeout', 2]])
  assert.deepEqual(
    [...failureLines(folder)].map(({ url }) => url),
    [line(1).url, line(3).url],
  )
  const at = JSON.stringify(line(1)).length + 1
  assert.deepEqual(repairs, [
    `${path}: ${wrong.length} lines are not what Escalona writes, and left out; the first begins at byte ${at}`,
  ])
  await file.close()
})

test('folder: seeds and actions of a wrong shape are left out', async t => {
  const folder = newFolder(t)
  const wrong = ['{}', 'null', '[]', '7', '{"url":1}', '{"url":"http://b.com/","from":1}', '{"url":""}']
  appendFileSync(join(folder, 'seeds.jsonl'), ['{"url":"http://a.com/"}', ...wrong, ''].join('\n'))
  assert.deepEqual(readSeeds(folder), [{ url: 'http://a.com/' }])
  const seeds = new SeedsFile(folder, {})
  assert.deepEqual([...seeds.all], ['http://a.com/'])
  await seeds.close()
  const actions = [
    ...[
      '{}',
      'null',
      '[]',
      '{"kind":"pause"}',
      '{"kind":"pause","atMs":1}',
      '{"kind":"toString","atMs":1,"result":{}}',
    ],
    ...[
      '{"kind":"change host","atMs":1,"result":{}}',
      '{"kind":"change host","host":1,"change":{},"atMs":1,"result":{}}',
    ],
    '{"kind":"change host","host":"a.com","change":{"blockedUntilMs":"x"},"atMs":1,"result":{}}',
    ...['{"kind":"add seeds","urls":[1],"atMs":1,"result":{}}', '{"kind":"pause","atMs":1,"result":null}'],
  ]
  const right = '{"kind":"change host","host":"a.com","change":{"delayMs":null},"atMs":1,"result":{}}'
  appendFileSync(join(folder, 'actions.jsonl'), [...actions, right, ''].join('\n'))
  assert.deepEqual(readActions(folder, 100), [JSON.parse(right)])
  assert.deepEqual([...hostChangesIn(folder)], [JSON.parse(right)])
})
