import type { Ranking } from '../base/structures/ranking.ts'
import { shownCount, shownDuration } from '../base/words/quantity.ts'
import { htmlTable } from '../charts/chart-page.ts'
import type { ReasonCounts } from '../folder/stats/outcome-counts.ts'
import { aboutReason, type ReasonText } from '../settings/reasons.ts'
import { bars, emptyPanel, foldedTable, note, panel, prose, section, share, shortened, text } from './page-pieces.ts'
import type { Report } from './report.ts'
import { words } from './report-words.ts'

// What became of the links: the waterfall, and the reasons behind it.

interface Step {
  readonly name: string
  readonly links: number
  readonly kind: string
  /** HTML. */
  readonly about?: string
}

export function linksSection(report: Report): string {
  const texts = words().waterfall
  if (report.waterfall.known === 0) return section(texts.title, [panel(texts.title, note(texts.empty))], 'one')
  const { refused, failed, held } = report.waterfall
  const reasons = [
    reasonPanel(texts.refused, refused, 'refused', report),
    reasonPanel(texts.failed, failed, 'failed', report),
    reasonPanel(texts.held, held, 'held', report),
  ].filter(panel => panel !== '')
  const known = words().knownLink(report.waterfall.known)
  const table = `<div class="panels one">${panel(known, note(texts.note) + waterfallTable(report))}</div>`
  return `<h2>${text(texts.title)}</h2>${table}${reasons.length === 0 ? '' : `<div class="panels three">${reasons.join('\n')}</div>`}`
}

/** Each bar begins where the one before ends: together they are as long as the first. */
function waterfallTable({ waterfall, frontier }: Report): string {
  const texts = words().waterfall
  const { known, archived, redirected, refused, failed, held, waiting, leased } = waterfall
  const down = frontier.down === 0 ? '' : why(texts.waitingDown(shownCount(frontier.down)))
  const steps: Step[] = [
    { name: texts.archived, links: archived, kind: 'archived' },
    { name: texts.redirected, links: redirected, kind: 'redirected' },
    { name: texts.refused, links: refused.count, kind: 'refused' },
    { name: texts.failed, links: failed.count, kind: 'failed' },
    { name: texts.held, links: held.count, kind: 'held' },
    { name: texts.waiting, links: waiting, kind: 'waiting', about: down },
    { name: texts.leased, links: leased, kind: 'leased' },
  ]
  let before = 0
  const rows = steps.map(({ name, links, kind, about = '' }) => {
    const bar = floatingBar(kind, before / known, links / known)
    before += links
    return [`${text(name)}${about}`, bar, shownCount(links), share(links, known)]
  })
  const sum = [`<b>${text(texts.sum)}</b>`, floatingBar('', 0, before / known), `<b>${shownCount(before)}</b>`]
  const [first = '', ...heads] = texts.heads
  return htmlTable([first, '', ...heads].map(text), [...rows, [...sum, share(before, known)]], 'bars waterfall')
}

function floatingBar(kind: string, from: number, length: number): string {
  if (length === 0) return ''
  const percent = (part: number) => `${(part * 100).toFixed(2)}%`
  return `<span class="bar ${kind}" style="margin-left:${percent(from)};width:${percent(length)}"></span>`
}

function reasonPanel(heading: string, { count, reasons }: ReasonCounts, kind: string, { examples }: Report): string {
  if (count === 0) return ''
  const all = { top: reasons.map(({ reason, count }) => ({ name: reason, count })), others: { names: 0, count: 0 } }
  const texts = words()
  const inside = reasonBars(all, kind, aboutReason, examples)
  return panel(heading, note(texts.link(count)) + inside)
}

/** Reasons by frequency, each with an explanation, what to do about it, and a few URLs. */
export function reasonBars(
  all: Ranking,
  kind: string,
  aboutOne: (reason: string) => ReasonText,
  examples: Report['examples'] = {},
): string {
  const texts = words()
  const about = (reason: string) => {
    const { sentence, advice } = aboutOne(reason)
    const urls = Object.hasOwn(examples, reason) ? examples[reason]! : []
    return why(sentence) + why(advice) + exampleList(urls)
  }
  return bars(all, { kind: () => kind, about, noun: texts.reason, counted: texts.link })
}

