import type { CrawlNow } from '../../../view/questions/crawl-shapes.ts'
import { shownCount } from '../parts/formats.ts'
import { Panel, TableHead } from '../parts/panel.tsx'
import { WebText } from '../parts/web-text.tsx'
import { nowWords } from './now-words.ts'

const MOST_REASONS = 8

/** What became of every link, as parts of a whole, and why some have no page. */
export function LinkCounts({ now: { frontier } }: { now: CrawlNow }) {
  const words = nowWords()
  const parts = [
    ['pages', frontier.pages],
    ['redirected', frontier.done - frontier.pages],
    ['refused', frontier.refused],
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
          count > 0 ? <span key={name} class={`part ${name}`} style={{ flexGrow: count }} /> : null,
        )}
      </div>
      <ul class="legend">
        {parts.map(([name, count]) => (
          <li key={name}>
            <i class={`key ${name}`} />
            {words.kinds[name]} <b>{shownCount(count)}</b>
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
                  <code>
                    <WebText text={reason} most={40} />
                  </code>
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
