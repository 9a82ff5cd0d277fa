// What was not synced may reach the disk in any order when the power goes: a later block whole, an earlier one as zeros, the
// end missing. It was not acknowledged, so it is cut. What was synced is whole; if it is not, that is damage.
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { finishIndex } from '../../src/archive/index-files.ts'
import { openArchive } from '../../src/archive/open-archive.ts'
import { PagesFile } from '../../src/archive/pages-file.ts'
import { readRecord, readWarc } from '../../src/archive/read.ts'
import { RandomSource, seeds } from '../model/random-source.ts'
import { crawlFolder, indexLines, lineOf, numberOf, options, page } from './sample.ts'

const BLOCK = 4096
const FIRST = 'archive/escalona-a1b2c3d4-20260102030405-00001.warc.gz.open'
const MARKS = ['archive/synced', 'pages.jsonl.synced']

/** A crawl at the moment of the power cut: what its files held, and how much of them was safe. */
interface Moment {
  /** Files by their path, as the process had written them. */
  readonly files: ReadonlyMap<string, Buffer>
  readonly syncedBytes: ReadonlyMap<string, number>
  /** What each mark has said, oldest first: any of them may be what is on disk. */
  readonly marks: ReadonlyMap<string, readonly Buffer[]>
  /** Pages that were archived and synced. */
  readonly synced: number
  readonly pages: number
}

/** Collects some pages, syncing as a crawl does, and leaves the last of them without a sync. */
async function collected(t: TestContext, random: RandomSource, from: number): Promise<Moment> {
  const crawl = crawlFolder(t)
  const { writer } = openArchive(crawl, options())
  const pages = new PagesFile(join(crawl, 'pages.jsonl'), { files: [], onRepair: assert.fail })
  const syncedBytes = new Map<string, number>()
  const marks = new Map<string, Buffer[]>(MARKS.map(path => [path, [Buffer.alloc(0)]]))
  const sizes = (pattern: RegExp) => {
    for (const [path, bytes] of filesIn(crawl)) if (pattern.test(path)) syncedBytes.set(path, bytes.length)
    for (const path of MARKS) marks.get(path)!.push(filesIn(crawl).get(path) ?? Buffer.alloc(0))
  }
  let lastFile = ''
  let next = 0
  let synced = 0
  const rounds = 2 + random.below(4)
  for (let round = 0; round < rounds; round++) {
    const count = round === 0 ? from + 1 : 1 + random.below(40)
    const numbers = Array.from({ length: count }, (_, i) => next + i)
    const places = writer.append(numbers.map(page))
    next += count
    if (round === rounds - 1 && random.chance(0.7)) break
    await writer.sync()
    synced = next
    sizes(/^archive\/.*warc/)
    pages.append(places.map((place, i) => lineOf(numbers[i]!, place)))
    const { file } = places.at(-1)!
    if (file !== lastFile || random.chance(0.2)) {
      await pages.sync()
      sizes(/^pages\.jsonl$/)
    }
    lastFile = file
  }
  const files = filesIn(crawl)
  await writer.close()
  await pages.close()
  return { files, syncedBytes, marks, synced, pages: next }
}

