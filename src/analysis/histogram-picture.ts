import { amount, count, type Picture } from './map-picture.ts'
import { idTitle, phaseTitle } from './phases.ts'
import type { StackTotal } from './stack-distances.ts'

/** Up to this distance each has a bar of its own; beyond, bars hold the distances up to the next power of two. */
const MOST_BARS = 48
const FIRST_TOUCH_COLOUR = '#94a3b8'
const DISTANCE_COLOUR = '#2b6cb0'
/** Pixels above the bars: the title, two lines below it, and the name of the axis under those. */
const TOP = 106

/** The histogram of stack distances of a phase and id, with its total; at a distance: how often it occurred. */
export function histogramPicture(total: StackTotal, counts: Float64Array): Picture {
  const bars = barsOf(counts)
  return {
    animation: false,
    title: {
      text: `${phaseTitle(total.phase)}: ${idTitle(total.id)}`,
      subtext: caption(total),
      left: 8,
      top: 4,
      textStyle: { fontSize: 14, lineHeight: 18 },
      subtextStyle: { fontSize: 12, lineHeight: 16 },
    },
    grid: { left: 64, right: 20, top: TOP, bottom: 56 },
    tooltip: { trigger: 'axis', axisPointer: { type: 'shadow' } },
    xAxis: {
      type: 'category',
      data: bars.map(({ label }) => label),
      name: 'stack distance (8-byte words)',
      nameLocation: 'middle',
      nameGap: 32,
      axisTick: { alignWithLabel: true },
      axisLabel: { hideOverlap: true },
    },
    yAxis: { type: 'value', name: 'accesses', minInterval: 1 },
    dataZoom: [{ type: 'inside', filterMode: 'none', zoomOnMouseWheel: 'ctrl' }],
    series: [
      {
        type: 'bar',
        name: 'accesses',
        barCategoryGap: '12%',
        data: bars.map(({ label, count: value }) => ({
          value,
          itemStyle: { color: label === FIRST ? FIRST_TOUCH_COLOUR : DISTANCE_COLOUR },
        })),
      },
    ],
  }
}

const FIRST = 'first'

interface Bar {
  readonly label: string
  count: number
}

function barsOf(counts: Float64Array): Bar[] {
  const largest = Math.max(
    1,
    counts.findLastIndex(n => n > 0),
  )
  const bars: Bar[] = [{ label: FIRST, count: 0 }]
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
  return n >= 1_000_000 ? `${Math.round(n / 1e5) / 10}M` : n >= 10_000 ? `${Math.round(n / 1000)}k` : String(n)
}

function caption({ accesses, firstTouches, total, mean }: StackTotal): string {
  const touches = amount(firstTouches, 'first touch', 'first touches')
  return `total ${count(total)}, mean ${mean.toFixed(2)}\n${amount(accesses, 'access', 'accesses')}, ${touches}`
}
