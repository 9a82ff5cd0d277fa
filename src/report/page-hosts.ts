// Hosts: where pages come from, who is slow, who asks for time, where links fail.
import { shownCount, shownDuration } from '../base/words/quantity.ts'
import { aboutReason } from '../crawl/reasons.ts'
import { bars, emptyPanel, foldedTable, note, panel, section, shortened, text } from './page-pieces.ts'
import type { Report } from './report.ts'
import { words } from './report-words.ts'

export function whereFrom({ pagesByDomain, pagesByHost, waitingByHost, hostsDown }: Report): string {
  const told = words()
  const counted = told.page
  const down = hostsDown === 0 ? '' : note(told.downHosts(told.host(hostsDown, shownCount(hostsDown))))
  return section(
    told.whereFrom,
    [
      pagesByDomain.top.length === 0
        ? emptyPanel(told.domains, told.noPage)
        : panel(told.domains, bars(pagesByDomain, { noun: told.domain, counted })),
      pagesByHost.top.length === 0
        ? emptyPanel(told.hosts, told.noPage)
        : panel(told.hosts, bars(pagesByHost, { noun: told.host, counted })),
      waitingByHost.top.length === 0
        ? emptyPanel(told.waitingHosts, told.nothingWaits)
        : panel(told.waitingHosts, down + bars(waitingByHost, { noun: told.host, counted: told.link })),
    ],
    'three',
  )
}

export function slowHostsPanel({ slowHosts }: Report): string {
  const told = words()
  if (slowHosts.length === 0) return emptyPanel(told.slowHosts, told.noRequest)
  const rows = slowHosts.map(({ host, answers, meanMs, longestMs }) => [
    shortened(host),
    shownDuration(meanMs),
    shownDuration(longestMs),
    shownCount(answers),
  ])
  const { host, mean, longest, answers } = told.columns
  return panel(told.slowHosts, note(told.slowHostsNote) + foldedTable([host, mean, longest, answers], rows, told.host))
}

export function delaysPanel({ longestDelays }: Report): string {
  const told = words()
  const { top, others } = longestDelays
  if (top.length === 0) return emptyPanel(told.delays, told.noDelays)
  const rows = top.map(({ host, ms, askedBy }) => [
    shortened(host),
    shownDuration(ms),
    text(askedBy === 'crawl-delay' ? told.crawlDelay : told.retryAfter),
  ])
  const { host, asked, how } = told.columns
  const more = others === 0 ? '' : note(told.moreDelays(told.host(others, told.more(shownCount(others)))))
  return panel(told.delays, note(told.delaysNote) + foldedTable([host, asked, how], rows, told.host, 'words') + more)
}

export function failingHostsPanel({ failingHosts }: Report): string {
  const told = words()
  if (failingHosts.length === 0) return emptyPanel(told.failingHosts, told.noFailingHosts)
  const top = failingHosts.map(({ host, links }) => ({ name: host, count: links }))
  const examples = new Map(failingHosts.map(({ host, url, reason }) => [host, { url, reason }]))
  const about = (host: string) => {
    const { url, reason } = examples.get(host)!
    const { sentence, advice } = aboutReason(reason)
    return `<span class="why"><code>${shortened(url, 120)}</code></span><span class="why">${text(sentence)} ${text(advice)}</span>`
  }
  const all = { top, others: { names: 0, count: 0 } }
  const hosts = bars(all, { kind: () => 'failed', about, noun: told.host, counted: told.link })
  return panel(told.failingHosts, note(told.failingHostsNote) + hosts, 'wide')
}
