import { printable } from '../base/words/printable.ts'
import { shownBytes, shownCount, shownDuration } from '../base/words/quantity.ts'
import type { Story } from '../crawl/reading/story.ts'
import { aboutReason } from '../crawl/reasons.ts'
import { shownCause } from '../crawl/rests.ts'
import { lookWords } from './look-words.ts'

/** What `escalona explain` says about a URL, for people. */
export function storyLines(story: Story): string[] {
  return [
    printable(story.url),
    ...stateLines(story),
    ...foundLines(story),
    ...answerLines(story),
    ...settingLines(story),
    ...robotsLines(story),
    ...hostLines(story),
  ]
}

function line(title: string, text: string): string {
  const width = Math.max(13, ...Object.values(lookWords().explain.titles).map(one => one.length + 1))
  return `  ${`${title}:`.padEnd(width)} ${printable(text)}`
}

function stateLines(story: Story): string[] {
  const { explain, states } = lookWords()
  const { titles } = explain
  const lines = [
    line(titles.state, story.reason === undefined ? states[story.state] : `${states[story.state]} (${story.reason})`),
  ]
  if (story.state === 'unknown') lines.push(line(titles.why, explain.unknown))
  if (story.redirectsTo !== undefined) lines.push(line(titles.target, story.redirectsTo))
  if (story.sentence !== undefined) lines.push(line(titles.why, story.sentence))
  if (story.advice !== undefined && story.advice !== '') lines.push(line(titles.advice, story.advice))
  if (story.place !== undefined) lines.push(line(titles.queue, queueText(story)))
  if (story.attempts !== undefined && story.attempts > 0) lines.push(line(titles.attempts, shownCount(story.attempts)))
  if (story.failure !== undefined) {
    const { status, atMs } = story.failure
    lines.push(line(titles.ended, new Date(atMs).toISOString() + (status === undefined ? '' : `, HTTP ${status}`)))
  }
  return lines
}

function queueText({ place = 0, isExact, readyInMs = 0, host }: Story): string {
  const { explain } = lookWords()
  const before = place === 0 ? explain.first : explain.before(shownCount(place), isExact ?? true)
  if (host?.isDown) return `${before}; ${explain.down}`
  if (readyInMs <= 0) return `${before}; ${explain.readyNow}`
  const cause = host?.waitsFor === undefined ? '' : ` (${shownCause(host.waitsFor)})`
  return `${before}; ${explain.readyIn(shownDuration(readyInMs))}${cause}`
}

function foundLines({ from, hops, state }: Story): string[] {
  const { explain } = lookWords()
  if (from !== undefined)
    return [line(explain.titles.from, hops === undefined ? from : `${from} (${explain.hops(hops)})`)]
  if (hops === 0 && state !== 'unknown') return [line(explain.titles.from, explain.seed)]
  return []
}

function answerLines({ page, answer }: Story): string[] {
  const { explain } = lookWords()
  const lines: string[] = []
  if (page !== undefined) {
    const time = new Date(page.dateMs).toISOString()
    lines.push(line(explain.titles.page, `HTTP ${page.status}, ${shownBytes(page.bytes)}, ${time}`))
    if (page.title !== '') lines.push(line(explain.titles.title, page.title))
  }
  const { file, offset, length } = answer ?? {}
  if (file !== undefined) lines.push(line(explain.titles.archive, explain.place(`archive/${file}`, offset!, length!)))
  return lines
}

/** The current settings; they may differ from those in force when the link was judged. */
function settingLines({ heldBy, state }: Story): string[] {
  const { explain } = lookWords()
  if (heldBy !== undefined)
    return [line(explain.titles.settings, `${explain.heldNow(heldBy)}: ${aboutReason(heldBy).sentence}`)]
  return state === 'done' || state === 'redirected' ? [] : [line(explain.titles.settings, explain.letIn)]
}

function robotsLines({ robots }: Story): string[] {
  const { explain } = lookWords()
  const { robots: texts } = explain
  if (robots.kind === 'unknown') return [line(texts.title, texts.unknown)]
  const because = robots.line === undefined ? texts.noLine : texts.line(robots.line, robots.text)
  return [line(texts.title, `${robots.kind === 'allowed' ? texts.allowed : texts.refused}; ${because}`)]
}

function hostLines({ host }: Story): string[] {
  const { explain } = lookWords()
  if (host === undefined) return []
  const { waiting, pages, failures, delayMs, server } = host
  const facts = [explain.hostCounts(shownCount(pages), pages === 1, shownCount(waiting))]
  if (delayMs > 0) facts.push(explain.delay(shownDuration(delayMs)))
  if (failures > 0) facts.push(explain.failures(failures))
  if (server !== undefined) facts.push(explain.server(server))
  return [line(explain.titles.host, `${host.host}: ${facts.join(', ')}`)]
}
