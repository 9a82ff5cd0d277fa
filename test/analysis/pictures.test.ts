import assert from 'node:assert/strict'
import { test } from 'node:test'
import { analysisPage } from '../../src/analysis/analysis-page.ts'
import { histogramPicture } from '../../src/analysis/histogram-picture.ts'
import { UsedAddresses } from '../../src/analysis/log-ranges.ts'
import { mapPicture } from '../../src/analysis/map-picture.ts'
import { svgPicture } from '../../src/analysis/svg-picture.ts'

const TOTAL = { phase: 0, id: 0, accesses: 9, reads: 9, writes: 0, firstTouches: 1, total: 9, mean: 1 }

interface Bars {
  readonly xAxis: { readonly data: string[] }
  readonly series: readonly [{ readonly data: { readonly value: number }[] }]
}

function barsOf(counts: number[]): [string, number][] {
  const { xAxis, series } = histogramPicture(TOTAL, Float64Array.from(counts)) as unknown as Bars
  return xAxis.data.map((label, i) => [label, series[0].data[i]!.value])
}

test('ours: small distances have a bar each, with the gaps between them', () => {
  assert.deepEqual(barsOf([5, 7, 0, 0, 2, 0, 0]), [
    ['first', 5],
    ['1', 7],
    ['2', 0],
    ['3', 0],
    ['4', 2],
  ])
})

test('ours: large distances share bars up to the next power of two, and none is lost', () => {
  const bars = barsOf(Array.from({ length: 300_000 }, () => 2))
  assert.deepEqual(bars.slice(0, 6), [
    ['first', 2],
    ['1', 2],
    ['2', 2],
    ['3–4', 4],
    ['5–8', 8],
    ['9–16', 16],
  ])
  assert.equal(
    bars.reduce((sum, [, n]) => sum + n, 0),
    600_000,
  )
})

test('ours: used addresses are found in bounded memory, and those that lie close are one stretch', () => {
  const few = new UsedAddresses()
  for (const address of [4096, 4100, 4300, 9_000_000, 9_000_100]) few.add(address)
  assert.deepEqual(few.segments(), [
    { from: 4096, to: 4352 },
    { from: 9_000_000, to: 9_000_128 },
  ])
  assert.deepEqual(new UsedAddresses().segments(), [])
  const many = new UsedAddresses()
  for (let i = 0; i < 300_000; i++) many.add(2 ** 40 + ((i * 7919) % 300_000) * 100)
  const { pages } = many as unknown as { pages: Set<number> }
  assert.ok(pages.size <= 8192)
  const [segment, none] = many.segments()
  assert.equal(none, undefined)
  assert.ok(segment!.from <= 2 ** 40 && segment!.to > 2 ** 40 + 29_999_900)
})

test('ours: an axis of addresses is broken where nothing is, and never inside of what is drawn', () => {
  const at = (address: number) => [1, address, 1] as const
  const map = {
    id: 3,
    accesses: 300_000,
    lowestAddress: 4096,
    highestAddress: 1_000_000,
    segments: [
      { from: 4096, to: 9152 },
      { from: 994_944, to: 1_000_064 },
    ],
    reads: Array.from({ length: 200_000 }, (_, i) => at(4096 + (i % 5000))),
    writes: Array.from({ length: 100_000 }, (_, i) => at(995_000 + (i % 5001))),
    cell: undefined,
  }
  const { yAxis } = mapPicture(map, { accesses: 300_000, phases: [], bands: [] }) as unknown as {
    yAxis: { min: number; max: number; breaks: { start: number; end: number }[] }[]
  }
  for (const { min, max, breaks } of yAxis) {
    assert.ok(min <= 4096 && max >= 1_000_000)
    assert.equal(breaks.length, 1)
    assert.ok(breaks[0]!.start > 4096 + 4999 && breaks[0]!.end <= 995_000)
  }
})

test('ours: the name of the axis of a histogram is below its subtitle', () => {
  const svg = svgPicture(histogramPicture(TOTAL, Float64Array.of(1, 8)), { width: 640, height: 380 })
  const heightOf = (text: string) => {
    const element = svg.match(new RegExp(`<text[^>]*translate\\([\\d.]+ ([\\d.]+)\\)[^>]*>${text}</text>`))
    assert.ok(element !== null, `${text} is not in the picture`)
    return Number(element[1])
  }
  assert.ok(heightOf('accesses') - heightOf('9 accesses, 1 first touch') >= 16)
})

test('ours: the page of a log without accesses says so', () => {
  const nothing = { accesses: 0, lowestAddress: Number.POSITIVE_INFINITY, highestAddress: 0 }
  const page = analysisPage({ ...nothing, isWhole: true, stacks: [], maps: [], bands: [] }, 'empty.log')
  assert.match(page, /There are no accesses in this log/)
  assert.doesNotMatch(page, /addresses from|∞|<h2>/)
})

const SMALL_MAP = {
  id: 0,
  accesses: 2,
  lowestAddress: 94_021_234_567_016,
  highestAddress: 94_021_234_569_000,
  segments: [{ from: 94_021_234_566_976, to: 94_021_234_569_024 }],
  reads: [[0, 94_021_234_567_016, 1]] as const,
  writes: [[1, 94_021_234_569_000, 1]] as const,
  cell: undefined,
}

test('ours: a band has its name where that fits, and every phase is listed, also one without a band', () => {
  const bands = Array.from({ length: 100 }, (_, i) => ({ phase: i % 2 === 0 ? 0 : 3, from: i * 10, to: i * 10 + 10 }))
  const last = { phase: 1, from: 1000, to: 2000 }
  const time = { accesses: 2000, phases: [0, 1, 3, 7], bands: [...bands, last] }
  const svg = svgPicture(mapPicture(SMALL_MAP, time), { width: 1000, height: 600 })
  // Each name is a text of its own: once inside the bands of reads and of writes where it fits, and in the list.
  assert.equal(svg.match(/>ESCALONA_TUDO</g)?.length, 2)
  assert.doesNotMatch(svg, />(?:ADD_URLS|ESCALONA_HOST)</)
  const words = svg.replaceAll(/(?:<[^>]*>|\s)+/g, ' ')
  assert.match(words, /ADD_URLS, .+ESCALONA_TUDO, .+ESCALONA_HOST; too short for a band: LIMPA_TUDO/)
})

test('ours: the addresses of real pointers are whole in the picture, and access numbers are whole numbers', () => {
  const time = { accesses: 2, phases: [0], bands: [{ phase: 0, from: 0, to: 2 }] }
  const svg = svgPicture(mapPicture(SMALL_MAP, time), { width: 1000, height: 600 })
  const labels = [...svg.matchAll(/text-anchor="end"[^>]*translate\(([\d.-]+) [^>]*>([\d,]+)<\/text>/g)]
  assert.ok(labels.length >= 4)
  for (const [, x, label] of labels) assert.ok(Number(x) >= label!.length * 6.5, `${label} ends at ${x}`)
  assert.match(svg, />1<\/text>/)
  assert.doesNotMatch(svg, />[\d,]+\.\d+<\/text>/)
})
