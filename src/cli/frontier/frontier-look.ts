import { printable } from '../../base/words/printable.ts'
import { shownCount, shownDuration } from '../../base/words/quantity.ts'
import { waterfall } from '../../folder/stats/outcome-counts.ts'
import { historyLines } from '../../view/history-lines.ts'
import type { PlaceStatus } from '../../view/places/place.ts'
import { showHosts } from '../look/hosts-command.ts'
import { shownHistory } from '../look/shown-history.ts'
import { hostsLine, line, waterfallLines } from '../look/status-lines.ts'
import { safeJson } from '../terminal/say.ts'
import { answer } from '../terminal/tell.ts'
import { type Asked, SEE_FRONTIER } from './frontier-command.ts'
import { frontierWords } from './frontier-words.ts'

/** `stats`: what became of all links, and who works on the crawl. */
export async function showStats({ place, values }: Asked): Promise<number> {
  const status = await place.status()
  const links = waterfall(status.frontier)
  if (values.json) {
    const { running: _, ...rest } = status
    answer(`${safeJson({ where: place.shown, waterfall: links, ...rest })}\n`)
    return 0
  }
  const { frontier, outlook } = status
  const lines = [place.shown, '', ...waterfallLines(links), '', hostsLine(frontier, outlook), ...moreLines(status)]
  answer(`${lines.join('\n')}\n`)
  return 0
}

function moreLines({ frontier, crawlers, shards }: PlaceStatus): string[] {
  const words = frontierWords()
  const { auxiliaries, turnedAway } = frontier
  const away = Object.entries(turnedAway).filter(([, links]) => links > 0)
  const shown = crawlers?.map(({ id, pages, agoMs }) =>
    words.crawler(
      printable(id),
      shownCount(pages),
      agoMs === undefined ? words.left : words.heard(shownDuration(agoMs)),
    ),
  )
  return [
    ...(auxiliaries > 0 ? [line(words.auxiliaries, shownCount(auxiliaries))] : []),
    ...(away.length > 0
      ? [line(words.turnedAway, away.map(([bound, links]) => `${bound} ${shownCount(links)}`).join(', '))]
      : []),
    ...(shards === undefined ? [] : [line(words.shards, shownCount(shards))]),
    ...(shown === undefined
      ? []
      : (shown.length === 0 ? [words.nobody] : shown).map((text, n) => line(n === 0 ? words.crawlers : '', text))),
  ]
}

export async function showPlaceHosts({ place, values }: Asked): Promise<number> {
  await showHosts(filter => place.hosts(filter), values, SEE_FRONTIER)
  return 0
}

export async function explainUrl({ place, argument, values }: Asked): Promise<number> {
  const history = await place.explain(argument)
  answer(values.json ? `${safeJson(history)}\n` : `${shownHistory(history.url, historyLines(history)).join('\n')}\n`)
  return 0
}