function why(sentence: string): string {
  return sentence === '' ? '' : `<span class="why">${prose(sentence)}</span>`
}

function exampleList(urls: readonly string[]): string {
  if (urls.length === 0) return ''
  const shown = urls.map(url => `<code>${shortened(url, 120)}</code>`)
  return `<span class="why">${text(words().examples)} ${shown.join(' ')}</span>`
}

// Hosts: where pages come from, which are slow, which ask for delays, where links fail.

export function whereFrom({ pagesByDomain, pagesByHost, waitingByHost, hostsDown }: Report): string {
  const texts = words()
  const counted = texts.page
  const down = hostsDown === 0 ? '' : note(texts.downHosts(shownCount(hostsDown)))
  return section(
    texts.whereFrom,
    [
      pagesByDomain.top.length === 0
        ? emptyPanel(texts.domains, texts.noPage)
        : panel(texts.domains, bars(pagesByDomain, { noun: texts.domain, counted })),
      pagesByHost.top.length === 0
        ? emptyPanel(texts.hosts, texts.noPage)
        : panel(texts.hosts, bars(pagesByHost, { noun: texts.host, counted })),
      waitingByHost.top.length === 0
        ? emptyPanel(texts.waitingHosts, texts.nothingWaits)
        : panel(texts.waitingHosts, down + bars(waitingByHost, { noun: texts.host, counted: texts.link })),
    ],
    'three',
  )
}

export function slowHostsPanel({ slowHosts }: Report): string {
  const texts = words()
  if (slowHosts.length === 0) return emptyPanel(texts.slowHosts, texts.noRequest)
  const rows = slowHosts.map(({ host, answers, meanMs, longestMs }) => [
    shortened(host),
    shownDuration(meanMs),
    shownDuration(longestMs),
    shownCount(answers),
  ])
  const { host, mean, longest, answers } = texts.columns
  return panel(
    texts.slowHosts,
    note(texts.slowHostsNote) + foldedTable([host, mean, longest, answers], rows, texts.host),
  )
}

export function delaysPanel({ longestDelays }: Report): string {
  const texts = words()
  const { top, others } = longestDelays
  if (top.length === 0) return emptyPanel(texts.delays, texts.noDelays)
  const rows = top.map(({ host, ms, askedBy }) => [
    shortened(host),
    shownDuration(ms),
    text(askedBy === 'crawl-delay' ? texts.crawlDelay : texts.retryAfter),
  ])
  const { host, asked, how } = texts.columns
  const more = others === 0 ? '' : note(texts.moreDelays(texts.host(others, texts.more(shownCount(others)))))
  return panel(texts.delays, note(texts.delaysNote) + foldedTable([host, asked, how], rows, texts.host, 'words') + more)
}

export function failingHostsPanel({ failingHosts, waterfall }: Report): string {
  const texts = words()
  if (failingHosts.length === 0)
    return emptyPanel(texts.failingHosts, waterfall.failed.count === 0 ? texts.noFailingHosts : texts.lostFailingHosts)
  const top = failingHosts.map(({ host, links }) => ({ name: host, count: links }))
  const examples = new Map(failingHosts.map(({ host, url, reason }) => [host, { url, reason }]))
  const about = (host: string) => {
    const { url, reason } = examples.get(host)!
    const { sentence, advice } = aboutReason(reason)
    return `<span class="why"><code>${shortened(url, 120)}</code></span><span class="why">${prose(`${sentence} ${advice}`)}</span>`
  }
  const all = { top, others: { names: 0, count: 0 } }
  const hosts = bars(all, { kind: () => 'failed', about, noun: texts.host, counted: texts.link })
  return panel(texts.failingHosts, note(texts.failingHostsNote) + hosts, 'wide')
}
