import type { ChartData, HistogramData } from './chart-data.ts'

interface Tip {
  readonly dataIndex: number
}

/**
 * Draws the charts. Runs in the browser: its source is put into the page as it is, so it uses nothing but its arguments.
 * `place` finds the element for a chart, and `draw` is the one that every chart page has.
 */
export function drawCharts(
  data: ChartData,
  place: (id: string) => unknown,
  draw: (place: unknown, option: object, renderer: 'svg') => void,
) {
  const [blue, teal, amber, red, violet] = ['#4c8dd6', '#35a893', '#e0a030', '#dc5f56', '#8e78d8']
  const { time, words } = data
  const grid = { left: 6, right: 18, top: 34, bottom: 26, containLabel: true }
  const grey = '#8b93a3'

  /** 1234567 → 1.2M; with a unit 1.2 MB, 1.2 s. */
  function short(value: number, unit = ''): string {
    if (unit === 'ms' && value >= 60_000) return `${round(value / 60_000)} min`
    if (unit === 'ms') return value >= 1000 ? `${round(value / 1000)} s` : `${round(value)} ms`
    const power = Math.max(0, Math.min(4, Math.floor(Math.log10(Math.max(value, 1)) / 3 + 1e-9)))
    const prefix = ['', 'k', 'M', 'G', 'T'][power]
    return unit === '' ? `${round(value / 1000 ** power)}${prefix}` : `${round(value / 1000 ** power)} ${prefix}${unit}`
  }

  function round(value: number): string {
    return (value >= 99.5 ? Math.round(value) : Number(value.toPrecision(2))).toLocaleString(words.locale)
  }

  function exact(value: number): string {
    return value.toLocaleString(words.locale, { maximumFractionDigits: value < 100 ? 1 : 0 })
  }

  /** An axis with its name below it, or above its upper end. */
  function named(name: string) {
    return { name, nameLocation: 'middle', nameGap: 26, nameTextStyle: { color: grey } }
  }

  function above(name: string, align = 'left') {
    return { name, nameLocation: 'end', nameGap: 12, nameTextStyle: { color: grey, align } }
  }

  const timeAxis = {
    type: 'value',
    ...named(`${words.time} (${time.unit})`),
    min: 0,
    max: 'dataMax',
    axisLabel: { formatter: (value: number) => exact(value), showMaxLabel: false, hideOverlap: true },
    axisLine: { lineStyle: { color: grey } },
    splitLine: { show: false },
  }
  const pointer = { trigger: 'axis', confine: true, axisPointer: { type: 'line', lineStyle: { color: grey } } }
  const faintLines = { lineStyle: { color: grey, opacity: 0.2 } }

  function countAxis(name: string, formatter: (value: number) => string, align = 'left') {
    return {
      type: 'value',
      ...above(name, align),
      axisLabel: { formatter },
      axisLine: { show: false },
      axisTick: { show: false },
      splitLine: faintLines,
    }
  }

  function points(row: readonly number[]): number[][] {
    return row.map((value, point) => [time.at[point]!, value])
  }

  function area(name: string, row: readonly number[], color: string, shown: (value: number) => string) {
    return {
      name,
      type: 'line',
      data: points(row),
      color,
      smooth: 0.25,
      smoothMonotone: 'x',
      showSymbol: row.length < 4,
      lineStyle: { width: 2 },
      areaStyle: { opacity: 0.18 },
      tooltip: { valueFormatter: shown },
    }
  }

  const counted = (value: number) => exact(value)
  const countShort = (value: number) => short(value)
  const perSecond = (value: number) => `${short(value, 'B')}/s`
  const whole = { minInterval: 1 }

  function chart(id: string, option: object): void {
    draw(place(id), { animation: false, textStyle: { fontFamily: 'system-ui, sans-serif' }, ...option }, 'svg')
  }

  chart('pages-over-time', {
    grid,
    tooltip: pointer,
    xAxis: timeAxis,
    yAxis: countAxis(words.pagesPerSecond, countShort),
    series: [area(words.pagesPerSecond, time.pagesPerSecond, blue!, counted)],
  })

  chart('bytes-over-time', {
    grid,
    tooltip: pointer,
    xAxis: timeAxis,
    yAxis: countAxis(words.receivedPerSecond, perSecond),
    series: [area(words.receivedPerSecond, time.bytesPerSecond, teal!, perSecond)],
  })

  chart('domains-over-time', {
    grid: { ...grid, top: 52, right: 4 },
    tooltip: pointer,
    legend: { top: 0, right: 0, itemWidth: 14, itemHeight: 8, icon: 'roundRect' },
    xAxis: timeAxis,
    yAxis: [
      { ...countAxis(words.found, countShort), ...whole },
      { ...countAxis(words.fresh, countShort, 'right'), ...whole, splitLine: { show: false } },
    ],
    series: [
      area(words.found, time.domains, violet!, counted),
      {
        name: words.fresh,
        type: 'bar',
        yAxisIndex: 1,
        data: points(time.newDomains),
        color: violet,
        itemStyle: { opacity: 0.6 },
        barMaxWidth: 12,
        tooltip: { valueFormatter: counted },
      },
    ],
  })

  chart('failures-over-time', {
    grid,
    tooltip: pointer,
    xAxis: timeAxis,
    yAxis: { ...countAxis(words.failed, countShort), ...whole },
    series: [
      {
        name: words.failed,
        type: 'bar',
        data: points(time.failures),
        color: red,
        barMaxWidth: 12,
        tooltip: { valueFormatter: counted },
      },
    ],
  })

  chart('hops', {
    grid,
    tooltip: { trigger: 'axis', confine: true, axisPointer: { type: 'shadow' } },
    xAxis: {
      type: 'category',
      ...named(words.hops),
      axisLabel: { hideOverlap: true },
      data: data.hops.map((_, hop) => (hop === 0 ? words.seed : hop === 100 ? `${hop}${words.more}` : String(hop))),
    },
    yAxis: { ...countAxis(words.pages, countShort), ...whole },
    series: [
      {
        name: words.pages,
        type: 'bar',
        data: data.hops,
        color: blue,
        barMaxWidth: 48,
        itemStyle: { borderRadius: [3, 3, 0, 0] },
        tooltip: { valueFormatter: counted },
      },
    ],
  })

  /** Bars over the logarithm of the value, so that every bucket is as wide as the others. */
  function histogram({ buckets, marks, unit, name, noun }: HistogramData, color: string): object {
    const at = ({ from, to }: { from: number; to: number }) => (Math.log10(from) + Math.log10(to)) / 2
    const decades = buckets.length === 0 ? 1 : Math.log10(buckets.at(-1)!.to / buckets[0]!.from) + 0.2
    // A label moves up a row if it would cover the one before.
    const rows = marks.map(() => 0)
    for (let i = marks.length - 2; i >= 0; i--) {
      const isNear = Math.log10(marks[i + 1]!.value / marks[i]!.value) / decades < 0.22
      rows[i] = isNear ? rows[i + 1]! + 1 : 0
    }
    return {
      grid: { ...grid, top: 64 },
      tooltip: {
        trigger: 'item',
        confine: true,
        formatter: ({ dataIndex }: Tip) => {
          const { from, to, count } = buckets[dataIndex]!
          return `${short(from, unit)} – ${short(to, unit)}: <b>${exact(count)}</b> ${noun}`
        },
      },
      xAxis: {
        type: 'value',
        ...named(name),
        min: ({ min }: { min: number }) => Math.floor((min - 0.1) * 4) / 4,
        max: ({ max }: { max: number }) => Math.ceil((max + 0.1) * 4) / 4,
        interval: 0.25,
        axisLabel: {
          hideOverlap: true,
          formatter: (power: number) => (Math.abs(power - Math.round(power)) < 0.01 ? short(10 ** power, unit) : ''),
        },
        axisLine: { lineStyle: { color: grey } },
        axisTick: { show: false },
        splitLine: { show: false },
      },
      yAxis: { ...countAxis(noun, countShort), ...whole, nameGap: 48 },
      series: [
        {
          type: 'bar',
          data: buckets.map(bucket => [at(bucket), bucket.count]),
          color,
          barWidth: '92%',
          itemStyle: { borderRadius: [3, 3, 0, 0] },
          markLine: {
            symbol: 'none',
            silent: true,
            lineStyle: { color: amber, width: 1.5 },
            data: marks.map(({ name, value }, place) => ({
              xAxis: Math.log10(value),
              label: { formatter: `${name} ${short(value, unit)}`, distance: 3 + 13 * rows[place]!, color: grey },
            })),
          },
        },
      ],
    }
  }

  if (data.bytes.buckets.length > 0) chart('bytes', histogram(data.bytes, blue!))
  if (data.tokens.buckets.length > 0) chart('tokens', histogram(data.tokens, violet!))
  if (data.answers.buckets.length > 0) chart('answers', histogram(data.answers, teal!))
}
