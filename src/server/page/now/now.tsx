import type { CrawlNow, CrawlSeries } from '../parts/api.ts'
import { useAnswer } from '../parts/api.ts'
import { shownBytes, shownCount, shownDuration } from '../parts/formats.ts'
import { Heading } from '../parts/heading.tsx'
import type { Live } from '../parts/live.ts'
import { words } from '../parts/words.ts'
import { Feed } from './feed.tsx'
import { Figures } from './figures.tsx'
import { LinkCounts } from './link-counts.tsx'
import { nowWords } from './now-words.ts'
import { RecentRates, WholeRates } from './rates.tsx'
import { Sentence } from './sentence.tsx'
import { TimeLeft } from './time-left.tsx'

const SERIES_EVERY_MS = 3000

/** What the crawl is doing: a sentence, figures, rates over time, what is left, and what happens. */
export function NowPage({ live: { now, events } }: { live: Live }) {
  const isRunning = now !== undefined && now.state !== 'ended'
  const { answer: series } = useAnswer<CrawlSeries>('/api/series', isRunning ? SERIES_EVERY_MS : undefined)
  return (
    <div class="now">
      <div class="hidden">
        <Heading title={nowWords().title}>{nowWords().title}</Heading>
      </div>
      {now === undefined ? (
        <p class="sentence">{words().loading}</p>
      ) : (
        <>
          <Sentence now={now} />
          <Figures now={now} />
          {isRunning ? (
            <>
              <div class="two">
                <RecentRates series={series} />
                <WholeRates series={series} isRunning />
              </div>
              <div class="two">
                <div class="stack">
                  <TimeLeft now={now} />
                  <LinkCounts now={now} />
                </div>
                <Feed events={events} />
              </div>
            </>
          ) : (
            <div class="two">
              <WholeRates series={series} isRunning={false} />
              <LinkCounts now={now} />
            </div>
          )}
          <p class="faint totals">{totals(now)}</p>
        </>
      )}
    </div>
  )
}

function totals({ requests, wireBytes, workMs, machines, losses }: CrawlNow): string {
  const texts = [
    nowWords().total(shownCount(requests), shownBytes(wireBytes)),
    nowWords().worked(shownDuration(workMs)),
  ]
  if (machines !== undefined) texts.push(nowWords().machines(shownCount(machines)))
  if (losses > 0) texts.push(nowWords().losses(shownCount(losses)))
  return texts.join(' · ')
}