function filesIn(crawl: string): Map<string, Buffer> {
  const found = readdirSync(crawl, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  const paths = found.map(entry => join(entry.parentPath, entry.name))
  return new Map(paths.map(path => [path.slice(crawl.length + 1), readFileSync(path)]))
}

/** What a disk may hold of a file after a power cut. */
function onDisk(bytes: Buffer, syncedBytes: number, random: RandomSource): Buffer {
  // A file may have been made longer already; not one of which all is on disk.
  const isLonger = bytes.length > syncedBytes && random.chance(0.2)
  const found = Buffer.concat([bytes, Buffer.alloc(isLonger ? random.below(3 * BLOCK) : 0)])
  const chance = random.pick([0, 0.1, 0.5, 1])
  for (let at = syncedBytes - (syncedBytes % BLOCK); at < found.length; at += BLOCK) {
    if (random.chance(chance)) found.subarray(Math.max(at, syncedBytes), at + BLOCK).fill(0)
  }
  const end = random.chance(0.5) ? found.length : syncedBytes + random.below(found.length - syncedBytes + 1)
  return found.subarray(0, end)
}

function put(crawl: string, files: Iterable<[string, Buffer]>): void {
  for (const [path, bytes] of files) {
    mkdirSync(dirname(join(crawl, path)), { recursive: true })
    writeFileSync(join(crawl, path), bytes)
  }
}

/** Puts there what the disk holds; of a mark, any of its states, or half of one. */
function cutPower(crawl: string, moment: Moment, random: RandomSource): void {
  for (const [path, bytes] of moment.files) {
    if (MARKS.includes(path)) continue
    const found = /^index\//.test(path) ? bytes : onDisk(bytes, moment.syncedBytes.get(path) ?? 0, random)
    put(crawl, [[path, found]])
  }
  for (const [path, states] of moment.marks) {
    const state = random.pick(states)
    if (random.chance(0.9)) put(crawl, [[path, random.chance(0.9) ? state : state.subarray(0, state.length >> 1)]])
  }
}

/** Opens it as a crawl does, archives what is missing up to `pages`, and closes it. Returns the numbers of these. */
async function goOn(crawl: string, pages: number, repairs: string[]): Promise<number[]> {
  const { writer, recent } = openArchive(crawl, options(repairs))
  const onRepair = (message: string) => repairs.push(message)
  const file = new PagesFile(join(crawl, 'pages.jsonl'), { files: new Set(recent.map(one => one.file)), onRepair })
  file.append(recent.filter(one => !file.isKnown(one)).map(one => lineOf(numberOf(one), one)))
  const present = new Set(recent.map(numberOf))
  const missing = Array.from({ length: pages }, (_, n) => n).filter(n => !present.has(n))
  file.append(writer.append(missing.map(page)).map((place, i) => lineOf(missing[i]!, place)))
  await writer.close()
  await file.close()
  finishIndex(crawl)
  return missing
}

/** Every page is there exactly once, has one line and is in the index. */
function check(crawl: string, pages: number): void {
  const names = readdirSync(join(crawl, 'archive')).sort()
  const records = names.flatMap(name => [...readWarc(join(crawl, 'archive', name))])
  const urls = records.filter(one => one.type === 'response').map(one => one.fields.get('warc-target-uri')!)
  const all = Array.from({ length: pages }, (_, n) => n)
  assert.deepEqual(
    urls.map(url => numberOf({ url })).sort((a, b) => a - b),
    all,
  )
  const lines = readFileSync(join(crawl, 'pages.jsonl'), 'utf8').trimEnd().split('\n')
  const parsed = lines.map(line => JSON.parse(line) as { url: string; file: string; offset: number })
  assert.deepEqual(
    parsed.map(numberOf).sort((a, b) => a - b),
    all,
  )
  for (const { url, file, offset } of parsed.filter((_, i) => i % 23 === 0)) {
    assert.ok(readRecord(crawl, file, offset).fields.get('warc-target-uri')!.endsWith(`/${url}.html`))
  }
  assert.equal(indexLines(crawl).length, pages)
}

for (const [words, from, cuts, moments] of [
  ['in the first file', 0, 6, 12],
  ['while the second file is begun', 940, 2, 3],
] as const) {
  test(`power cut: whatever a power cut leaves of what was not synced, ${words}, the archive opens`, async t => {
    let opened = 0
    let repaired = 0
    for (const seed of seeds(t, moments, Math.ceil(moments / 3))) {
      const random = new RandomSource(seed)
      const moment = await collected(t, random, from)
      for (let cut = 0; cut < cuts; cut++) {
        const crawl = crawlFolder(t)
        const repairs: string[] = []
        try {
          cutPower(crawl, moment, random)
          const missing = await goOn(crawl, moment.pages, repairs)
          assert.deepEqual(
            missing.filter(n => n < moment.synced),
            [],
          )
          check(crawl, moment.pages)
        } catch (error) {
          throw new Error(`ESCALONA_SEED=${seed}, cut ${cut}`, { cause: error })
        }
        opened++
        if (repairs.length > 0) repaired++
      }
    }
    assert.ok(repaired > opened / 4, `only ${repaired} of ${opened} had something to repair`)
    t.diagnostic(`${opened} power cuts, something was cut off after ${repaired}`)
  })
}

/** A crawl of 60 pages of which 40 are synced, and their lines. */
async function halfSynced(
  t: TestContext,
): Promise<{ crawl: string; archived: Buffer; lines: Buffer; synced: number[] }> {
  const [crawl, alive] = [crawlFolder(t), crawlFolder(t)]
  const { writer } = openArchive(alive, options())
  const pages = new PagesFile(join(alive, 'pages.jsonl'), { files: [], onRepair: assert.fail })
  const synced: number[] = []
  for (const from of [0, 40]) {
    const numbers = Array.from({ length: from === 0 ? 40 : 20 }, (_, i) => from + i)
    pages.append(writer.append(numbers.map(page)).map((place, i) => lineOf(numbers[i]!, place)))
    if (from > 0) break
    await writer.sync()
    await pages.sync()
    for (const path of [FIRST, 'pages.jsonl']) synced.push(filesIn(alive).get(path)!.length)
  }
  const files = filesIn(alive)
  await writer.close()
  await pages.close()
  put(crawl, files)
  return { crawl, archived: files.get(FIRST)!, lines: files.get('pages.jsonl')!, synced }
}

test('ours: a hole before the place up to which a file was synced is damage, and nothing is changed', async t => {
  const { crawl, archived, lines, synced } = await halfSynced(t)
  const [inArchive, inPages] = [synced[0]!, synced[1]!]
  for (const at of [0, 700, inArchive >> 1, inArchive - 20]) {
    const holed = Buffer.from(archived).fill(0, at, Math.min(inArchive, at + 300))
    put(crawl, [[FIRST, holed]])
    assert.throws(() => openArchive(crawl, options()), {
      code: 'ARCHIVE_DAMAGED',
      message: /remove "synced" beside it/,
    })
    assert.ok(readFileSync(join(crawl, FIRST)).equals(holed))
  }
  put(crawl, [[FIRST, archived.subarray(0, inArchive - 1)]])
  assert.throws(() => openArchive(crawl, options()), { code: 'ARCHIVE_DAMAGED' })
  const opening = () => new PagesFile(join(crawl, 'pages.jsonl'), { files: [], onRepair: assert.fail })
  for (const at of [0, 700, inPages >> 1, inPages - 20]) {
    const holed = Buffer.from(lines).fill(0, at, Math.min(inPages, at + 300))
    put(crawl, [['pages.jsonl', holed]])
    assert.throws(opening, { code: 'ARCHIVE_DAMAGED', message: /remove pages\.jsonl\.synced/ })
    assert.ok(readFileSync(join(crawl, 'pages.jsonl')).equals(holed))
  }
  put(crawl, [['pages.jsonl', lines.subarray(0, inPages - 1)]])
  assert.throws(opening, { code: 'ARCHIVE_DAMAGED' })
})

test('ours: without its mark, a damaged file in progress is cut where the damage begins', async t => {
  const { crawl, archived, synced } = await halfSynced(t)
  put(crawl, [[FIRST, Buffer.from(archived).fill(0, synced[0]! >> 1, (synced[0]! >> 1) + 100)]])
  rmSync(join(crawl, 'archive', 'synced'))
  const repairs: string[] = []
  const { writer, recent } = openArchive(crawl, options(repairs))
  await writer.close()
  assert.ok(recent.length > 10 && recent.length < 30)
  assert.match(repairs.join(), /cut off \d+ bytes/)
})

test('ours: lines of older files after a hole make it damage: nobody could make them again', async t => {
  const { crawl, lines } = await halfSynced(t)
  const path = join(crawl, 'pages.jsonl')
  rmSync(`${path}.synced`)
  const holed = Buffer.from(lines).fill(0, 100, 200)
  put(crawl, [['pages.jsonl', holed]])
  const opening = (file: string) => new PagesFile(path, { files: [file], onRepair: () => {} })
  assert.throws(() => opening('escalona-a1b2c3d4-20260102030405-00002.warc.gz'), { code: 'ARCHIVE_DAMAGED' })
  assert.ok(readFileSync(path).equals(holed))
  const pages = opening('escalona-a1b2c3d4-20260102030405-00001.warc.gz')
  assert.equal(pages.lines, 0)
  await pages.close()
})
