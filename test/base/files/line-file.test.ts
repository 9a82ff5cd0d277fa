import assert from 'node:assert/strict'
import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { lastLineWith, linesFrom } from '../../../src/base/files/line-file.ts'
import { temporaryFolder } from '../../cli/run-cli.ts'

const line = (n: number, filler = '') => `{"url":"http://a.example/${n}","n":${n}${filler}}\n`
const beginning = (n: number) => Buffer.from(`{"url":"http://a.example/${n}",`)

test('ours: whole lines come in order, from any byte on, and a line that is being written does not', t => {
  const path = join(temporaryFolder(t), 'lines')
  const texts = Array.from({ length: 5000 }, (_, n) => line(n, ` ${'ã'.repeat(n % 90)}`))
  writeFileSync(path, `${texts.join('')}{"url":"half`)
  const lines = [...linesFrom(path)]
  assert.deepEqual(
    lines.map(({ text }) => `${text}\n`),
    texts,
  )
  const rest = [...linesFrom(path, lines[4321]!.end)]
  assert.deepEqual(rest, lines.slice(4322))
  assert.equal(rest.at(-1)!.end, Buffer.byteLength(texts.join('')))
})

test('ours: a line may be longer than what is read at once', t => {
  const path = join(temporaryFolder(t), 'lines')
  writeFileSync(path, `a\n${'b'.repeat(1_000_000)}\nc\n`)
  assert.deepEqual(
    [...linesFrom(path)].map(({ text }) => text.length),
    [1, 1_000_000, 1],
  )
})

test('ours: of a file that is not there nothing is read', t => {
  const path = join(temporaryFolder(t), 'none')
  assert.deepEqual([...linesFrom(path)], [])
  assert.equal(lastLineWith(path, Buffer.from('a')), undefined)
})

test('ours: the newest line of a URL is found, wherever it lies', t => {
  const path = join(temporaryFolder(t), 'lines')
  // Four pieces of the search, so that lines begin in one and end in the next.
  const texts = Array.from({ length: 40_000 }, (_, n) => line(n, ` ${'x'.repeat(n % 120)}`))
  writeFileSync(path, texts.join(''))
  for (let n = 0; n < 40_000; n += 501) assert.equal(`${lastLineWith(path, beginning(n))?.text}\n`, texts[n], `${n}`)
  assert.equal(`${lastLineWith(path, beginning(39_999))?.text}\n`, texts[39_999])
  assert.equal(lastLineWith(path, beginning(40_000)), undefined)
  appendFileSync(path, line(77, ',"again":1'))
  assert.match(lastLineWith(path, beginning(77))!.text, /again/)
})

test('ours: text inside of a line is no line, and one without an end is not there yet', t => {
  const path = join(temporaryFolder(t), 'lines')
  writeFileSync(path, `{"title":"{\\"url\\":\\"http://a.example/1\\","}\nx${line(1)}{"url":"http://a.example/1",`)
  assert.equal(lastLineWith(path, beginning(1)), undefined)
  appendFileSync(path, '"n":2}\n')
  assert.equal(lastLineWith(path, beginning(1))?.text, '{"url":"http://a.example/1","n":2}')
})

test('ours: a line is found when it begins at the very border of a piece', t => {
  const path = join(temporaryFolder(t), 'lines')
  for (const before of [-2, -1, 0, 1, 2, 5, 27, 28, 29]) {
    const tail = 'y'.repeat((1 << 20) - line(1).length - before)
    writeFileSync(path, `${'z'.repeat(999)}\n${line(1)}${tail.slice(0, -1)}\n`)
    assert.equal(`${lastLineWith(path, beginning(1))?.text}\n`, line(1), `${before}`)
  }
})
