import { type Ranking, ranking, sumsOf } from '../base/structures/ranking.ts'
import { shownBytes, shownCount, shownDecimal, shownDuration } from '../base/words/quantity.ts'
import { chartPage } from '../charts/chart-page.ts'
import { aboutChallenges } from '../folder/stats/details.ts'
import { aboutReason, aboutUnfollowed, statusMeaning } from '../settings/reasons.ts'
import { chartData } from './chart-data.ts'
import { drawCharts } from './draw-charts.ts'
import { COUNTS, histogramPanel, hopsPanel, overTime, SIZES, TIMES } from './page-charts.ts'
import { delaysPanel, failingHostsPanel, linksSection, reasonBars, slowHostsPanel, whereFrom } from './page-links.ts'
import {
  bars,
  type Card,
  cards,
  emptyPanel,
  note,
  panel,
  section,
  shortened,
  shownSpan,
  shownTime,
  strip,
  text,
} from './page-pieces.ts'
import { runsSection } from './page-runs.ts'
import { PAGE_STYLE } from './page-style.ts'
import type { Report } from './report.ts'
import { words } from './report-words.ts'

/** `report.html`, in the current language: the report as one self-contained page that needs no network. */
export function reportPage(report: Report): string {
  const data = chartData(report)
  const texts = words()
  return chartPage({
    title: texts.title(...pagesAndHosts(report)),
    style: PAGE_STYLE,
    body: [
      header(report),
      cards(headline(report)),
      linksSection(report),
      overTime(data),
      whereFrom(report),
      pages(report),
      answers(report),
      wentWrong(report),
      runsSection(report),
      `<footer>${text(texts.footer(report.version))}</footer>`,
    ].join('\n'),
    data,
    script: `const drawCharts = ${drawCharts}\ndrawCharts(data, id => document.getElementById(id), draw)`,
  })
}

function pagesAndHosts({ totals }: Report): [string, string] {
  const texts = words()
  return [texts.page(totals.pages), texts.host(totals.hosts)]
}

function header(report: Report): string {
  const texts = words()
  const { startedAt, asOf, endedBecause } = report
  const when =
    endedBecause === undefined
      ? `${shownTime(startedAt)}. ${texts.running(shownTime(asOf))}`
      : `${shownSpan(startedAt, asOf)}. ${texts.ended[endedBecause]}`
  return `<header><p class="faint">${text(texts.report)}</p>
<h1>${text(texts.heading(...pagesAndHosts(report)))}</h1>
<p class="faint">${text(when)}</p>${shareNote(report)}${troubleNote(report)}</header>
<noscript><style>.chart { display: none }</style></noscript>`
}

/** What of a report is one machine's, when machines share the crawl. */
function shareNote({ share, totals }: Report): string {
  if (share === undefined) return ''
  const texts = words()
  const { where, pages, machines } = share
  const percent = Math.min(100, Math.round((pages / Math.max(1, totals.pages)) * 100))
  const shown = texts.share(shownCount(machines), where, shownCount(pages), shownCount(totals.pages), percent)
  return `\n<p class="faint">${text(shown)}</p>`
}

/** What the engine of a shared frontier lost, and which hosts answer with challenge pages. */
function troubleNote({ totals: { losses = 0, damagedHosts = 0 }, challengedHosts = [] }: Report): string {
  const challenges = aboutChallenges(challengedHosts)
  const notes = [
    ...(challenges === undefined ? [] : [challenges]),
    ...(losses > 0 ? [words().losses(losses)] : []),
    ...(damagedHosts > 0 ? [words().damagedHosts(damagedHosts)] : []),
  ]
  return notes.map(note => `\n<p>${text(note)}</p>`).join('')
}

function headline({ totals, limit, waterfall, answerMs, tokensPerPage }: Report): Card[] {
  const texts = words()
  const named = texts.cards
  const { failed, waiting, known } = waterfall
  const { count: answers, p50, p90 } = answerMs
  const wanted = limit === undefined ? texts.noLimit : texts.wanted(shownCount(limit))
  const speed = texts.perSecond(shownBytes(totals.wireBytesPerSecond), shownDuration(totals.workMs))
  const median = answers === 0 ? texts.nothingYet : texts.median(shownDuration(p90))
  const page = tokensPerPage.count === 0 ? texts.nothingYet : texts.medianPage(shownCount(tokensPerPage.p50))
  const isReached = limit !== undefined && totals.pages >= limit
  const isBad = failed.count > totals.pages / 10
  return [
    [named.pages, shownCount(totals.pages), wanted, isReached ? 'good' : ''],
    [named.hosts, shownCount(totals.hosts), texts.inDomains(texts.domain(totals.domains))],
    [named.downloaded, shownBytes(totals.wireBytes), texts.unpacked(shownBytes(totals.pageBytes))],
    [named.speed, texts.pagesPerSecond(shownRate(totals.pagesPerSecond)), speed],
    [named.answer, answers === 0 ? '–' : shownDuration(p50), median],
    [named.words, shownLarge(totals.tokens), page],
    [named.failed, shownCount(failed.count), texts.repeated(shownCount(totals.again)), isBad ? 'bad' : ''],
    [named.waiting, shownCount(waiting), texts.ofKnown(texts.knownLink(known))],
  ]
}

