import { shownCount, shownDecimal } from '../base/words/quantity.ts'
import { idTitle, phaseTitle } from './phases.ts'
import { type Picture, titleOf, titleOnPhones, ZOOM } from './picture.ts'
import { pictureWords } from './picture-words.ts'
import type { StackTotal } from './stack-distances.ts'

/** Up to this distance, each has a bar of its own; beyond it, a bar holds the distances up to the next power of two. */
const MOST_BARS = 48
const FIRST_TOUCH_COLOUR = '#94a3b8'
const DISTANCE_COLOUR = '#3a7fd0'
/** Pixels above the bars: the title, two lines below it, and the name of the axis under those. */
const TOP = 106
/** A page has its buttons beside the title. */
const TITLE_PIXELS = 260

/** The histogram of the stack distances of a phase and id, with its total. `counts[d]` is how often distance d occurred. */
export function histogramPicture(total: StackTotal, counts: Float64Array): Picture {
  const bars = barsOf(counts)
  const texts = pictureWords().histogram
  return {
    animation: false,
    title: titleOf(`${phaseTitle(total.phase)}: ${idTitle(total.id)}`, caption(total), 14),
    grid: { left: 64, right: 20, top: TOP, bottom: 56 },
    tooltip: { trigger: 'axis', axisPointer: { type: 'shadow' } },
    xAxis: {
      type: 'category',
      data: bars.map(({ label }) => label),
      name: texts.distance,
      nameLocation: 'middle',
      nameGap: 32,
      axisTick: { alignWithLabel: true },
      axisLabel: { hideOverlap: true },
    },
    yAxis: { type: 'value', name: texts.accesses, minInterval: 1 },
    dataZoom: [ZOOM],
    series: [
      {
        type: 'bar',
        name: texts.accesses,
        barCategoryGap: '12%',
        data: bars.map(({ count: value }, place) => ({
          value,
          itemStyle: { color: place === 0 ? FIRST_TOUCH_COLOUR : DISTANCE_COLOUR },
        })),
      },
    ],
    media: titleOnPhones(TITLE_PIXELS),
  }
}

/** Whether all accesses have the same distance, or are all first touches: a single bar. */
export function isTrivial(counts: Float64Array): boolean {
  return counts.reduce((filled, count) => filled + (count > 0 ? 1 : 0), 0) <= 1
}

interface Bar {
  readonly label: string
  count: number
}

function barsOf(counts: Float64Array): Bar[] {
  const largest = Math.max(
    1,
    counts.findLastIndex(n => n > 0),
  )
  const bars: Bar[] = [{ label: pictureWords().histogram.first, count: 0 }]
  if (largest <= MOST_BARS) for (let d = 1; d <= largest; d++) bars.push({ label: String(d), count: 0 })
  else for (let end = 1; bars.length <= barAt(largest); end *= 2) bars.push({ label: rangeLabel(end), count: 0 })
  for (let d = 0; d <= largest && d < counts.length; d++) bars[largest <= MOST_BARS ? d : barAt(d)]!.count += counts[d]!
  return bars
}

/** 1, 2, 3–4, 5–8, 9–16, … from the first bar on; a first touch is in bar 0. */
function barAt(distance: number): number {
  return distance === 0 ? 0 : distance === 1 ? 1 : 33 - Math.clz32(distance - 1)
}

function rangeLabel(end: number): string {
  return end <= 2 ? String(end) : `${short(end / 2 + 1)}–${short(end)}`
}

function short(n: number): string {
  if (n >= 1_000_000) return `${shownDecimal(Math.round(n / 1e5) / 10, 1)}M`
  return n >= 10_000 ? `${Math.round(n / 1000)}k` : String(n)
}

function caption({ accesses, firstTouches, total, mean }: StackTotal): string {
  const texts = pictureWords()
  const sums = texts.histogram.caption(shownCount(total), shownDecimal(mean, 2))
  return `${sums}\n${texts.access(accesses)}, ${texts.firstTouch(firstTouches)}`
}
