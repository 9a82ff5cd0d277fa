import { useEffect, useId, useState } from 'preact/hooks'
import { excerpt } from '../../../base/words/printable.ts'
import { withQuery } from '../api.ts'
import { Answered } from '../parts/answered.tsx'
import { Heading } from '../parts/heading.tsx'
import { go } from '../router.tsx'
import { useAnswer } from '../use-answer.ts'
import type { CrawlNow, Explained } from '../wire.ts'
import { Answer, textAbout } from './answer.tsx'
import { whyWords } from './why-words.ts'

/** As long as the server reads one. */
const LONGEST_URL = 70_000

/** The whole story of one URL. */
export function WhyPage({ url, now }: { url: string; now: CrawlNow | undefined }) {
  const words = whyWords()
  const id = useId()
  const [text, setText] = useState(url)
  useEffect(() => setText(url), [url])
  const asked = useAnswer<Explained>(url === '' ? undefined : withQuery('/api/explain', { url }))
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
function spokenAnswer({ story, lines }: Explained): string {
  const because = textAbout(lines, 'why')
  return excerpt([whyWords().states[story.state], ...(because === undefined ? [] : [because])].join(': '), 600)
}
