import type { PageLine } from '../../../archive/pages-file.ts'
import type { ListedPages } from '../../../view/questions/page-shapes.ts'
import { useAnswer, withQuery } from '../parts/api.ts'
import { isoMoment, shownBytes, shownCount, shownMoment } from '../parts/formats.ts'
import { Pager, SearchField } from '../parts/pager.tsx'
import { Answered, Heading } from '../parts/panel.tsx'
import { go, To } from '../parts/router.tsx'
import { WebText, WebUrl } from '../parts/web-text.tsx'
import { words } from '../parts/words.ts'
import { pageWords } from './page-words.ts'

const LIMIT = 50
const EVERY_MS = 3000

/** The archived pages, newest first, or those that a search finds. */
export function PagesPage({ query }: { query: URLSearchParams }) {
  const q = query.get('q') ?? ''
  const offset = Math.max(0, Math.floor(Number(query.get('offset') ?? 0)) || 0)
  const isLive = q === '' && offset === 0
  const asked = useAnswer<ListedPages>(
    withQuery('/api/pages', { q, offset, limit: LIMIT }),
    isLive ? EVERY_MS : undefined,
  )
  const text = pageWords()
  const to = (change: { q?: string; offset?: number }): void => {
    const next = { q, offset: 0, ...change }
    go('/pages', { q: next.q, offset: next.offset === 0 ? undefined : next.offset }, change.q !== undefined)
  }
  return (
    <>
      <div class="page-head">
        <Heading title={text.title}>{text.title}</Heading>
        <SearchField label={text.search} hint={text.searchHint} value={q} onSearch={q => to({ q })} />
        <p class="faint count" role="status">
          {asked.answer === undefined ? '' : text.total(shownCount(asked.answer.total))}
        </p>
      </div>
      <Answered asked={asked}>
        {({ items, total, nextOffset }) => (
          <>
            {items.length === 0 ? (
              <p class="empty">{q === '' ? text.none : text.noneFound}</p>
            ) : (
              <PageTable pages={items} />
            )}
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
    </>
  )
}

/** A search stops after a short time, or when it has found enough. */
function More({
  nextOffset,
  total,
  onGo,
}: {
  nextOffset: number | undefined
  total: number
  onGo: (offset: number) => void
}) {
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
      <thead>
        <tr>
          <th scope="col">{columns.time}</th>
          <th scope="col">{columns.page}</th>
          <th scope="col" class="number">
            {columns.status}
          </th>
          <th scope="col" class="number">
            {columns.size}
          </th>
          <th scope="col" class="number">
            {columns.links}
          </th>
          <th scope="col" class="number">
            {columns.hops}
          </th>
          <th scope="col">{columns.language}</th>
        </tr>
      </thead>
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
