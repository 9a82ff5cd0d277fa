import { HostPage } from './hosts/host.tsx'
import { HostsPage } from './hosts/hosts.tsx'
import { LinksPage } from './links/links.tsx'
import { NowPage } from './now/now.tsx'
import { PagePage } from './pages/page.tsx'
import { PagesPage } from './pages/pages.tsx'
import { folderOf } from './parts/formats.ts'
import { type Live, useLive } from './parts/live.ts'
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
          {live.now === undefined ? null : <Steering now={live.now} />}
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

function State({ live: { now, connection } }: { live: Live }) {
  const state = now?.state ?? 'opening'
  const isLost = connection === 'lost' || connection === 'denied'
  return (
    <span class={`state ${isLost ? 'lost' : state}`} data-testid="state" data-state={state}>
      <span class="hidden">{words().state}: </span>
      {now === undefined ? words().opening : words().states[now.state]}
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
      return <HostPage key={query.get('name')} name={query.get('name') ?? ''} now={live.now} />
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
      return <WhyPage url={query.get('url') ?? ''} now={live.now} />
    case '/settings':
      return <SettingsPage now={live.now} />
    default:
      return <Heading title={words().notFound}>{words().notFound}</Heading>
  }
}

/** What keeps the page from being up to date, and what to run. */
function Banner({ live: { connection, now } }: { live: Live }) {
  const folder = folderOf(now)
  if (connection === 'denied') return <Warning text={words().denied} hint={words().deniedHint} />
  if (connection === 'lost') return <Warning text={words().lost} hint={words().lostHint(folder)} />
  return null
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
