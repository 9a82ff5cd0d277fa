import type { PageLine } from '../../../archive/pages-file.ts'
import type { ListedPages } from '../../../view/questions/page-shapes.ts'
import { useAnswer, withQuery } from '../parts/api.ts'
import { folderOf, isoMoment, shownVisit } from '../parts/formats.ts'
import { Answered, Heading } from '../parts/panel.tsx'
import { To } from '../parts/router.tsx'
import { WebText, WebUrl } from '../parts/web-text.tsx'
import { words } from '../parts/words.ts'
import { readWords } from './read-words.ts'
import { stampOf } from './stamps.ts'

/** Visits again that found a change, newest first; each leads to the comparison with the visit before. */
export function ChangesPage({ query, now }: { query: URLSearchParams; now: Parameters<typeof folderOf>[0] }) {
  const offset = Number(query.get('offset') ?? 0) || 0
  const asked = useAnswer<ListedPages>(withQuery('/api/changes', { offset }))
  const text = readWords()
  return (
    <div class="reading">
      <p class="back">
        <To path="/pages">← {text.all}</To>
      </p>
      <Heading title={text.changes}>{text.changes}</Heading>
      <p class="faint">{text.changesLead}</p>
      <Answered asked={asked}>
        {({ items, nextOffset }) => (
          <>
            {items.length > 0 || offset > 0 || nextOffset !== undefined ? (
              <ol class="found" aria-label={text.changes}>
                {items.map(page => (
                  <ChangedPage key={`${page.file} ${page.offset}`} page={page} />
                ))}
              </ol>
            ) : (
              <>
                <p class="empty">{text.noChanges}</p>
                <p>
                  <code class="command">escalona resume {folderOf(now)} --recrawl now</code>
                </p>
              </>
            )}
            {nextOffset === undefined ? null : (
              <p>
                <To path="/changes" query={{ offset: String(nextOffset) }}>
                  {words().older}
                </To>
              </p>
            )}
          </>
        )}
      </Answered>
    </div>
  )
}

function ChangedPage({ page: { url, title, dateMs, change } }: { page: PageLine }) {
  const text = readWords()
  const at = stampOf(dateMs)
  return (
    <li>
      <To path="/compare" query={{ url, to: at }}>
        {title === '' ? <i>{text.untitled}</i> : <WebText text={title} most={140} />}
      </To>
      <small class="faint where">
        <WebUrl url={url} most={160} />
      </small>
      <small class="faint when">
        {change === 'gone' ? `${text.gone}, ` : ''}
        <time dateTime={isoMoment(dateMs)}>{shownVisit(dateMs)}</time>
      </small>
    </li>
  )
}
