import { shownBytes, shownCount, shownDuration } from '../base/words/quantity.ts'
import { chartPage } from '../charts/chart-page.ts'
import { type ChartData, chartData } from './chart-data.ts'
import type { Distribution } from './distribution.ts'
import { drawCharts } from './draw-charts.ts'
import { bars, type Card, cards, chartPanel, countOf, panel, strip, table, text } from './page-pieces.ts'
import { PAGE_STYLE } from './page-style.ts'
import type { Ranking } from '../base/structures/ranking.ts'
import { explained, statusMeaning } from './reasons.ts'
import type { Report } from './report.ts'

/** `report.html`: the report as one page that needs nothing else, not even a network. */
export function reportPage(report: Report): string {
  const data = chartData(report)
  return chartPage({
    title: `Crawl: ${shownCount(report.totals.pages)} pages from ${shownCount(report.totals.hosts)} hosts`,
    style: PAGE_STYLE,
    body: [
      header(report),
      cards(headline(report)),
      overTime(data),
      whereFrom(report),
      answers(report),
      pages(report),
      wentWrong(report),
      howItWasMade(report),
    ].join('\n'),
    data,
    script: `const drawCharts = ${drawCharts}\ndrawCharts(data, id => document.getElementById(id), draw)`,
  })
}

const ENDINGS: Readonly<Record<Report['endedBecause'], string>> = {
  limit: 'It ended because the limit was reached.',
  'nothing left': 'It ended because nothing was left to do.',
  stopped: 'It was stopped; the same command goes on.',
  time: 'It ended because its time was over; the same command goes on.',
  bytes: 'It ended because the archive had the size that was allowed.',
}

function header({ totals, startedAt, endedAt, endedBecause }: Report): string {
  const pages = counted(totals.pages, 'page')
  return `<header><p class="faint">Escalona · crawl report</p>
<h1>${pages} from ${counted(totals.hosts, 'host')}</h1>
<p class="faint">${text(span(startedAt, endedAt))} UTC. ${text(ENDINGS[endedBecause])}</p></header>
<noscript><style>.chart { display: none }</style></noscript>`
}

function headline({ totals, limit, frontier, answerMs, tokensAPage }: Report): Card[] {
  return [
    {
      name: 'Pages archived',
      value: shownCount(totals.pages),
      note: limit === undefined ? 'without a limit' : `of ${shownCount(limit)} wanted`,
      ...(limit !== undefined && totals.pages >= limit && { mood: 'good' }),
    },
    { name: 'Hosts', value: shownCount(totals.hosts), note: `in ${counted(totals.domains, 'domain')}` },
    {
      name: 'Downloaded',
      value: shownBytes(totals.wireBytes),
      note: `${shownBytes(totals.pageBytes)} of pages unpacked`,
    },
    {
      name: 'Speed',
      value: `${shownRate(totals.pagesPerSecond)} pages/s`,
      note: `${shownBytes(totals.wireBytesPerSecond)}/s, in ${shownDuration(totals.workMs)} of work`,
    },
    {
      name: 'Answer time',
      value: shownDuration(answerMs.p50),
      note: `median; 90 % under ${shownDuration(answerMs.p90)}`,
    },
    {
      name: 'Words',
      value: shownLarge(totals.tokens),
      note: `${shownCount(tokensAPage.p50)} on a median page`,
    },
    {
      name: 'Given up',
      value: shownCount(totals.failed),
      note: `after ${counted(totals.again, 'repeated attempt')}`,
      ...(totals.failed > totals.pages / 10 && { mood: 'bad' }),
    },
    { name: 'Still waiting', value: shownCount(frontier.waiting), note: `of ${counted(frontier.known, 'known link')}` },
  ]
}

function overTime({ time }: ChartData): string {
  const rows = (columns: readonly (readonly number[])[], shown: (value: number) => string) =>
    time.at.map((at, point) => [`${at} ${time.unit}`, ...columns.map(column => shown(column[point]!))])
  const of = (heads: readonly string[], columns: readonly (readonly number[])[], shown = shownCount) =>
    table(['time', ...heads], rows(columns, shown))
  return section('Over time', [
    chartPanel(
      'Pages a second',
      'pages-over-time',
      'Archived pages; pauses between two runs are left out.',
      of(['pages/s'], [time.pagesPerSecond], shownRate),
    ),
    chartPanel(
      'Download',
      'bytes-over-time',
      'As received, before decompression.',
      of(['received/s'], [time.bytesPerSecond], shownBytes),
    ),
    chartPanel(
      'New domains',
      'domains-over-time',
      'Domains of which a first page was archived.',
      of(['new', 'so far'], [time.newDomains, time.domains]),
    ),
    chartPanel(
      'Failed attempts',
      'failures-over-time',
      'Also those that succeeded when they were repeated.',
      of(['failed'], [time.failures]),
    ),
  ])
}

function whereFrom({ pagesByDomain, pagesByHost }: Report): string {
  const kind = () => ''
  return section('Where the pages come from', [
    panel('Domains', `<p>${countOf(pagesByDomain, 'domains')}</p>${bars(pagesByDomain, { kind, noun: 'domains' })}`),
    panel('Hosts', `<p>${countOf(pagesByHost, 'hosts')}</p>${bars(pagesByHost, { kind, noun: 'hosts' })}`),
  ])
}

