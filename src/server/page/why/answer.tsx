import { useState } from 'preact/hooks'
import { hostName } from '../pages/web-address.ts'
import { SeedsDialog } from '../parts/seeds-dialog.tsx'
import { WebText, WholeUrl } from '../parts/web-text.tsx'
import { To } from '../router.tsx'
import type { Explained } from '../wire.ts'
import { whyWords } from './why-words.ts'

const LONGEST_LINE = 4000
/** What is said large, above the rest. */
const LARGE: readonly string[] = ['state', 'why', 'advice']
const TONES: Readonly<Record<Explained['story']['state'], string>> = {
  unknown: '',
  waiting: '',
  leased: '',
  done: 'good',
  redirected: '',
  refused: 'look',
  failed: 'bad',
  held: 'look',
}

/** What is known about one URL: what became of it and why, large; then everything that `escalona explain` prints. */
export function Answer({ told: { story, lines }, canAdd }: { told: Explained; canAdd: boolean }) {
  const words = whyWords()
  const [isAdding, setAdding] = useState(false)
  const { robots } = story
  return (
    <section class="answer" aria-label={words.answer}>
      <p class={`verdict ${TONES[story.state]}`}>
        {words.states[story.state]}
        {story.reason === undefined ? null : (
          <code>
            <WebText text={story.reason} most={60} />
          </code>
        )}
      </p>
      <Large text={textAbout(lines, 'why')} class="because" />
      {robots.kind === 'refused' && robots.line !== undefined ? (
        <p class="robots-line">
          <span class="faint">{words.line(String(robots.line))}</span>
          <code data-testid="robots-line">
            <WebText text={robots.text ?? ''} most={500} />
          </code>
        </p>
      ) : null}
      <Large text={textAbout(lines, 'advice')} class="advice" />
      <p class="links">
        {story.page === undefined ? null : (
          <To path="/page" query={{ url: story.url }}>
            {words.seePage}
          </To>
        )}
        {story.host === undefined ? null : (
          <To path="/host" query={{ name: hostName(story.url) }}>
            {words.seeHost}
          </To>
        )}
        {story.from === undefined ? null : (
          <To path="/why" query={{ url: story.from }}>
            {words.seeFrom}
          </To>
        )}
        {story.redirectsTo === undefined ? null : (
          <To path="/why" query={{ url: story.redirectsTo }}>
            {words.seeTarget}
          </To>
        )}
        {canAdd && story.state === 'unknown' ? (
          <button type="button" onClick={() => setAdding(true)}>
            {words.addSeed}
          </button>
        ) : null}
      </p>
      <dl class="fields story">
        <div>
          <dt>{words.canonical}</dt>
          <dd>
            <WholeUrl url={story.url} />
          </dd>
        </div>
        {lines
          .filter(({ about }) => !LARGE.includes(about))
          .map(({ about, title, text }) => (
            <div key={about}>
              <dt>{title}</dt>
              <dd>
                <WebText text={text} most={LONGEST_LINE} />
              </dd>
            </div>
          ))}
      </dl>
      {isAdding ? <SeedsDialog first={story.url} onClose={() => setAdding(false)} /> : null}
    </section>
  )
}

/** What the story says about one thing. */
export function textAbout(lines: Explained['lines'], about: string): string | undefined {
  return lines.find(line => line.about === about)?.text
}

function Large({ text, class: name }: { text: string | undefined; class: string }) {
  if (text === undefined || text === '') return null
  return (
    <p class={name}>
      <WebText text={text} most={LONGEST_LINE} />
    </p>
  )
}
