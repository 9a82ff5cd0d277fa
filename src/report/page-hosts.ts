// Hosts: where pages come from, which are slow, which ask for delays, where links fail.
import { shownCount, shownDuration } from '../base/words/quantity.ts'
import { aboutReason } from '../settings/reasons.ts'
import { bars, emptyPanel, foldedTable, note, panel, prose, section, shortened, text } from './page-pieces.ts'
import type { Report } from './report.ts'
import { words } from './report-words.ts'

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
