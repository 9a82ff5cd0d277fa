import assert from 'node:assert/strict'
import { appendFileSync, copyFileSync, mkdtempSync, readFileSync, renameSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { hostOf } from '../../../src/url/host-of.ts'
import { LineIndex } from '../../../src/view/indexes/line-index.ts'
import type { LineKind } from '../../../src/view/indexes/line-table.ts'
import { RandomSource, seeds } from '../../model/random-source.ts'

interface Line {
  readonly url: string
  readonly kind: LineKind
  readonly text: string
}

const kindOf = (bytes: Buffer, urlEnd: number, end: number): LineKind =>
  (/"kind":"(\w+)"/.exec(bytes.toString('utf8', urlEnd, end))![1] as LineKind) ?? 'outcome'

const URLS = Array.from({ length: 40 }, (_, n) => `http://host${n % 6}.example/${'p'.repeat(n)}?q="${n}"\\`)

function fileFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'escalona-line-index-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'lines.jsonl')
}

function opened(t: TestContext, path: string): LineIndex {
  const index = new LineIndex(path, kindOf)
  t.after(() => index.close())
  return index
}

function randomLine(random: RandomSource, n: number): Line {
  const url = random.pick(URLS)
  const kind = random.pick<LineKind>(['outcome', 'counted', 'counted', 'undone'])
  const pad = 'ü'.repeat(random.chance(0.002) ? 200_000 : random.below(200))
  return { url, kind, text: JSON.stringify({ url, n, kind, pad }) }
}

/** What the whole file says, read by the simplest means. */
function linesIn(path: string): Line[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map(text => {
      const { url, kind } = JSON.parse(text) as Line
      return { url, kind, text }
    })
}

/** Short, for messages. */
function numberIn(text: string | undefined): number | undefined {
  return text === undefined ? undefined : (JSON.parse(text) as { readonly n: number }).n
}

async function checkAll(index: LineIndex, path: string, random: RandomSource, about: string): Promise<void> {
  const newest = linesIn(path).reverse()
  const offset = random.pick([0, 0, random.below(newest.length + 5)])
  const most = 1 + random.below(30)
  const wanted = newest.slice(offset, offset + most).map(({ text }) => numberIn(text))
  // The newest lines are right even before the others have been read.
  const found = (await index.newest(offset, most)).map(({ text }) => numberIn(text))
  assert.deepEqual(found, wanted, `${about}: ${most} lines from ${offset} on`)
  for (let asked = 0; asked < 5; asked++) {
    const url = random.pick([...URLS, 'http://elsewhere.example/'])
    const wantedLine = newest.find(line => line.url === url)?.text
    assert.equal(numberIn(await index.newestOf(url)), numberIn(wantedLine), `${about}: ${url}`)
  }
  while (!index.isComplete) await turn()
  assert.equal(index.lines, newest.length, about)
  const seen = new Set<string>()
  const latest = newest.filter(({ url }) => !seen.has(url) && seen.add(url))
  for (const host of ['host0.example', 'host5.example', 'host7.example']) {
    const own = latest.filter(({ url, kind }) => hostOf(url) === host && kind !== 'undone')
    assert.deepEqual(
      [...index.outcomesAt(host)].map(numberIn),
      own.map(({ text }) => numberIn(text)),
      `${about}: ${host}`,
    )
    assert.equal(index.countOf(host), own.filter(({ kind }) => kind === 'counted').length, `${about}: ${host}`)
  }
}

test('line index: an index of lines knows a file that grows, is cut, replaced and written anew as it is', async t => {
  for (const seed of seeds(t, 3, 1)) {
    const random = new RandomSource(seed)
    const path = fileFor(t)
    appendFileSync(path, '')
    let index = opened(t, path)
    let begun = ''
    let n = 0
    const append = (count: number) => {
      const text = Array.from({ length: count }, () => `${randomLine(random, n++).text}\n`).join('')
      appendFileSync(path, text)
    }
    const steps: Record<string, () => void> = {
      append: () => append(1 + random.below(40)),
      'append much': () => append(500 + random.below(700)),
      'begin a line': () => {
        const text = randomLine(random, n++).text
        appendFileSync(path, text.slice(0, 20))
        begun = text.slice(20)
      },
      cut: () => {
        const bytes = readFileSync(path)
        const at = bytes.lastIndexOf(10, random.below(bytes.length + 1)) + 1
        truncateSync(path, at)
        if (random.chance(0.7)) append(1 + random.below(60))
      },
      replace: () => {
        copyFileSync(path, `${path}.new`)
        if (random.chance(0.5)) appendFileSync(`${path}.new`, `${randomLine(random, n++).text}\n`)
        renameSync(`${path}.new`, path)
      },
      remove: () => {
        rmSync(path)
        appendFileSync(path, '')
        append(random.below(20))
      },
      'open again': () => {
        index.close()
        index = opened(t, path)
      },
    }
    const names = [
      'append',
      'append',
      'append',
      'append much',
      'begin a line',
      'cut',
      'replace',
      'remove',
      'open again',
    ]
    for (let step = 0; step < 25; step++) {
      if (begun !== '') {
        appendFileSync(path, `${begun}\n`)
        begun = ''
      }
      const name = random.pick(names)
      steps[name]!()
      if (random.chance(0.6)) await checkAll(index, path, random, `seed ${seed}, step ${step}, ${name}`)
    }
    index.close()
  }
})

test('line index: the newest lines of a long file are there at once, and reading it never holds the thread', async t => {
  const path = fileFor(t)
  const line = (n: number) =>
    `${JSON.stringify({ url: `http://h${n % 1000}.example/${n}`, kind: 'outcome', pad: 'x'.repeat(200) })}\n`
  for (let n = 0; n < 40_000; n += 1000)
    appendFileSync(path, Array.from({ length: 1000 }, (_, i) => line(n + i)).join(''))
  const index = opened(t, path)
  const [first] = await index.newest(0, 1)
  assert.equal(`${first?.text}\n`, line(39_999))
  assert.equal(index.isComplete, false, 'it has read everything before it answered')
  assert.ok(Math.abs(index.lines - 40_000) < 3000, `the estimate is ${index.lines}`)
  let turns = 0
  for (; !index.isComplete; turns++) await turn()
  assert.ok(turns > 2, 'it was read in one go')
  assert.equal(index.lines, 40_000)
  assert.equal(await index.newestOf('http://h0.example/0'), line(0).trim())
})

test('ours: a file that is not there yet has no lines, and is followed when it comes', async t => {
  const path = fileFor(t)
  const index = opened(t, path)
  assert.deepEqual(await index.newest(0, 5), [])
  assert.equal(await index.newestOf(URLS[0]!), undefined)
  appendFileSync(path, `${JSON.stringify({ url: URLS[0], kind: 'counted' })}\nno line at all\n\n`)
  assert.equal(await index.newestOf(URLS[0]!), JSON.stringify({ url: URLS[0], kind: 'counted' }))
  assert.equal(index.countOf('host0.example'), 1)
  assert.deepEqual(
    (await index.newest(0, 2)).map(({ text }) => text),
    ['', 'no line at all'],
  )
})
