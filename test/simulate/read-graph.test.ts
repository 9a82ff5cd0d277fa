// Graph files, good and bad.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { sentence } from '../../src/base/messages/message.ts'
import { readGraph } from '../../src/simulate/read-graph.ts'
import { readUrls } from '../../src/simulate/world.ts'

const folder = mkdtempSync(join(tmpdir(), 'escalona-graph-'))
after(() => rmSync(folder, { recursive: true }))
const path = join(folder, 'g.graph-txt')

async function read(text: string | Buffer) {
  writeFileSync(path, text)
  const { graph, notice } = await readGraph(path)
  const links = Array.from({ length: graph.pages }, (_, page) => [
    ...graph.targets.subarray(graph.offsets[page], graph.offsets[page + 1]),
  ])
  return { links, notice: notice && sentence(notice, 'en').replace(path, 'g') }
}

async function refusal(text: string | Buffer): Promise<string> {
  return read(text).then(
    () => 'none',
    (error: Error) => error.message.replaceAll(path, 'g'),
  )
}

test('simulate: a graph is read in both forms, packed or not, with CRLF or without a last line end', async () => {
  const wanted = [[1, 2], [], [0]]
  for (const text of ['3\n1 2\n\n0\n', '3\r\n1 2\r\n\r\n0\r\n', '3\n1\t2 \n\n 0', '# a comment\n0 1\n0 2\n2 0\n'])
    for (const bytes of [text, gzipSync(text)])
      assert.deepEqual(await read(bytes), { links: wanted, notice: undefined })
})

test('simulate: loops and repeats are left out and counted', async () => {
  const { links, notice } = await read('2\n1 0 1\n1\n')
  assert.deepEqual(links, [[1], []])
  assert.match(notice!, /^left out: 2 links of a page to itself, 1 repeated link; the first at g:2$/)
})

test('simulate: what is wrong with a graph is said with its line', async () => {
  assert.match(await refusal('3\n1 2\n'), /^g:3: .* promises 3 pages, and 2 lines are missing/)
  assert.match(await refusal('2\n1\n\n0\n'), /^g:4: .* all of them have had their line/)
  assert.match(await refusal('2\n1\n2\n'), /^g:3: there is no page 2; the pages are 0 to 1/)
  assert.match(await refusal('2\n99999999999999999999\n\n'), /^g:2: there is no page/)
  assert.match(await refusal('2\n-1\n\n'), /^g:2: “-1” is not a page number/)
  assert.match(await refusal('http://a/ http://b/\n'), /^g:1: “http:/)
  assert.match(await refusal('0 1\n2\n'), /^g:2: a line of a list of links has two/)
  assert.match(await refusal('0 1 2\n'), /^g:1: a line of a list of links has two/)
  assert.match(await refusal('99999999999\n'), /^g:1: 99999999999 pages are too many/)
  assert.match(await refusal('0 4000000000\n'), /^g:1: 4000000001 pages are too many/)
  assert.match(await refusal(''), /^g: there are no pages/)
  assert.match(await refusal('0\n'), /^g: there are no pages/)
  assert.match(await refusal(gzipSync('3\n1 2\n\n0\n').subarray(0, 20)), /cannot read|unexpected end/)
})

test('simulate: a line of thirty million bytes takes no memory', async () => {
  const before = process.memoryUsage().rss
  const line = gzipSync(Buffer.concat([Buffer.from('2\n'), Buffer.alloc(30_000_000, '1 ')]))
  assert.match(await refusal(line), /^g:3: .* 1 line is missing/)
  assert.ok(process.memoryUsage().rss - before < 100 << 20)
})

test('simulate: URLs of pages are canonical and different; too few, too many or too long ones are errors', async () => {
  const urls = join(folder, 'urls')
  writeFileSync(urls, 'HTTP://A.com\nhttp://a.com/\nnonsense\n')
  const read = await readUrls(urls, 3)
  assert.deepEqual(read.urls, ['http://a.com/', 'http://page-1.invalid/', 'http://page-2.invalid/'])
  assert.match(sentence(read.notice!, 'en'), /^2 URLs malformed or repeated, the first one at .*urls:2/)
  await assert.rejects(readUrls(urls, 2), /3 URLs for 2 pages/)
  await assert.rejects(readUrls(urls, 4), /3 URLs for 4 pages/)
  writeFileSync(urls, Buffer.alloc(1 << 20, 'a'))
  await assert.rejects(readUrls(urls, 4), /urls:1: this line has more than/)
})
