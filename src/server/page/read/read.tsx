import type { PageLine } from '../../../archive/pages-file.ts'
import { printable } from '../../../base/words/printable.ts'
import type { FoundPages } from '../../../view/questions/page-shapes.ts'
import { OtherPages, offsetIn, usePageSearch } from '../pages/pages.tsx'
import { useAnswer, withQuery } from '../parts/api.ts'
import { isoMoment, shownCount, shownVisit } from '../parts/formats.ts'
import { Pager, SearchField } from '../parts/pager.tsx'
import { Answered, Heading } from '../parts/panel.tsx'
import { go, To } from '../parts/router.tsx'
import { WebText, WebUrl } from '../parts/web-text.tsx'
import { readWords } from './read-words.ts'
import { stampOf } from './stamps.ts'

const FOUND = 10

/** The way into the archive: a search, and the pages that it finds; without one, the newest pages. */
export function ReadPage({ query }: { query: URLSearchParams }) {
  const q = query.get('q') ?? ''
  const text = readWords()
  return (
    <div class="reading">
      <div class="entrance">
        <Heading title={text.title}>{text.title}</Heading>
        <p class="faint">{text.lead}</p>
        <SearchField label={text.search} hint={text.searchHint} value={q} onSearch={q => go('/read', { q }, true)} />
        <p class="faint search-help">{text.searchHelp}</p>
        <p class="links">
          <To path="/changes">{text.changes}</To>
        </p>
      </div>
      {q === '' ? <Newest query={query} /> : <FoundByText q={q} offset={offsetIn(query)} />}
    </div>
  )
}

function Newest({ query }: { query: URLSearchParams }) {
  const search = usePageSearch('/read', query)
  const text = readWords()
  return (
    <Answered asked={search.asked}>
      {answer => (
        <>
          <p class="faint count" role="status">
            {text.total(shownCount(answer.total), answer.total === 1)}
          </p>
          <Results none={text.none} pages={newestOfEach(answer.items)} />
          <OtherPages search={search} answer={answer} />
        </>
      )}
    </Answered>
  )
}

function FoundByText({ q, offset }: { q: string; offset: number }) {
  const path = withQuery('/api/search', { q, offset, limit: FOUND })
  const asked = useAnswer<FoundPages>(path, undefined, ({ isIndexing }) => isIndexing)
  const text = readWords()
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
            onGo={offset => go('/read', { q, offset: offset === 0 ? undefined : offset })}
          />
        </>
      )}
    </Answered>
  )
}

/** The server finds no more of one search. */
const MOST_SHOWN = 1000

type Listed = Pick<PageLine, 'url' | 'title' | 'dateMs'> & Partial<Pick<FoundPages['items'][number], 'snippet'>>

function Results({ pages, none }: { pages: readonly Listed[]; none: string }) {
  const text = readWords()
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
          {page.snippet === undefined || page.snippet.length === 0 ? null : (
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

/** A page that was visited several times is listed once; they come newest first. */
function newestOfEach(pages: readonly PageLine[]): PageLine[] {
  const seen = new Set<string>()
  return pages.filter(({ url }) => !seen.has(url) && seen.add(url))
}
