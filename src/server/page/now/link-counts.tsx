import { type LinkState, stateOf } from '../../../settings/link-choice.ts'
import type { CrawlNow } from '../../../view/questions/crawl-shapes.ts'
import { linkWords } from '../links/link-words.ts'
import { shownCount } from '../parts/formats.ts'
import { Panel, TableHead } from '../parts/panel.tsx'
import { ReasonLink } from '../parts/reason.tsx'
import { To } from '../parts/router.tsx'
import { nowWords } from './now-words.ts'

const MOST_REASONS = 8

/** How many links ended without a page, by state: those that the page Links lists. */
export function endedCounts({ frontier }: CrawlNow): Readonly<Record<'failed' | 'refused' | 'held', number>> {
  const counts = { failed: 0, refused: 0, held: 0 }
  for (const [reason, count] of Object.entries(frontier.refusedFor)) counts[stateOf(reason)] += count
  return counts
}

function nameOf(name: LinkState | 'redirected'): string {
  return name === 'redirected' ? nowWords().redirected : linkWords().states[name]
}

function Count({ name, count }: { name: string; count: number }) {
  return (
    <>
      {name} <b>{shownCount(count)}</b>
    </>
  )
}

/** What became of every link, as parts of a whole, and why some have no page. */
export function LinkCounts({ now }: { now: CrawlNow }) {
  const words = nowWords()
  const { frontier } = now
  const ended = endedCounts(now)
  const parts = [
    ['done', now.pages],
    ['redirected', frontier.done - frontier.pages],
    ...(['failed', 'refused', 'held'] as const).map(state => [state, ended[state]] as const),
    ['leased', frontier.leased],
    ['waiting', frontier.waiting],
  ] as const
  const reasons = Object.entries(frontier.refusedFor)
    .filter(([, count]) => count > 0)
    .sort(([, a], [, b]) => b - a)
    .slice(0, MOST_REASONS)
  const most = Math.max(1, ...reasons.map(([, count]) => count))
  return (
    <Panel title={words.links} note={words.known(shownCount(frontier.known))}>
      <div class="strip" aria-hidden="true">
        {parts.map(([name, count]) =>
          count === 0 ? null : name === 'redirected' ? (
            <span key={name} class={`part ${name}`} style={{ flexGrow: count }} />
          ) : (
            <To
              key={name}
              path="/links"
              query={{ states: name }}
              class={`part ${name}`}
              style={{ flexGrow: count }}
              tabIndex={-1}
            />
          ),
        )}
      </div>
      <ul class="legend">
        {parts.map(([name, count]) => (
          <li key={name}>
            <i class={`key ${name}`} />
            {name === 'redirected' || count === 0 ? (
              <Count name={nameOf(name)} count={count} />
            ) : (
              <To path="/links" query={{ states: name }}>
                <Count name={nameOf(name)} count={count} />
              </To>
            )}
          </li>
        ))}
      </ul>
      {reasons.length === 0 ? null : (
        <table class="small bars">
          <caption>{words.reasons}</caption>
          <TableHead class="hidden" columns={[words.reason, words.count]} />
          <tbody>
            {reasons.map(([reason, count]) => (
              <tr key={reason}>
                <td>
                  <ReasonLink reason={reason} />
                </td>
                <td class="number">
                  <span class="bar-place" aria-hidden="true">
                    <span class="bar" style={{ width: `${(100 * count) / most}%` }} />
                  </span>
                  <span class="count">{shownCount(count)}</span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  )
}