const CLASSES = [
  { digit: 2, colour: 'var(--good)' },
  { digit: 3, colour: 'var(--blue)' },
  { digit: 4, colour: 'var(--look)' },
  { digit: 5, colour: 'var(--bad)' },
] as const

function answers(report: Report): string {
  const texts = words()
  const { statuses, totals, answerMs } = report
  const parts = CLASSES.map(({ digit, colour }) => {
    const ofClass = statuses.top.filter(status => status.name.startsWith(String(digit)))
    return { name: texts.statusClasses[digit], colour, count: ofClass.reduce((sum, { count }) => sum + count, 0) }
  })
  const kind = (status: string) => `s${/^\d/.exec(status)?.[0] ?? ''}`
  const sentence = texts.statusNote(texts.answer(totals.requests))
  const codes = bars(statuses, { kind, label: statusMeaning, noun: texts.code, counted: texts.answer })
  return section(texts.answers, [
    statuses.top.length === 0
      ? emptyPanel(texts.statusCodes, texts.noRequest)
      : panel(texts.statusCodes, note(sentence) + strip(parts) + codes),
    histogramPanel(texts.answerTime, 'answers', texts.answerTimeNote, answerMs, TIMES, texts.noRequest),
    slowHostsPanel(report),
    delaysPanel(report),
  ])
}

function pages(report: Report): string {
  const texts = words()
  const { bytesPerPage, tokensPerPage, languages, totals } = report
  const charts = section(
    texts.pages,
    [
      histogramPanel(texts.size, 'bytes', texts.sizeNote, bytesPerPage, SIZES, texts.noPage),
      histogramPanel(texts.wordsPerPage, 'tokens', texts.wordsNote, tokensPerPage, COUNTS, texts.noPage),
      hopsPanel(report),
    ],
    'three charts',
  )
  const silent = Math.max(totals.pages - sumsOf(languages).count, 0)
  const named =
    languages.top.length === 0
      ? emptyPanel(texts.languages, texts.noLanguages)
      : panel(
          texts.languages,
          note(texts.languagesNote(texts.page(silent))) +
            bars(languages, { noun: texts.language, counted: texts.page }),
        )
  return `${charts}<div class="panels">${named}${typesPanel(report)}${sitemapsPanel(report)}${samplesPanel(report)}</div>`
}

function typesPanel({ refusedTypes }: Report): string {
  const texts = words()
  if (refusedTypes.top.length === 0) return emptyPanel(texts.types, texts.noTypes)
  return panel(texts.types, note(texts.typesNote) + bars(refusedTypes, { noun: texts.type, counted: texts.answer }))
}

/** Empty when none was asked for: most crawls read none. */
function sitemapsPanel({ sitemaps, totals }: Report): string {
  const texts = words()
  if (sitemaps.top.length === 0) return ''
  const named = note(texts.sitemapsNote(texts.location(totals.sitemapEntries)))
  return panel(texts.sitemaps, named + bars(sitemaps, { noun: texts.form, counted: texts.sitemap }))
}

function samplesPanel({ samples }: Report): string {
  const texts = words()
  if (samples.length === 0) return emptyPanel(texts.samples, texts.noPage)
  const items = samples.map(({ url, title, opening, bytes, tokens, hops }) => {
    const facts = texts.sampleFacts(shownBytes(bytes), texts.word(tokens), texts.link(hops))
    return `<li><b>${title.trim() === '' ? text(texts.noTitle) : shortened(title)}</b>
<span class="why"><code>${shortened(url, 120)}</code></span>
<span class="why">${shortened(opening, 160)}</span><span class="why">${text(facts)}</span></li>`
  })
  const sentence = texts.samplesNote(texts.page(samples.length))
  return panel(texts.samples, `${note(sentence)}<ul class="sampled">${items.join('')}</ul>`, 'wide')
}

function wentWrong(report: Report): string {
  const texts = words()
  const { again, failed, refusedLinks } = report
  const requests = together(again, failed)
  return section(texts.wentWrong, [
    failingHostsPanel(report),
    requests.top.length === 0
      ? emptyPanel(texts.failedRequests, texts.noFailure)
      : panel(texts.failedRequests, note(texts.failedRequestsNote) + reasonBars(requests, 'again', aboutReason)),
    refusedLinks.top.length === 0
      ? emptyPanel(texts.unfollowed, texts.noUnfollowed)
      : panel(texts.unfollowed, note(texts.unfollowedNote) + reasonBars(refusedLinks, 'refused', aboutUnfollowed)),
  ])
}

/** Two rankings of the same things, added up. */
function together(one: Ranking, other: Ranking): Ranking {
  const counts = new Map<string, number>()
  for (const { name, count } of [...one.top, ...other.top]) counts.set(name, (counts.get(name) ?? 0) + count)
  return ranking(counts)
}

/** `4.2 M` */
function shownLarge(count: number): string {
  if (count < 1e6) return shownCount(count)
  return count < 1e9 ? `${shownDecimal(count / 1e6, 1)} M` : `${shownDecimal(count / 1e9, 1)} G`
}

function shownRate(perSecond: number): string {
  return perSecond < 9.95 ? shownDecimal(perSecond, 1) : shownCount(perSecond)
}
