import type { RobotsFile } from '../parts/api.ts'
import { isoMoment, shownDuration, shownMoment } from '../parts/formats.ts'
import { Panel } from '../parts/panel.tsx'
import { WebText, WholeUrl } from '../parts/web-text.tsx'
import { hostWords } from './host-words.ts'

/** The host's robots.txt, with what each line means for this crawl. */
export function RobotsFiles({ files }: { files: readonly RobotsFile[] }) {
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
