// Makes a web: some hundred hosts with pages, robots.txt files and every oddity that a collector meets, all known in
// advance. The same options give the same web.
import { broken, nowhere } from './features/broken.mjs'
import { charsets, encodings } from './features/charsets.mjs'
import { contentTypes } from './features/content-types.mjs'
import { directives } from './features/directives.mjs'
import { linkShapes } from './features/link-shapes.mjs'
import { redirects } from './features/redirects.mjs'
import { addSitemap } from './features/sitemaps.mjs'
import { alwaysCut, alwaysError, alwaysReset, later, slow, statuses } from './features/statuses.mjs'
import { endless, traps } from './features/traps.mjs'
import { Random } from './random.mjs'
import { longCrawlDelay, ROBOTS_KINDS, robotsElsewhere, SLOW_ROBOTS, USUAL_ROBOTS } from './robots-kinds.mjs'
import { fullLink, pathLink, Site } from './site.mjs'

const ROBOTS_ELSEWHERE = 'robots elsewhere'
const FEATURES = {
  redirects,
  statuses,
  later,
  'always error': alwaysError,
  'always reset': alwaysReset,
  'always cut': alwaysCut,
  slow,
  types: contentTypes,
  charsets,
  encodings,
  directives,
  'link shapes': linkShapes,
  traps,
  broken,
  nowhere,
  [ROBOTS_ELSEWHERE]: robotsElsewhere,
}
/** Hosts with these lose time and would hold up those that share their address. */
const SLOW_FEATURES = ['statuses', 'later', 'slow', 'redirects', 'traps']
const DOMAINS = 'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu'.split(' ')
/** Ordinary hosts share addresses in groups of so many. */
const HOSTS_AN_ADDRESS = 3
/** A set of all oddities for each so many hosts. */
const HOSTS_A_ROUND = 150
const INSIDE = { name: 'inside.alpha.test', address: '192.168.7.7' }

export function makeWeb({
  seed = 1,
  hosts = 300,
  pagesAHost = 8,
  waitMs = 0,
  oddities = true,
  sitemaps = false,
  ...more
} = {}) {
  const random = new Random(seed)
  const plans = plansOf(hosts, oddities, more)
  const nextAddress = addresses()
  let shared = { address: '', left: 0 }
  const sites = plans.map((plan, n) => {
    if (!plan.isSlow && shared.left-- <= 0) shared = { address: nextAddress(), left: HOSTS_AN_ADDRESS - 1 }
    const name = `h${String(n).padStart(3, '0')}.${DOMAINS[n % DOMAINS.length]}.test`
    const site = new Site(name, plan.isSlow ? nextAddress() : shared.address, random)
    fill(site, plan, plan.pages ?? (plan.isSlow ? 2 : pagesAHost), waitMs)
    return site
  })
  const hubs = sites.filter(site => site.kind === 'plain')
  sites.forEach((site, n) => {
    const { feature } = plans[n]
    if (feature === 'endless') endless(site)
    else FEATURES[feature]?.(site, { elsewhere: random.pick(hubs), insideName: INSIDE.name })
  })
  connect(sites, hubs, random)
  if (sitemaps) sites.forEach(addSitemap)
  const names = new Map([...sites.map(site => [site.name, site.address]), [INSIDE.name, INSIDE.address]])
  return { seed, sites, seeds: hubs.slice(0, 3).map(hub => hub.place('/')), names }
}

/** What each host is to be: oddities first, so that no web is too small for one of each, then ordinary hosts. */
function plansOf(hosts, oddities, { endlessHosts = 0, patientHosts = 0 }) {
  const plans = []
  const rounds = oddities ? Math.max(1, Math.floor(hosts / HOSTS_A_ROUND)) : 0
  for (let round = 0; round < rounds; round++) {
    for (const robots of Object.keys(ROBOTS_KINDS)) {
      plans.push({ kind: `robots: ${robots}`, robots, isSlow: SLOW_ROBOTS.includes(robots) })
    }
    for (const feature of Object.keys(FEATURES)) {
      const isFailing = feature.startsWith('always')
      const robots = feature === ROBOTS_ELSEWHERE ? undefined : isFailing ? 'none' : 'path'
      const isSlow = isFailing || SLOW_FEATURES.includes(feature)
      plans.push({ kind: feature, robots, feature, isSlow, ...(isFailing && { pages: 1 }) })
    }
  }
  for (let n = 0; n < endlessHosts; n++)
    plans.push({ kind: 'endless', robots: 'none', feature: 'endless', isSlow: true })
  for (let n = 0; n < patientHosts; n++) plans.push({ kind: 'patient', robots: 'long-crawl-delay', isSlow: true })
  if (plans.length + 3 > hosts) throw new Error(`a web needs at least ${plans.length + 3} hosts`)
  while (plans.length < hosts) plans.push({ kind: 'plain', robots: USUAL_ROBOTS[plans.length % USUAL_ROBOTS.length] })
  return plans
}

function addresses() {
  let count = 0
  return () => `127.20.${Math.floor(count / 250)}.${(count++ % 250) + 1}`
}

/** Ordinary pages, each linked from an earlier one; an orphan that nothing links to; and the robots.txt. */
function fill(site, { kind, robots }, pages, waitMs) {
  const { random } = site
  site.kind = kind
  const paths = Array.from({ length: pages }, (_, n) => (n === 0 ? '/' : `/s${n % 3}/${n % 2 ? 'a/' : ''}p${n}.html`))
  for (const path of paths) site.page(path, waitMs > 0 ? { act: { waitMs } } : {})
  for (let n = 1; n < pages; n++) site.link(paths[random.below(n)], pathLink(site, paths[n]))
  for (let n = 0; n < pages; n++) site.link(random.pick(paths), pathLink(site, random.pick(paths)))
  site.page('/orphan.html', { kind: 'orphan' })
  site.ordinary = paths
  if (robots === 'long-crawl-delay') longCrawlDelay(site)
  else ROBOTS_KINDS[robots]?.(site)
}

/** Links between hosts: every host is linked from an earlier ordinary one, so all are reachable; and some more. */
function connect(sites, hubs, random) {
  const linkFrom = (site, place) => site.link(random.pick(site.ordinary), fullLink(place))
  sites.forEach(site => {
    const before = hubs.slice(0, Math.max(1, hubs.includes(site) ? hubs.indexOf(site) : hubs.length))
    linkFrom(random.pick(before), site.place('/'))
    for (let n = 0; n < 3; n++) {
      const other = random.pick(sites)
      linkFrom(site, other.place(random.pick(other.ordinary)))
    }
  })
}

export function pageAt(web, place) {
  const slash = place.indexOf('/')
  const site = web.sites.find(one => one.name === place.slice(0, slash))
  return site?.pages.get(place.slice(slash))
}

export function urlOf(place, port) {
  return `http://${place.replace('/', `:${port}/`)}`
}

/** The seeds, a line each; the first one twice, written differently. */
export function seedsFile(web, port) {
  const [first] = web.seeds
  const again = urlOf(first, port).replace('http:', 'HTTP:')
  return [...web.seeds.map(place => urlOf(place, port)), `${again}#again`, ''].join('\n')
}

/** Names and addresses, in the format of a hosts file. */
export function hostsFile(web) {
  return [...web.names].map(([name, address]) => `${address} ${name}\n`).join('')
}
