import type { HostOutcome } from '../parts/api.ts'
import { isoMoment, shownMoment } from '../parts/formats.ts'
import { Panel } from '../parts/panel.tsx'
import { UrlLink, WebText } from '../parts/web-text.tsx'
import { hostWords } from './host-words.ts'

/** How the host's latest links ended. */
export function Outcomes({ outcomes }: { outcomes: readonly HostOutcome[] }) {
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
      <span class="code-word bad">
        <WebText text={failure.reason} most={24} />
      </span>
      <span class="what">
        <UrlLink url={failure.url} />
        <small class="faint">{sentence}</small>
      </span>
      <time class="faint" dateTime={isoMoment(failure.atMs)}>
        {shownMoment(failure.atMs)}
      </time>
    </>
  )
}
