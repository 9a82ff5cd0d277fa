import type { CrawlNow } from '../parts/api.ts'
import { shownCount, shownDuration } from '../parts/formats.ts'
import { Panel } from '../parts/panel.tsx'
import { To } from '../parts/router.tsx'
import { WebText } from '../parts/web-text.tsx'
import { nowWords } from './now-words.ts'

/** How long it will still take, and because of whom. */
export function TimeLeft({ now: { eta } }: { now: CrawlNow }) {
  const words = nowWords()
  if (eta === undefined || eta.ms === null) {
    return (
      <Panel title={words.left}>
        <p class="empty">{words.noEta}</p>
      </Panel>
    )
  }
  const time = shownDuration(eta.ms)
  return (
    <Panel title={words.left}>
      <p class="big">{eta.isAtLeast ? words.atLeast(time) : words.about(time)}</p>
      {eta.isAtLeast ? <p class="faint">{words.growing}</p> : null}
      {eta.slowest.length === 0 ? null : (
        <table class="small">
          <caption>{words.decides}</caption>
          <thead>
            <tr>
              <th scope="col">{words.host}</th>
              <th scope="col" class="number">
                {words.waiting}
              </th>
              <th scope="col" class="number">
                {words.takes}
              </th>
            </tr>
          </thead>
          <tbody>
            {eta.slowest.map(({ host, waiting, ms }) => (
              <tr key={host}>
                <td>
                  <To path="/host" query={{ name: host }}>
                    <WebText text={host} most={60} />
                  </To>
                </td>
                <td class="number">{shownCount(waiting)}</td>
                <td class="number">{ms === null ? '∞' : shownDuration(ms)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  )
}
