import type { PageLine } from '../../../archive/pages-file.ts'
import { OtherPages, usePageSearch } from '../pages/pages.tsx'
import { isoMoment, shownCount, shownVisit } from '../parts/formats.ts'
import { SearchField } from '../parts/pager.tsx'
import { Answered, Heading } from '../parts/panel.tsx'
import { To } from '../parts/router.tsx'
import { WebText, WebUrl } from '../parts/web-text.tsx'
import { readWords } from './read-words.ts'
import { stampOf } from './stamps.ts'

/** The way into the archive: a search, and the pages that it finds. */
export function ReadPage({ query }: { query: URLSearchParams }) {
  const search = usePageSearch('/read', query)
  const { q, asked } = search
  const text = readWords()
  return (
    <div class="reading">
      <div class="entrance">
        <Heading title={text.title}>{text.title}</Heading>
        <p class="faint">{text.lead}</p>
        <SearchField label={text.search} hint={text.searchHint} value={q} onSearch={q => search.to({ q })} />
        <p class="faint count" role="status">
          {asked.answer === undefined ? '' : text.total(shownCount(asked.answer.total), asked.answer.total === 1)}
        </p>
        <p class="links">
          <To path="/changes">{text.changes}</To>
        </p>
      </div>
      <Answered asked={asked}>
        {answer => (
          <>
            <Found pages={newestOfEach(answer.items)} none={q === '' ? text.none : text.noneFound} />
            <OtherPages search={search} answer={answer} />
          </>
        )}
      </Answered>
    </div>
  )
}

function Found({ pages, none }: { pages: readonly PageLine[]; none: string }) {
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
