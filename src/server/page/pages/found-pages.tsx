import { printable } from '../../../base/words/printable.ts'
import type { FoundPages } from '../../../view/questions/page-shapes.ts'
import { useAnswer, withQuery } from '../parts/api.ts'
import { isoMoment, shownCount, shownVisit } from '../parts/formats.ts'
import { Pager } from '../parts/pager.tsx'
import { Answered } from '../parts/panel.tsx'
import { go, To } from '../parts/router.tsx'
import { WebText, WebUrl } from '../parts/web-text.tsx'
import { stampOf } from '../read/stamps.ts'
import { pageWords } from './page-words.ts'

const FOUND = 10

/** Archived pages by their text, the best first. */
export function FoundByText({ q, offset }: { q: string; offset: number }) {
  const path = withQuery('/api/search', { q, offset, limit: FOUND })
  const asked = useAnswer<FoundPages>(path, undefined, ({ isIndexing }) => isIndexing)
  const text = pageWords()
  return (
    <Answered asked={asked}>
      {({ items, total, isEstimate, isCut, indexed, isIndexing }) => (
        <>
          <p class="faint count" role="status">
            {total === 0 ? '' : text.found(shownCount(total), total === 1, isEstimate)}
            {isIndexing ? ` ${text.indexing(shownCount(indexed))}` : ''}
            {isCut ? ` ${text.cutSearch}` : ''}
          </p>
          <Results none={isIndexing ? text.noneYet : text.noneFound} pages={items} />
          <Pager
            offset={offset}
            shown={items.length}
            total={Math.min(total, MOST_SHOWN)}
            limit={FOUND}
            names={[text.better, text.more]}
            onGo={offset => go('/pages', { q, offset: offset === 0 ? undefined : offset })}
          />
        </>
      )}
    </Answered>
  )
}

/** The server finds no more of one search. */
const MOST_SHOWN = 1000

function Results({ pages, none }: { pages: FoundPages['items']; none: string }) {
  const text = pageWords()
  if (pages.length === 0) return <p class="empty">{none}</p>
  return (
    <ol class="found" aria-label={text.results}>
      {pages.map(page => (
        <li key={page.url}>
          <To path="/visit" query={{ url: page.url, at: stampOf(page.dateMs) }}>
            {page.title === '' ? <i>{text.untitled}</i> : <WebText text={page.title} most={140} />}
          </To>
          <small class="faint where">
            <WebUrl url={page.url} most={160} />
          </small>
          <small class="faint when">
            <time dateTime={isoMoment(page.dateMs)}>{shownVisit(page.dateMs)}</time>
          </small>
          {page.snippet.length === 0 ? null : (
            <p class="snippet" dir="auto">
              {page.snippet.map((piece, at) =>
                piece.isMatch ? <mark key={at}>{printable(piece.text)}</mark> : printable(piece.text),
              )}
            </p>
          )}
        </li>
      ))}
    </ol>
  )
}
