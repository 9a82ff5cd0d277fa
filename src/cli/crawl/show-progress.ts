import { unixClock } from '../../base/clock.ts'
import { type Eta, RecentRate } from '../../folder/stats/eta.ts'
import type { CrawlSession } from '../../run/session.ts'
import { shownWait } from '../../view/process/waiting-for.ts'
import type { CrawlProgress } from './crawl-progress.ts'

const PROGRESS_EVERY_MS = 100
const ETA_EVERY_MS = 2000

/** Shows the progress of a crawl until the returned function is called. */
export function showProgress(session: CrawlSession, progress: CrawlProgress): () => void {
  const pages = new RecentRate()
  const bytes = new RecentRate()
  let eta: Eta | undefined
  let etaAtMs = 0
  let isLooking = false
  const look = async () => {
    const nowMs = unixClock()
    const now = await session.progress()
    const pagesPerSecond = pages.at(nowMs, now.pages)
    const wireBytesPerSecond = bytes.at(nowMs, now.wireBytes)
    if (!progress.isDue(nowMs)) return
    if (nowMs - etaAtMs >= ETA_EVERY_MS) {
      eta = await session.eta(pagesPerSecond)
      etaAtMs = nowMs
    }
    const { hosts, waiting } = now.frontier
    const facts = {
      pages: now.pages,
      ...(now.machines !== undefined && { machines: now.machines }),
      pagesPerSecond,
      wireBytesPerSecond,
      hosts,
      waiting,
      open: now.openRequests,
      errors: now.failures,
      eta,
      waitingFor: shownWait(await session.doing()),
    }
    const { limit } = session.settings
    progress.show(limit === Infinity ? facts : { ...facts, limit }, nowMs)
  }
  const timer = setInterval(() => {
    if (isLooking) return
    isLooking = true
    look()
      // The frontier may have been closed or have failed meanwhile; the crawl itself reports that.
      .catch(() => {})
      .finally(() => (isLooking = false))
  }, PROGRESS_EVERY_MS)
  return () => {
    clearInterval(timer)
    progress.hide()
  }
}
