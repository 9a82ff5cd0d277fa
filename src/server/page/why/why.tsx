import { useEffect, useId, useState } from 'preact/hooks'
import { catalogue } from '../../../base/words/language.ts'
import { excerpt } from '../../../base/words/printable.ts'
import type { CrawlNow } from '../../../view/questions/crawl-shapes.ts'
import type { ExplainedUrl } from '../../../view/questions/explained-shapes.ts'
import { useAnswer, withQuery } from '../parts/api.ts'
import { SeedsDialog } from '../parts/dialog.tsx'
import { Answered, Heading } from '../parts/panel.tsx'
import { go, To } from '../parts/router.tsx'
import { hostName, WebText, WholeUrl } from '../parts/web-text.tsx'

const whyWords = catalogue({
  en: {
    title: 'Why?',
    intro: 'Paste any URL: what became of it, which rule decided, and what to change.',
    url: 'URL',
    ask: 'Ask',
    answer: 'Answer',
    states: {
      unknown: 'Not known',
      waiting: 'Waiting',
      leased: 'Being fetched now',
      done: 'Archived',
      redirected: 'Redirected',
      refused: 'Refused',
      failed: 'Failed',
      held: 'Held by a setting',
    },
    line: (number: string) => `robots.txt, line ${number}`,
    canonical: 'canonical form',
    seePage: 'See the archived page',
    seeHost: 'See its host',
    seeFrom: 'Why the page it was found on?',
    seeTarget: 'Why its target?',
    addSeed: 'Add it as a seed',
  },
  pt: {
    title: 'Por quê?',
    intro: 'Cole qualquer URL: o que aconteceu com ela, qual regra decidiu e o que mudar.',
    url: 'URL',
    ask: 'Perguntar',
    answer: 'Resposta',
    states: {
      unknown: 'Desconhecida',
      waiting: 'À espera',
      leased: 'Em coleta agora',
      done: 'Arquivada',
      redirected: 'Redirecionada',
      refused: 'Recusada',
      failed: 'Falhou',
      held: 'Retida por uma configuração',
    },
    line: number => `robots.txt, linha ${number}`,
    canonical: 'forma canônica',
    seePage: 'Ver a página arquivada',
    seeHost: 'Ver seu host',
    seeFrom: 'Por que a página em que foi encontrada?',
    seeTarget: 'Por que seu destino?',
    addSeed: 'Adicionar como semente',
  },
})

/** As long as the server reads one. */
const LONGEST_URL = 70_000
const LONGEST_LINE = 4000
/** What is said large, above the rest. */
const LARGE: readonly string[] = ['state', 'why', 'advice']
const TONES: Readonly<Record<ExplainedUrl['history']['state'], string>> = {
  unknown: '',
  waiting: '',
  leased: '',
  done: 'good',
  redirected: '',
  refused: 'look',
  failed: 'bad',
  held: 'look',
}

export function WhyPage({ url, now }: { url: string; now: CrawlNow | undefined }) {
  const words = whyWords()
  const id = useId()
  const [text, setText] = useState(url)
  useEffect(() => setText(url), [url])
  const asked = useAnswer<ExplainedUrl>(url === '' ? undefined : withQuery('/api/explain', { url }))
  const submit = (event: Event): void => {
    event.preventDefault()
    const wanted = text.trim()
    if (wanted === url) asked.again()
    else go('/why', { url: wanted })
  }
  return (
    <div class="why">
      <Heading title={words.title}>{words.title}</Heading>
      <p class="faint">{words.intro}</p>
      <form class="ask" onSubmit={submit}>
        <label for={id} class="hidden">
          {words.url}
        </label>
        <input
          id={id}
          type="text"
          inputMode="url"
          required
          maxLength={LONGEST_URL}
          value={text}
          placeholder="https://example.org/page"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          data-search
          onInput={event => setText(event.currentTarget.value)}
        />
        <button type="submit" class="primary">
          {words.ask}
        </button>
      </form>
      <p class="hidden" role="status">
        {asked.answer === undefined || asked.isLoading ? '' : spokenAnswer(asked.answer)}
      </p>
      <Answered asked={asked}>
        {told => (
          <Answer told={told} canAdd={now !== undefined && (now.state === 'running' || now.state === 'paused')} />
        )}
      </Answered>
    </div>
  )
}

/** What is read out when an answer comes. */
function spokenAnswer({ history, lines }: ExplainedUrl): string {
  const because = textAbout(lines, 'why')
  return excerpt([whyWords().states[history.state], ...(because === undefined ? [] : [because])].join(': '), 600)
}

/** What is known about one URL: what became of it and why, large; then everything that `escalona explain` prints. */
function Answer({ told: { history, lines }, canAdd }: { told: ExplainedUrl; canAdd: boolean }) {
  const words = whyWords()
  const [isAdding, setAdding] = useState(false)
  const { robots } = history
  return (
    <section class="answer" aria-label={words.answer}>
      <p class={`verdict ${TONES[history.state]}`}>
        {words.states[history.state]}
        {history.reason === undefined ? null : (
          <code>
            <WebText text={history.reason} most={60} />
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
        {history.page === undefined ? null : (
          <To path="/page" query={{ url: history.url }}>
            {words.seePage}
          </To>
        )}
        {history.host === undefined ? null : (
          <To path="/host" query={{ name: hostName(history.url) }}>
            {words.seeHost}
          </To>
        )}
        {history.from === undefined ? null : (
          <To path="/why" query={{ url: history.from }}>
            {words.seeFrom}
          </To>
        )}
        {history.redirectsTo === undefined ? null : (
          <To path="/why" query={{ url: history.redirectsTo }}>
            {words.seeTarget}
          </To>
        )}
        {canAdd && history.state === 'unknown' ? (
          <button type="button" onClick={() => setAdding(true)}>
            {words.addSeed}
          </button>
        ) : null}
      </p>
      <dl class="fields history">
        <div>
          <dt>{words.canonical}</dt>
          <dd>
            <WholeUrl url={history.url} />
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
      {isAdding ? <SeedsDialog first={history.url} onClose={() => setAdding(false)} /> : null}
    </section>
  )
}

function textAbout(lines: ExplainedUrl['lines'], about: string): string | undefined {
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
