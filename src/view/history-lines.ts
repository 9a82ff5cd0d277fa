import { shownBytes, shownCount, shownDuration } from '../base/words/quantity.ts'
import { aboutReason } from '../crawl/reasons.ts'
import { shownCause } from '../crawl/rests.ts'
import { historyWords } from './history-words.ts'
import type { HistoryLine } from './questions/explained-shapes.ts'
import type { UrlHistory } from './url-history.ts'

/** What there is to say about a URL, in the current language, whatever the language of the history. */
export function historyLines(history: UrlHistory): HistoryLine[] {
  return [
    ...stateLines(history),
    ...foundLines(history),
    ...answerLines(history),
    ...settingLines(history),
    ...robotsLines(history),
    ...hostLines(history),
  ]
}

function line(about: HistoryLine['about'], text: string): HistoryLine {
  return { about, title: historyWords().titles[about], text }
}

function stateLines(history: UrlHistory): HistoryLine[] {
  const { states, unknown, errand, sitemapSeed } = historyWords()
  const lines = [
    line(
      'state',
      history.reason === undefined ? states[history.state] : `${states[history.state]} (${history.reason})`,
    ),
  ]
  if (history.state === 'unknown') {
    const isSitemapSeed = history.hops === 0
    lines.push(line('why', history.answer !== undefined ? errand : isSitemapSeed ? sitemapSeed : unknown))
  }
  if (history.redirectsTo !== undefined) lines.push(line('target', history.redirectsTo))
  if (history.reason !== undefined) {
    const { sentence, advice } = aboutReason(history.reason)
    lines.push(line('why', sentence))
    if (advice !== '') lines.push(line('advice', advice))
  }
  if (history.place !== undefined) lines.push(line('queue', queueText(history)))
  if (history.againInMs !== undefined) lines.push(line('again', againText(history.againInMs)))
  if (history.attempts !== undefined && history.attempts > 0) lines.push(line('attempts', shownCount(history.attempts)))
  if (history.failure !== undefined) {
    const { status, atMs } = history.failure
    lines.push(line('ended', new Date(atMs).toISOString() + (status === undefined ? '' : `, HTTP ${status}`)))
  }
  return lines
}

function queueText({ place = 0, isExact, readyInMs = 0, host }: UrlHistory): string {
  const words = historyWords()
  const before = place === 0 ? words.first : words.before(shownCount(place), place === 1, isExact ?? true)
  if (host?.isDown) return `${before}; ${words.down}`
  if (readyInMs <= 0) return `${before}; ${words.readyNow}`
  const cause = host?.waitsFor === undefined ? '' : ` (${shownCause(host.waitsFor)})`
  return `${before}; ${words.readyIn(shownDuration(readyInMs))}${cause}`
}

function againText(inMs: number): string {
  const words = historyWords()
  return inMs <= 0 ? words.due : words.againIn(shownDuration(inMs))
}

function foundLines({ from, hops }: UrlHistory): HistoryLine[] {
  const words = historyWords()
  if (from !== undefined) return [line('from', hops === undefined ? from : `${from} (${words.hops(hops)})`)]
  if (hops === 0) return [line('from', words.seed)]
  return []
}

function answerLines({ page, answer }: UrlHistory): HistoryLine[] {
  const words = historyWords()
  const lines: HistoryLine[] = []
  if (page !== undefined) {
    const time = new Date(page.dateMs).toISOString()
    lines.push(line('page', `HTTP ${page.status}, ${shownBytes(page.bytes)}, ${time}`))
    if (page.title !== '') lines.push(line('title', page.title))
  }
  const { file, offset, length } = answer ?? {}
  if (file !== undefined) lines.push(line('archive', words.place(`archive/${file}`, offset!, length!)))
  return lines
}

/** The current settings; they may differ from those in force when the link was judged. */
function settingLines({ heldBy, setting, state }: UrlHistory): HistoryLine[] {
  const words = historyWords()
  if (heldBy !== undefined)
    return [line('settings', `${words.heldNow(setting ?? heldBy)}: ${aboutReason(heldBy).sentence}`)]
  return state === 'done' || state === 'redirected' ? [] : [line('settings', words.letIn)]
}

function robotsLines({ robots }: UrlHistory): HistoryLine[] {
  const { robots: texts } = historyWords()
  if (robots.kind === 'unknown') return [line('robots', texts.unknown)]
  const because = robots.line === undefined ? texts.noLine : texts.line(robots.line, robots.text)
  return [line('robots', `${robots.kind === 'allowed' ? texts.allowed : texts.refused}; ${because}`)]
}

function hostLines({ host }: UrlHistory): HistoryLine[] {
  const words = historyWords()
  if (host === undefined) return []
  const { waiting, pages, failures, delayMs, server } = host
  const facts = [words.hostCounts(shownCount(pages), pages === 1, shownCount(waiting))]
  if (delayMs > 0) facts.push(words.delay(shownDuration(delayMs)))
  if (failures > 0) facts.push(words.failures(failures))
  if (server !== undefined) facts.push(words.server(server))
  return [line('host', `${host.host}: ${facts.join(', ')}`)]
}
