// How well does a distance of at most 3 bits between simhashes find pages that are nearly the same? The judge is the exact Jaccard index of their
// sets of four words in a row, over all pairs of pages of Debian's documentation packages. Then how long grouping a million takes.
//   npm run bench:near-duplicates -- [--pages 4000] [--million 1000000]
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { realPages } from '../export/debian-pages.mjs'
import { sources } from '../measured.mjs'
import { finish, option } from '../tools.mjs'

const THRESHOLDS = [0.5, 0.7, 0.8, 0.9, 0.95, 0.98]
const LEAST_WORDS = 32
const most = Number(option('pages', 4000))
const million = Number(option('million', 1_000_000))
const { extract, NearGroups, ones } = await sources(['extract/extract', 'export/near-duplicates', 'extract/simhash'])

const { kind, pages } = realPages(join(tmpdir(), 'escalona-export-bench'), most)
const ids = new Map()
const read = []
for (const { url, body } of pages) {
  const wanted = { textUnits: Infinity, fingerprint: true }
  const { text, fingerprint } = extract({
    body,
    url,
    contentType: 'text/html; charset=utf-8',
    robotsTags: [],
    agent: '',
    wanted,
  })
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  if (words.length < LEAST_WORDS || fingerprint.simhash === undefined) continue
  const set = new Set()
  for (let n = 0; n + 3 < words.length; n++) {
    const four = words.slice(n, n + 4).join(' ')
    if (!ids.has(four)) ids.set(four, ids.size)
    set.add(ids.get(four))
  }
  const [high, low] = [0, 8].map(at => Number.parseInt(fingerprint.simhash.slice(at, at + 8), 16))
  read.push({ high, low, set: Uint32Array.from(set).sort() })
}
console.error(`${read.length} pages (${kind})`)
const found = Object.fromEntries(THRESHOLDS.map(least => [least, { alike: 0, both: 0 }]))
let near = 0
for (const [a, one] of read.entries()) {
  for (let b = 0; b < a; b++) {
    const other = read[b]
    const isNear = ones(one.high ^ other.high) + ones(one.low ^ other.low) <= 3
    if (isNear) near++
    const [few, many] = [one.set.length, other.set.length].sort((x, y) => x - y)
    if (few < many * THRESHOLDS[0]) continue
    const jaccard = jaccardOf(one.set, other.set)
    for (const least of THRESHOLDS) {
      if (jaccard < least) break
      found[least].alike++
      if (isNear) found[least].both++
    }
  }
}
const rows = THRESHOLDS.map(least => {
  const { alike, both } = found[least]
  return { jaccard: least, pairs: alike, precision: both / near, recall: both / alike }
})
console.log(`pairs within 3 bits: ${near}`)
for (const { jaccard, pairs, precision, recall } of rows)
  console.log(`Jaccard ≥ ${jaccard}: ${pairs} pairs, precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}`)

const groups = new NearGroups()
let state = 42
const next = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) ^ (state >>> 13)
let last = '0'.repeat(16)
for (let n = 0; n < million; n++) {
  const bits = (BigInt(next() >>> 0) << 32n) | BigInt(next() >>> 0)
  // Every fourth is near the one before.
  last =
    n % 4 === 3
      ? (BigInt(`0x${last}`) ^ (1n << BigInt(n % 64))).toString(16).padStart(16, '0')
      : bits.toString(16).padStart(16, '0')
  groups.add(last)
}
const startMs = performance.now()
const work = groups.groups()
let step = work.next()
while (!step.done) step = work.next()
const seconds = (performance.now() - startMs) / 1000
console.log(
  `${million} simhashes: ${step.value.length} groups in ${seconds.toFixed(1)} s, ${Math.round(process.memoryUsage().rss / 2 ** 20)} MiB`,
)
finish({
  bench: 'near-duplicates',
  kind,
  pages: read.length,
  near,
  rows,
  million: { count: million, seconds, groups: step.value.length },
})

function jaccardOf(a, b) {
  let common = 0
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) {
      common++
      i++
      j++
    } else if (a[i] < b[j]) i++
    else j++
  }
  return common / (a.length + b.length - common || 1)
}
