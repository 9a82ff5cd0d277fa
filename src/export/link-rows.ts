import type { ReadVisit } from './read-visit.ts'
import type { Row } from './tables.ts'
import { hostOf } from './url-host.ts'

/** The rows of a page in the table of links: one for each link that stands on it, in document order. */
export function* linkRows({ visit, extracted }: ReadVisit): Generator<Row, void, undefined> {
  const { url: from } = visit
  const host = hostOf(from)
  for (const { url, text, rel } of extracted.anchors ?? [])
    yield { from, to: url.href, anchor: text, rel, internal: url.host === host }
}
