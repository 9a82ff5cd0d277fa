import { CRAWLS_PATH } from '../page-paths.ts'
import { CrawlsPage } from './crawls/crawls.tsx'
import { HostPage } from './hosts/host.tsx'
import { HostsPage } from './hosts/hosts.tsx'
import { LinksPage } from './links/links.tsx'
import { NowPage } from './now/now.tsx'
import { PagePage } from './pages/page.tsx'
import { PagesPage } from './pages/pages.tsx'
import { crawlPath } from './parts/crawl-path.ts'
import { folderOf } from './parts/formats.ts'
import { type Live, steerable, useLive } from './parts/live.ts'
import { Notices } from './parts/notices.tsx'
import { Heading } from './parts/panel.tsx'
import { type PageLocation, To, usePageLocation } from './parts/router.tsx'
import { Shortcuts } from './parts/shortcuts.tsx'
import { Steering } from './parts/steering.tsx'
import { WebText } from './parts/web-text.tsx'
import { words } from './parts/words.ts'
import { ChangesPage } from './read/changes.tsx'
import { ComparePage } from './read/compare.tsx'
import { VisitPage } from './read/visit.tsx'
import { SettingsPage } from './settings/settings.tsx'
import { WhyPage } from './why/why.tsx'

const TABS = [
  ['/', 'now', ['/']],
  ['/hosts', 'hosts', ['/hosts', '/host']],
  ['/links', 'links', ['/links']],
  ['/pages', 'pages', ['/pages', '/page', '/visit', '/compare', '/changes']],
  ['/why', 'why', ['/why']],
  ['/settings', 'settings', ['/settings']],
] as const

export function App() {
  const location = usePageLocation()
  const live = useLive()
  if (location.path === CRAWLS_PATH) return <CrawlsPage />
  const steered = steerable(live)
  return (
    <>
      <a class="skip" href="#content">
        {words().skip}
      </a>
      <header class="top">
        <div class="top-inner">
          <p class="brand">
            <img src="/icon.svg" alt="" width={24} height={24} />
            <b>Escalona</b>
            {crawlPath() === '' ? null : <a href={CRAWLS_PATH}>{words().allCrawls}</a>}
            {live.now === undefined ? null : (
              <span class="crawl-name">
                <WebText text={live.now.name} most={40} />
              </span>
            )}
            <State live={live} />
          </p>
          <nav aria-label={words().main}>
            {TABS.map(([path, name, paths]) => (
              <To
                key={path}
                path={path}
                aria-current={
                  location.path !== undefined && paths.some(one => one === location.path) ? 'page' : undefined
                }
              >
                {words().nav[name]}
              </To>
            ))}
          </nav>
          {steered === undefined ? null : <Steering now={steered} />}
        </div>
      </header>
      <main id="content" tabIndex={-1}>
        <Notices />
        <Banner live={live} />
        <Content location={location} live={live} />
      </main>
      <footer>
        <Shortcuts />
      </footer>
    </>
  )
}

/** Without the server, only that a crawl has ended is known for certain. */
function State({ live: { now, connection } }: { live: Live }) {
  const isLost = now?.state !== 'ended' && (connection === 'lost' || connection === 'denied')
  const state = isLost ? 'lost' : (now?.state ?? 'opening')
  return (
    <span class={`state ${state}`} data-testid="state" data-state={state}>
      <span class="hidden">{words().state}: </span>
      {words().states[state]}
    </span>
  )
}

function Content({ location: { path, query }, live }: { location: PageLocation; live: Live }) {
  switch (path) {
    case '/':
      return <NowPage live={live} />
    case '/hosts':
      return <HostsPage query={query} />
    case '/host':
      return <HostPage key={query.get('name')} name={query.get('name') ?? ''} now={steerable(live)} />
    case '/pages':
      return <PagesPage query={query} now={live.now} />
    case '/page':
      return <PagePage key={query.get('url')} url={query.get('url') ?? ''} />
    case '/links':
      return <LinksPage query={query} now={live.now} />
    case '/visit':
      return <VisitPage url={query.get('url') ?? ''} at={query.get('at') ?? ''} folder={folderOf(live.now)} />
    case '/changes':
      return <ChangesPage query={query} now={live.now} />
    case '/compare':
      return <ComparePage query={query} />
    case '/why':
      return <WhyPage url={query.get('url') ?? ''} now={steerable(live)} />
    case '/settings':
      return <SettingsPage live={live} />
    default:
      return <Heading title={words().notFound}>{words().notFound}</Heading>
  }
}

/** What keeps the page from being up to date, and what to run. */
function Banner({ live: { connection, now } }: { live: Live }) {
  const folder = folderOf(now)
  if (connection === 'denied') return <Warning text={words().denied} hint={words().deniedHint} />
  if (connection !== 'lost') return null
  if (now?.state !== 'ended') return <Warning text={words().lost} hint={words().lostHint(folder)} />
  return (
    <div class="notice" role="status">
      <p>
        {words().closed} <span class="command">{words().lostHint(folder)}</span>
      </p>
    </div>
  )
}

function Warning({ text, hint }: { text: string; hint: string }) {
  return (
    <div class="notice bad" role="alert">
      <p>
        {text} <span class="command">{hint}</span>
      </p>
    </div>
  )
}
