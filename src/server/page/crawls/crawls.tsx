import { catalogue } from '../../../base/words/language.ts'
import type { CrawlSummary, ListedCrawls } from '../../../view/questions/crawl-shapes.ts'
import { CRAWLS_PATH } from '../../page-paths.ts'
import { useAnswer } from '../parts/api.ts'
import { isoMoment, shownBytes, shownCount, shownMoment, shownRate } from '../parts/formats.ts'
import { Answered, Heading, numbers, TableHead } from '../parts/panel.tsx'
import { WebText } from '../parts/web-text.tsx'

const EVERY_MS = 2000

/** The crawls of a folder of crawls. Each opens as a page of its own: it has its own addresses and its own events. */
export function CrawlsPage() {
  const asked = useAnswer<ListedCrawls>('/api/crawls', EVERY_MS)
  const texts = crawlsWords()
  const { columns } = texts
  return (
    <>
      <header class="top">
        <div class="top-inner">
          <p class="brand">
            <img src="/icon.svg" alt="" width={24} height={24} />
            <b>Escalona</b>
          </p>
        </div>
      </header>
      <main id="content" tabIndex={-1}>
        <div class="page-head">
          <Heading title={texts.title}>{texts.title}</Heading>
        </div>
        <Answered asked={asked}>
          {({ items, isCut }) => (
            <>
              {isCut ? <p class="faint">{texts.isCut(shownCount(items.length))}</p> : null}
              {items.length === 0 ? <p class="empty">{texts.none}</p> : null}
              <div class="table-box">
                <table class="cards crawls" aria-label={texts.title}>
                  <TableHead
                    columns={[
                      columns.name,
                      columns.state,
                      numbers(columns.pages),
                      numbers(columns.rate),
                      numbers(columns.failed),
                      numbers(columns.disk),
                      numbers(columns.active),
                    ]}
                  />
                  <tbody>
                    {items.map(crawl => (
                      <Row key={crawl.name} crawl={crawl} />
                    ))}
                  </tbody>
                </table>
              </div>
            </>
          )}
        </Answered>
      </main>
    </>
  )
}

function Row({
  crawl: { name, state, pages, limit, pagesPerSecond, failed, diskBytes, activeAtMs },
}: {
  crawl: CrawlSummary
}) {
  const { columns, states } = crawlsWords()
  const isRunning = state === 'running' || state === 'paused' || state === 'stopping'
  return (
    <tr data-crawl={name}>
      <td class="name">
        <a href={`${CRAWLS_PATH}/${encodeURIComponent(name)}/`}>
          <WebText text={name} most={60} />
        </a>
      </td>
      <td data-label={columns.state}>
        <span class={`state ${state}`} data-state={state}>
          {states[state]}
        </span>
      </td>
      <td class="number" data-label={columns.pages}>
        {shownCount(pages)}
        {limit === undefined ? null : <span class="faint"> / {shownCount(limit)}</span>}
      </td>
      <td class="number" data-label={columns.rate}>
        {isRunning ? shownRate(pagesPerSecond) : '–'}
      </td>
      <td class={`number ${failed > 0 ? 'bad' : ''}`} data-label={columns.failed}>
        {shownCount(failed)}
      </td>
      <td class="number" data-label={columns.disk}>
        {diskBytes === undefined ? '…' : shownBytes(diskBytes)}
      </td>
      <td class="number" data-label={columns.active}>
        {activeAtMs === undefined ? '–' : <time dateTime={isoMoment(activeAtMs)}>{shownMoment(activeAtMs)}</time>}
      </td>
    </tr>
  )
}

const crawlsWords = catalogue({
  en: {
    title: 'Crawls',
    none: 'There is no crawl in this folder any more.',
    isCut: (count: string) => `Only the first ${count} folders are listed.`,
    columns: {
      name: 'Crawl',
      state: 'State',
      pages: 'Pages',
      rate: 'Pages per second',
      failed: 'Failures so far',
      disk: 'On disk',
      active: 'Last activity',
    },
    states: {
      running: 'Running',
      paused: 'Paused',
      stopping: 'Stopping',
      ended: 'Ended',
      killed: 'Killed',
      new: 'Not begun',
      unseen: 'In use elsewhere',
      unreadable: 'Unreadable',
    } as Record<CrawlSummary['state'], string>,
  },
  pt: {
    title: 'Coletas',
    none: 'Não há mais nenhuma coleta nesta pasta.',
    isCut: count => `Só as primeiras ${count} pastas aparecem.`,
    columns: {
      name: 'Coleta',
      state: 'Estado',
      pages: 'Páginas',
      rate: 'Páginas por segundo',
      failed: 'Falhas até agora',
      disk: 'Em disco',
      active: 'Última atividade',
    },
    states: {
      running: 'Rodando',
      paused: 'Em pausa',
      stopping: 'Parando',
      ended: 'Terminada',
      killed: 'Morta',
      new: 'Não começou',
      unseen: 'Em uso em outro lugar',
      unreadable: 'Ilegível',
    },
  },
})
