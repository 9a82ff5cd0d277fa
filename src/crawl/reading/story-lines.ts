import { shownBytes, shownCount, shownDuration } from '../../base/words/quantity.ts'
import { aboutReason } from '../../settings/reasons.ts'
import type { StoryLine } from '../desk/front-desk.ts'
import { shownCause } from '../rests.ts'
import type { Story } from './story.ts'
import { storyWords } from './story-words.ts'

/** What there is to say about a URL, in the current language, whatever the language of the story. */
export function storyLines(story: Story): StoryLine[] {
  return [
    ...stateLines(story),
    ...foundLines(story),
    ...answerLines(story),
    ...settingLines(story),
    ...robotsLines(story),
    ...hostLines(story),
  ]
}

function line(about: StoryLine['about'], text: string): StoryLine {
  return { about, title: storyWords().titles[about], text }
}

function stateLines(story: Story): StoryLine[] {
  const { states, unknown, errand, sitemapSeed } = storyWords()
  const lines = [
    line('state', story.reason === undefined ? states[story.state] : `${states[story.state]} (${story.reason})`),
  ]
  if (story.state === 'unknown') {
    const isSitemapSeed = story.hops === 0
    lines.push(line('why', story.answer !== undefined ? errand : isSitemapSeed ? sitemapSeed : unknown))
  }
  if (story.redirectsTo !== undefined) lines.push(line('target', story.redirectsTo))
  if (story.reason !== undefined) {
    const { sentence, advice } = aboutReason(story.reason)
    lines.push(line('why', sentence))
    if (advice !== '') lines.push(line('advice', advice))
  }
  if (story.place !== undefined) lines.push(line('queue', queueText(story)))
  if (story.againInMs !== undefined) lines.push(line('again', againText(story.againInMs)))
  if (story.attempts !== undefined && story.attempts > 0) lines.push(line('attempts', shownCount(story.attempts)))
  if (story.failure !== undefined) {
    const { status, atMs } = story.failure
    lines.push(line('ended', new Date(atMs).toISOString() + (status === undefined ? '' : `, HTTP ${status}`)))
  }
  return lines
}

function queueText({ place = 0, isExact, readyInMs = 0, host }: Story): string {
  const words = storyWords()
  const before = place === 0 ? words.first : words.before(shownCount(place), place === 1, isExact ?? true)
  if (host?.isDown) return `${before}; ${words.down}`
  if (readyInMs <= 0) return `${before}; ${words.readyNow}`
  const cause = host?.waitsFor === undefined ? '' : ` (${shownCause(host.waitsFor)})`
  return `${before}; ${words.readyIn(shownDuration(readyInMs))}${cause}`
}

function againText(inMs: number): string {
  const words = storyWords()
  return inMs <= 0 ? words.due : words.againIn(shownDuration(inMs))
}

function foundLines({ from, hops }: Story): StoryLine[] {
  const words = storyWords()
  if (from !== undefined) return [line('from', hops === undefined ? from : `${from} (${words.hops(hops)})`)]
  if (hops === 0) return [line('from', words.seed)]
  return []
}

function answerLines({ page, answer }: Story): StoryLine[] {
  const words = storyWords()
  const lines: StoryLine[] = []
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
function settingLines({ heldBy, setting, state }: Story): StoryLine[] {
  const words = storyWords()
  if (heldBy !== undefined)
    return [line('settings', `${words.heldNow(setting ?? heldBy)}: ${aboutReason(heldBy).sentence}`)]
  return state === 'done' || state === 'redirected' ? [] : [line('settings', words.letIn)]
}

function robotsLines({ robots }: Story): StoryLine[] {
  const { robots: texts } = storyWords()
  if (robots.kind === 'unknown') return [line('robots', texts.unknown)]
  const because = robots.line === undefined ? texts.noLine : texts.line(robots.line, robots.text)
  return [line('robots', `${robots.kind === 'allowed' ? texts.allowed : texts.refused}; ${because}`)]
}

function hostLines({ host }: Story): StoryLine[] {
  const words = storyWords()
  if (host === undefined) return []
  const { waiting, pages, failures, delayMs, server } = host
  const facts = [words.hostCounts(shownCount(pages), pages === 1, shownCount(waiting))]
  if (delayMs > 0) facts.push(words.delay(shownDuration(delayMs)))
  if (failures > 0) facts.push(words.failures(failures))
  if (server !== undefined) facts.push(words.server(server))
  return [line('host', `${host.host}: ${facts.join(', ')}`)]
}
