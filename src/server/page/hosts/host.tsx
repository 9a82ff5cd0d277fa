import { printable } from '../../../base/words/printable.ts'
import { Answered } from '../parts/answered.tsx'
import type { CrawlNow, HostDetails } from '../parts/api.ts'
import { hostPath, useAnswer } from '../parts/api.ts'
import { Facts } from '../parts/facts.tsx'
import { shownCount } from '../parts/formats.ts'
import { Heading } from '../parts/heading.tsx'
import { Panel } from '../parts/panel.tsx'
import { To } from '../parts/router.tsx'
import { UrlLink, WebText } from '../parts/web-text.tsx'
import { HostActions } from './host-actions.tsx'
import { delayText, nextText, robotsText } from './host-texts.ts'
import { hostWords } from './host-words.ts'
import { Outcomes } from './outcomes.tsx'
import { RobotsFiles } from './robots-files.tsx'
import { TonedText } from './toned-text.tsx'

const EVERY_MS = 3000

/** One host: its figures, what can be done to it, its queue, its robots.txt and how its latest links ended. */
export function HostPage({ name, now }: { name: string; now: CrawlNow | undefined }) {
  const canChange = now !== undefined && (now.state === 'running' || now.state === 'paused')
  const asked = useAnswer<HostDetails>(name === '' ? undefined : hostPath(name), canChange ? EVERY_MS : undefined)
  return (
    <>
      <p class="back">
        <To path="/hosts">← {hostWords().all}</To>
      </p>
      <div class="page-head">
        <Heading title={printable(name)}>
          <WebText text={name} most={260} />
        </Heading>
        {canChange && asked.answer !== undefined ? <HostActions host={asked.answer} again={asked.again} /> : null}
      </div>
      <Answered asked={asked}>{host => <Details host={host} />}</Answered>
    </>
  )
}

function Details({ host }: { host: HostDetails }) {
  const { columns, queue, emptyQueue, queueNote, hops, seed } = hostWords()
  const note = queueNote(shownCount(host.queue.length), shownCount(Math.max(host.waiting, host.queue.length)))
  return (
    <>
      <Facts
        facts={[
          [columns.waiting, shownCount(host.waiting)],
          [columns.pages, shownCount(host.pages)],
          [columns.failed, shownCount(host.failed)],
          [columns.delay, <TonedText {...delayText(host)} />],
          [columns.next, <TonedText {...nextText(host)} />],
          [columns.server, host.server === undefined ? '–' : <WebText text={host.server} most={45} />],
          [columns.robots, <TonedText {...robotsText(host)} />],
        ]}
      />
      <div class="two host">
        <div class="stack">
          <Panel title={queue} note={host.queue.length === 0 ? undefined : note}>
            {host.queue.length === 0 ? (
              <p class="empty">{emptyQueue}</p>
            ) : (
              // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard.
              <ol class="scroll urls" tabIndex={0} aria-label={queue}>
                {host.queue.map(link => (
                  <li key={`${link.kind ?? 'page'} ${link.url}`}>
                    <UrlLink url={link.url} />
                    <small class="faint"> {link.hops === 0 ? seed : hops(shownCount(link.hops))}</small>
                  </li>
                ))}
              </ol>
            )}
          </Panel>
          <Outcomes outcomes={host.outcomes} />
        </div>
        <RobotsFiles files={host.robotsFiles} />
      </div>
    </>
  )
}
