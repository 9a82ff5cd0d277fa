import type { PageLine } from '../../../archive/pages-file.ts'
import type { CrawlNow } from '../../../view/questions/crawl-shapes.ts'
import type { ListedPages } from '../../../view/questions/page-shapes.ts'
import { useAnswer, withQuery } from '../parts/api.ts'
import { isoMoment, shownBytes, shownCount, shownMoment } from '../parts/formats.ts'
import { offsetIn, Pager, SearchField } from '../parts/pager.tsx'
import { Answered, Heading, numbers, TableHead } from '../parts/panel.tsx'
import { go, To } from '../parts/router.tsx'
import { WebText, WebUrl } from '../parts/web-text.tsx'
import { words } from '../parts/words.ts'
import { stampOf } from '../read/stamps.ts'
import { FoundByText } from './found-pages.tsx'
import { pageWords } from './page-words.ts'

const LIMIT = 50
const EVERY_MS = 3000

/** The archived pages: the newest, as they come, or those whose text a search finds. Each opens as it was archived. */
export function PagesPage({ query, now }: { query: URLSearchParams; now: CrawlNow | undefined }) {
  const q = query.get('q') ?? ''
  const text = pageWords()
  return (
    <>
      <div class="entrance">
        <Heading title={text.title}>{text.title}</Heading>
        <p class="faint">{text.lead}</p>
        <SearchField label={text.search} hint={text.searchHint} value={q} onSearch={q => go('/pages', { q }, true)} />
        <p class="faint search-help">{text.searchHelp}</p>
        <p class="links">
          <To path="/changes">{text.changes}</To>
        </p>
      </div>
      {q === '' ? <Newest offset={offsetIn(query)} now={now} /> : <FoundByText q={q} offset={offsetIn(query)} />}
    </>
  )
}

function Newest({ offset, now }: { offset: number; now: CrawlNow | undefined }) {
  const isLive = offset === 0 && now?.state !== 'ended'
  const asked = useAnswer<ListedPages>(withQuery('/api/pages', { offset, limit: LIMIT }), isLive ? EVERY_MS : undefined)
  return (
    <Answered asked={asked}>
      {({ items, total }) => (
        <>
          <p class="faint count">{total === 0 ? '' : pageWords().total(shownCount(total), total === 1)}</p>
          {items.length === 0 ? <p class="empty">{pageWords().none}</p> : <PageTable pages={items} />}
          <Pager
            offset={offset}
            shown={items.length}
            total={total}
            limit={LIMIT}
            names={[words().newer, words().older]}
            onGo={offset => go('/pages', { offset: offset === 0 ? undefined : offset })}
          />
        </>
      )}
    </Answered>
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
              <To path="/visit" query={{ url: page.url, at: stampOf(page.dateMs) }}>
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