const CLASSES = [
  { name: 'success', digit: '2', colour: 'var(--good)' },
  { name: 'redirect', digit: '3', colour: 'var(--blue)' },
  { name: 'refused by the host', digit: '4', colour: 'var(--look)' },
  { name: 'failure of the host', digit: '5', colour: 'var(--bad)' },
]

function answers({ statuses, totals, answerMs }: Report): string {
  const parts = CLASSES.map(({ name, digit, colour }) => {
    const ofClass = statuses.top.filter(status => status.name.startsWith(digit))
    return { name, colour, count: ofClass.reduce((sum, { count }) => sum + count, 0) }
  })
  const kind = (status: string) => `s${/^\d/.exec(status)?.[0] ?? ''}`
  const note = `${counted(totals.requests, 'answer')}, those about robots.txt included.`
  return section('Answers', [
    panel(
      'Status codes',
      `<p>${note}</p>${strip(parts)}${bars(statuses, { kind, label: statusMeaning, noun: 'codes' })}`,
    ),
    histogramPanel('Answer time', 'answers', 'From the request to the last byte.', answerMs, shownDuration),
  ])
}

function pages({ hops, bytesAPage, tokensAPage }: Report): string {
  const hopRows = hops.map((count, hop) => [hop === 0 ? 'seed' : String(hop), shownCount(count)])
  return section(
    'Pages',
    [
      histogramPanel('Size', 'bytes', 'After decompression.', bytesAPage, shownBytes),
      histogramPanel('Words', 'tokens', 'Of visible text.', tokensAPage, shownCount),
      chartPanel('Distance', 'hops', 'Links that lead from a seed to the page.', table(['links', 'pages'], hopRows)),
    ],
    'three',
  )
}

function histogramPanel(
  heading: string,
  id: string,
  note: string,
  { p50, p90, p99, buckets }: Distribution,
  shown: (value: number) => string,
): string {
  const spread =
    buckets.length === 0 ? '' : ` Half are below ${shown(p50)}, 90 % below ${shown(p90)}, 99 % below ${shown(p99)}.`
  const rows = buckets.map(({ from, to, count }) => [`${shown(from)} – ${shown(to)}`, shownCount(count)])
  return chartPanel(heading, id, note + spread, table(['from – to', 'count'], rows))
}

function wentWrong({ failed, again, refused, refusedLinks }: Report): string {
  const list = (heading: string, note: string, all: Ranking, kind: string, of: Parameters<typeof explained>[0]) =>
    panel(
      heading,
      all.top.length === 0
        ? '<p>None.</p>'
        : `<p>${note}</p>${bars(all, { kind: () => kind, why: name => explained(of, name), noun: 'reasons' })}`,
    )
  return section('What went wrong, and what was refused', [
    list('Given up', 'Links whose last attempt failed.', failed, 'failed', 'failed'),
    list('Tried again', 'Attempts that failed and were repeated later.', again, 'again', 'failed'),
    list(
      'Refused pages',
      'Links that were taken and turned out not to be pages for us.',
      refused,
      'refused',
      'refused',
    ),
    list('Links not followed', 'Links on pages that were never offered.', refusedLinks, 'refused', 'links refused'),
  ])
}

function howItWasMade({ frontier, settings, seeds, version }: Report): string {
  const links = strip([
    { name: 'visited', count: frontier.done, colour: 'var(--good)' },
    { name: 'refused or given up', count: frontier.refused, colour: 'var(--violet)' },
    { name: 'open', count: frontier.leased, colour: 'var(--look)' },
    { name: 'waiting', count: frontier.waiting - frontier.down, colour: 'var(--blue)' },
    { name: 'waiting at hosts that do not answer', count: frontier.down, colour: 'var(--bad)' },
  ])
  const more = seeds.count > seeds.first.length ? [[`and ${shownCount(seeds.count - seeds.first.length)} more`]] : []
  return `<h2>The crawl itself</h2>
${panel(`What became of ${counted(frontier.known, 'known link')}`, links)}
<div class="panels">
${panel('Settings', table([], Object.entries(settings), 'settings'))}
${panel(counted(seeds.count, 'seed'), table([], [...seeds.first.map(url => [url]), ...more]))}
</div>
<footer>Made by Escalona ${text(version)}. The same numbers for programs are in report.json.</footer>`
}

function section(heading: string, panels: readonly string[], kind = ''): string {
  return `<h2>${text(heading)}</h2><div class="panels ${kind}">${panels.join('\n')}</div>`
}

function counted(count: number, noun: string): string {
  return `${shownCount(count)} ${noun}${count === 1 ? '' : 's'}`
}

/** `4.2 million` */
function shownLarge(count: number): string {
  if (count < 1e6) return shownCount(count)
  return count < 1e9 ? `${(count / 1e6).toFixed(1)} M` : `${(count / 1e9).toFixed(1)} G`
}

function shownRate(perSecond: number): string {
  return perSecond < 9.95 ? perSecond.toFixed(1) : shownCount(perSecond)
}

/** `2026-03-01, 10:00 – 10:45` of two ISO times. */
function span(from: string, to: string): string {
  const [fromDay, toDay] = [from.slice(0, 10), to.slice(0, 10)]
  return `${fromDay}, ${from.slice(11, 16)} – ${toDay === fromDay ? '' : `${toDay}, `}${to.slice(11, 16)}`
}
