import { printable } from '../../../base/words/printable.ts'
import type { CrawlNow } from '../../../view/questions/crawl-shapes.ts'
import type { HostDetails, RobotsFile } from '../../../view/questions/host-shapes.ts'
import { hostPath, useAnswer } from '../parts/api.ts'
import { isoMoment, shownCount, shownDuration, shownMoment } from '../parts/formats.ts'
import { Answered, Facts, Heading, Panel } from '../parts/panel.tsx'
import { To } from '../parts/router.tsx'
import { hostName, UrlLink, WebText, WholeUrl } from '../parts/web-text.tsx'
import { HostActions } from './host-actions.tsx'
import { hostWords } from './host-words.ts'
import { delayText, LinkCount, nextText, robotsText, TonedText } from './toned-text.tsx'

type HostOutcome = HostDetails['outcomes'][number]

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
          [columns.waiting, <LinkCount host={host.host} states="waiting" count={host.waiting} />],
          [columns.pages, <LinkCount host={host.host} states="done" count={host.pages} />],
          [columns.failed, <LinkCount host={host.host} states="failed,refused" count={host.failed} />],
          [columns.delay, <TonedText {...delayText(host)} />],
          [columns.next, <TonedText {...nextText(host)} />],
          [columns.server, host.server === undefined ? '–' : <WebText text={host.server} most={45} />],
          [columns.robots, <TonedText {...robotsText(host)} />],
          ...(host.turn === undefined ? [] : [[columns.importance, host.turn] as const]),
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

function Outcomes({ outcomes }: { outcomes: readonly HostOutcome[] }) {
  const words = hostWords()
  return (
    <Panel title={words.outcomes}>
      {outcomes.length === 0 ? (
        <p class="empty">{words.noOutcomes}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard.
        <ol class="scroll outcomes" tabIndex={0} aria-label={words.outcomes}>
          {outcomes.map((outcome, at) => (
            <li key={at} class={outcome.kind}>
              {outcome.kind === 'page' ? <Page outcome={outcome} /> : <Ended outcome={outcome} />}
            </li>
          ))}
        </ol>
      )}
    </Panel>
  )
}

function Page({ outcome: { page } }: { outcome: Extract<HostOutcome, { kind: 'page' }> }) {
  return (
    <>
      <span class="code-word good">{page.status}</span>
      <span class="what">
        <UrlLink url={page.url} path="/page" />
        {page.title === '' ? null : (
          <small class="faint">
            <WebText text={page.title} most={100} />
          </small>
        )}
      </span>
      <time class="faint" dateTime={isoMoment(page.dateMs)}>
        {shownMoment(page.dateMs)}
      </time>
    </>
  )
}

function Ended({ outcome: { failure, sentence } }: { outcome: Extract<HostOutcome, { kind: 'ended' }> }) {
  return (
    <>
      <span class="code-word bad">{failure.status ?? '–'}</span>
      <span class="what">
        <UrlLink url={failure.url} />
        <small class="faint">
          <To path="/links" query={{ reason: failure.reason, host: hostName(failure.url) }}>
            {sentence}
          </To>
        </small>
      </span>
      <time class="faint" dateTime={isoMoment(failure.atMs)}>
        {shownMoment(failure.atMs)}
      </time>
    </>
  )
}

/** The host's robots.txt, with what each line means for this crawl. */
function RobotsFiles({ files }: { files: readonly RobotsFile[] }) {
  const words = hostWords()
  return (
    <Panel title={words.robotsFile} class="robots">
      {files.length === 0 ? (
        <p class="empty">{words.noRobots}</p>
      ) : (
        files.map(file => <File key={file.url} file={file} />)
      )}
    </Panel>
  )
}

function File({ file }: { file: RobotsFile }) {
  const words = hostWords()
  const { status, fetchedAtMs, crawlDelaySeconds } = file
  const notes: string[] = []
  if (status !== undefined && fetchedAtMs !== undefined)
    notes.push(words.fetched(String(status), shownMoment(fetchedAtMs)))
  if (crawlDelaySeconds !== undefined) notes.push(words.crawlDelay(shownDuration(crawlDelaySeconds * 1000)))
  return (
    <div class="robots-file">
      <WholeUrl url={file.url} />
      <p>
        <small class="faint">
          {fetchedAtMs === undefined ? null : <time dateTime={isoMoment(fetchedAtMs)} />}
          {notes.join(' · ')}
        </small>
      </p>
      {file.lines.length === 0 ? (
        <p class="empty">{words.emptyFile}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard.
        <section class="scroll code" tabIndex={0} aria-label={file.url.slice(0, 200)}>
          <ol class="robots-lines">
            {file.lines.map(({ number, text, means }) => (
              <li key={number} value={number} class={means ?? ''}>
                <code>
                  <WebText text={text} most={500} />
                </code>
                {means === undefined ? null : <span class="means">{words.means[means]}</span>}
              </li>
            ))}
          </ol>
        </section>
      )}
      {file.isCut ? <p class="faint">{words.cut}</p> : null}
    </div>
  )
}
