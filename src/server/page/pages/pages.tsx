import type { PageLine } from '../../../archive/pages-file.ts'
import type { ListedPages } from '../../../view/questions/page-shapes.ts'
import { useAnswer, withQuery } from '../parts/api.ts'
import { isoMoment, shownBytes, shownCount, shownMoment } from '../parts/formats.ts'
import { Pager, SearchField } from '../parts/pager.tsx'
import { Answered, Heading, numbers, TableHead } from '../parts/panel.tsx'
import { go, To } from '../parts/router.tsx'
import { WebText, WebUrl } from '../parts/web-text.tsx'
import { words } from '../parts/words.ts'
import { pageWords } from './page-words.ts'

const LIMIT = 50
const EVERY_MS = 3000

/** The archived pages, newest first, or those that a search finds. */
export function PagesPage({ query }: { query: URLSearchParams }) {
  const search = usePageSearch('/pages', query, EVERY_MS)
  const { q, asked } = search
  const text = pageWords()
  return (
    <>
      <div class="page-head">
        <Heading title={text.title}>{text.title}</Heading>
        <SearchField label={text.search} hint={text.searchHint} value={q} onSearch={q => search.to({ q })} />
        <p class="faint count" role="status">
          {asked.answer === undefined ? '' : text.total(shownCount(asked.answer.total))}
        </p>
      </div>
      <Answered asked={asked}>
        {answer => (
          <>
            {answer.items.length === 0 ? (
              <p class="empty">{q === '' ? text.none : text.noneFound}</p>
            ) : (
              <PageTable pages={answer.items} />
            )}
            <OtherPages search={search} answer={answer} />
          </>
        )}
      </Answered>
    </>
  )
}

/** How many an address asks to skip. */
export function offsetIn(query: URLSearchParams): number {
  return Math.max(0, Math.floor(Number(query.get('offset') ?? 0)) || 0)
}

type PageSearch = ReturnType<typeof usePageSearch>

/** The pages that an address asks for, and the way to others. `everyMs`: the newest ones are asked for again. */
export function usePageSearch(path: '/pages' | '/read', query: URLSearchParams, everyMs?: number) {
  const q = query.get('q') ?? ''
  const offset = offsetIn(query)
  const isLive = q === '' && offset === 0
  const address = withQuery('/api/pages', { q, offset, limit: LIMIT })
  const asked = useAnswer<ListedPages>(address, isLive ? everyMs : undefined)
  const to = (change: { q?: string; offset?: number }): void => {
    const next = { q, offset: 0, ...change }
    go(path, { q: next.q, offset: next.offset === 0 ? undefined : next.offset }, change.q !== undefined)
  }
  return { q, offset, asked, to }
}

/** A search stops after a short time, or when it has found enough. */
export function OtherPages({ search: { q, offset, to }, answer }: { search: PageSearch; answer: ListedPages }) {
  const { items, total, nextOffset } = answer
  const onGo = (offset: number): void => to({ offset })
  const names = [words().newer, words().older] as const
  if (q === '')
    return <Pager offset={offset} shown={items.length} total={total} limit={LIMIT} names={names} onGo={onGo} />
  if (nextOffset === undefined) return null
  return (
    <div class="pager">
      <span class="faint">{pageWords().partly(shownCount(nextOffset), shownCount(total))}</span>
      <button type="button" onClick={() => onGo(nextOffset)}>
        {words().searchMore}
      </button>
    </div>
  )
}

function PageTable({ pages }: { pages: readonly PageLine[] }) {
  const { columns, title, untitled } = pageWords()
  return (
    <table class="cards pages" aria-label={title}>
      <TableHead
        columns={[
          columns.time,
          columns.page,
          ...[columns.status, columns.size, columns.links, columns.hops].map(numbers),
          columns.language,
        ]}
      />
      <tbody>
        {pages.map(page => (
          <tr key={`${page.file} ${page.offset}`}>
            <td class="faint time" data-label={columns.time}>
              <time dateTime={isoMoment(page.dateMs)}>{shownMoment(page.dateMs)}</time>
            </td>
            <td class="name">
              <To path="/page" query={{ url: page.url }}>
                {page.title === '' ? <i>{untitled}</i> : <WebText text={page.title} most={120} />}
              </To>
              <small class="faint">
                <WebUrl url={page.url} most={140} />
              </small>
            </td>
            <td class="number" data-label={columns.status}>
              {page.status}
            </td>
            <td class="number" data-label={columns.size}>
              {shownBytes(page.bytes)}
            </td>
            <td class="number" data-label={columns.links}>
              {shownCount(page.linksOut)}
            </td>
            <td class="number" data-label={columns.hops}>
              {shownCount(page.hops)}
            </td>
            <td data-label={columns.language}>
              {page.language === undefined ? '–' : <WebText text={page.language} most={12} />}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
