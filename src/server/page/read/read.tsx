import type { PageLine } from '../../../archive/pages-file.ts'
import type { ListedPages } from '../../../view/questions/page-shapes.ts'
import { More } from '../pages/pages.tsx'
import { useAnswer, withQuery } from '../parts/api.ts'
import { isoMoment, shownCount, shownVisit } from '../parts/formats.ts'
import { Pager, SearchField } from '../parts/pager.tsx'
import { Answered, Heading } from '../parts/panel.tsx'
import { go, To } from '../parts/router.tsx'
import { WebText, WebUrl } from '../parts/web-text.tsx'
import { words } from '../parts/words.ts'
import { readWords } from './read-words.ts'
import { stampOf } from './stamps.ts'

const LIMIT = 50

/** The way into the archive: a search, and the pages that it finds. */
export function ReadPage({ query }: { query: URLSearchParams }) {
  const q = query.get('q') ?? ''
  const offset = Math.max(0, Math.floor(Number(query.get('offset') ?? 0)) || 0)
  const asked = useAnswer<ListedPages>(withQuery('/api/pages', { q, offset, limit: LIMIT }))
  const text = readWords()
  const to = (change: { q?: string; offset?: number }): void => {
    const next = { q, offset: 0, ...change }
    go('/read', { q: next.q, offset: next.offset === 0 ? undefined : next.offset }, change.q !== undefined)
  }
  return (
    <div class="reading">
      <div class="entrance">
        <Heading title={text.title}>{text.title}</Heading>
        <p class="faint">{text.lead}</p>
        <SearchField label={text.search} hint={text.searchHint} value={q} onSearch={q => to({ q })} />
        <p class="faint count" role="status">
          {asked.answer === undefined ? '' : text.total(shownCount(asked.answer.total), asked.answer.total === 1)}
        </p>
      </div>
      <Answered asked={asked}>
        {({ items, total, nextOffset }) => (
          <>
            <Found pages={newestOfEach(items)} none={q === '' ? text.none : text.noneFound} />
            {q === '' ? (
              <Pager
                offset={offset}
                shown={items.length}
                total={total}
                limit={LIMIT}
                names={[words().newer, words().older]}
                onGo={offset => to({ offset })}
              />
            ) : (
              <More nextOffset={nextOffset} total={total} onGo={offset => to({ offset })} />
            )}
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
