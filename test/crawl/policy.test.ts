import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import type { Decision } from '../../src/decide/decision.ts'
import { EarlierPages } from '../../src/decide/earlier-pages.ts'
import type { FilterLink } from '../../src/decide/filtered-links.ts'
import { type Answer, type FetchResult, packLinks } from '../../src/decide/job.ts'
import { readNote, writeNote } from '../../src/decide/link-note.ts'
import { LinkRanks } from '../../src/decide/link-rank.ts'
import { Novelty } from '../../src/decide/novelty.ts'
import { Policy } from '../../src/decide/policy.ts'
import { RevisitPlan } from '../../src/decide/revisit-plan.ts'
import { RobotsGate } from '../../src/decide/robots-gate.ts'
import { SitemapBook } from '../../src/decide/sitemap-book.ts'
import type { Link, Settlement, Ticket } from '../../src/frontier/frontier.ts'
import { compileRobots } from '../../src/robots/robots.ts'
import { HostBook } from '../../src/settings/host-settings.ts'
import { LinkRules } from '../../src/settings/link-rules.ts'
import { type CrawlSettings, settingsWith } from '../../src/settings/settings.ts'

const NOW_MS = 1_000_000
const SEED = 'http://a.com/'
const TICKET: Ticket = {
  id: 7,
  url: 'http://a.com/x',
  host: 'a.com',
  kind: 'page',
  rank: 1,
  hops: 2,
  attempt: 1,
  leaseMs: 60_000,
  server: undefined,
  hostPages: 0,
  isProven: true,
}
const ROBOTS: Ticket = {
  ...TICKET,
  url: 'http://a.com/robots.txt',
  kind: 'robots',
  note: writeNote({ robotsOf: 'http://a.com' }),
}
const RECORDS = {
  bytes: new Uint8Array(9),
  kind: 'response' as const,
  responseBytes: 5,
  isPage: true,
  recordId: 'urn:uuid:1',
  date: '',
  cdx: '',
  payloadDigest: '',
}
const FACTS = { title: 'T', opening: 'one two', bytes: 20, tokens: 2, linksOut: 1, validators: {}, isWhole: true }
const LINK = { url: 'http://b.com/', pathDepth: 0 }

function answer(more: Partial<Answer> = {}): Answer {
  return { status: 200, sentAtMs: 5, tookMs: 30, wireBytes: 10, retryAfterMs: undefined, records: RECORDS, ...more }
}

function page(more: Partial<FetchResult & { kind: 'page' }> = {}): FetchResult {
  return {
    kind: 'page',
    answer: answer(),
    keep: 'yes',
    page: FACTS,
    links: packLinks([LINK]),
    refusedLinks: {},
    ...more,
  }
}

function redirect(url: string): FetchResult {
  const links = packLinks([{ url, pathDepth: 1 }])
  return { kind: 'redirect', answer: answer({ status: 301 }), links, refusedLinks: {} }
}

function robots(text: string, more: Partial<Answer> = {}, location?: string): FetchResult {
  const rules = compileRobots(Buffer.from(text), 'escalona')
  return { kind: 'robots', answer: answer(more), rules, location }
}

function silence(why: 'timeout' | 'connect' = 'timeout'): FetchResult {
  return { kind: 'failed', why, isSilent: true }
}

interface Deps {
  readonly rules: LinkRules
  readonly policy: Policy
  readonly gate: RobotsGate
  readonly sitemaps: SitemapBook
}

function deps(filterLink?: FilterLink, own: Partial<CrawlSettings> = {}, heldRoom = Infinity): Deps {
  const gate = new RobotsGate({ noted: async () => undefined })
  const settings = settingsWith(own, 2, '1.0')
  const { scope, include, exclude, maxDepth } = settings
  const rules = new LinkRules(
    { scope, include, exclude, maxDepth, loops: 'no', follow: 'links', nearDuplicates: 'hold', seeds: [SEED] },
    host => host,
  )
  const held = { take: () => heldRoom-- > 0 }
  const sitemaps = new SitemapBook({ noted: async () => undefined })
  return {
    gate,
    rules,
    sitemaps,
    policy: new Policy({
      settings,
      hosts: new HostBook(settings),
      gate,
      sitemaps,
      earlier: new EarlierPages(),
      novelty: new Novelty(),
      rules,
      held,
      ranks: new LinkRanks(settings),
      plan: own.recrawl === undefined ? undefined : new RevisitPlan(settings),
      filterLink,
      filterWaiting: filterLink,
    }),
  }
}

function after(ticket: Ticket, result: FetchResult, { policy } = deps()): Decision {
  return policy.after(ticket, result, NOW_MS)
}

/** What becomes of a ticket, and learned as the committer does. */
function committed(ticket: Ticket, result: FetchResult, all: Deps): Decision {
  const decision = after(ticket, result, all)
  if (decision.entry.robots !== undefined) all.gate.learn(decision.entry.robots)
  return decision
}

function closingOf({ entry }: Decision): Omit<Settlement, 'links'> {
  assert.ok('outcome' in entry.settlement)
  return entry.settlement
}

function linksOf({ entry }: Decision): Link[] {
  return [...(entry.links ?? [])].flat()
}

/** Without the keys that have no value. */
function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

/** What happened besides the answer. */
function events({ events }: Decision): unknown[] {
  return events.filter(
    one => one.kind !== 'answered' && (one.kind !== 'links refused' || Object.keys(one.counts).length > 0),
  )
}

test('policy: a page that is the same may have new links; they are offered', () => {
  const again = { visitedAtMs: 1, isHinted: false }
  for (const same of ['text', 'payload', 'nothing'] as const) {
    const decision = after({ ...TICKET, again }, page({ same }))
    assert.equal(decision.entry.page!.change, same === 'nothing' ? 'changed' : 'same')
    assert.deepEqual(
      linksOf(decision).map(({ url }) => url),
      [LINK.url],
    )
  }
})

test('rule 5.11: a page is archived and settled with its links, which are one link farther from the seed', () => {
  const decision = after(TICKET, page())
  assert.equal(decision.entry.records, RECORDS)
  const { url } = TICKET
  const line = { url, status: 200, title: 'T', bytes: 20, tokens: 2, hops: 2, linksOut: 1, dateMs: 5 }
  assert.deepEqual(asJson(decision.entry.page), { ...line, change: 'new', digest: '' })
  assert.equal(decision.entry.opening, 'one two')
  assert.deepEqual(linksOf(decision), [{ url: LINK.url, rank: 1, hops: 3, note: writeNote({ from: url }) }])
  const outcome = { kind: 'done', isPage: true }
  assert.deepEqual(closingOf(decision), { ticketId: 7, outcome, shown: 'answer', delayMs: 1000 })
  assert.deepEqual(asJson(decision.events[0]), { kind: 'answered', url, status: 200, wireBytes: 10, tookMs: 30 })
  assert.deepEqual(events(decision), [])
})

test('ours: the links of a page are read in batches, each when it is asked for', () => {
  const many = Array.from({ length: 2500 }, (_, n) => ({ url: `http://b.com/${n}`, pathDepth: 1 }))
  const decision = after(TICKET, page({ links: packLinks(many) }))
  const sizes = [...decision.entry.links!].map(batch => batch.length)
  assert.deepEqual(sizes, [1000, 1000, 500])
  assert.deepEqual(
    linksOf(decision).map(({ url, rank }) => ({ url, pathDepth: rank - 1 })),
    many,
  )
})

test('rule 5.10: noindex and noarchive: not archived, links still followed', () => {
  for (const keep of ['noindex', 'noarchive'] as const) {
    const decision = after(TICKET, page({ keep, answer: answer({ records: undefined }) }))
    assert.equal(decision.entry.records, undefined)
    assert.equal(decision.entry.page, undefined)
    assert.equal(linksOf(decision).length, 1)
    assert.deepEqual(closingOf(decision).outcome, { kind: 'refused', reason: keep })
    assert.deepEqual(events(decision), [{ kind: 'refused', url: TICKET.url, reason: keep }])
  }
})

test('rule 5.2: a redirect is archived, is no page, and offers its target as near to the seed as itself', () => {
  const decision = after(TICKET, redirect('http://b.com/y'))
  assert.equal(decision.entry.records, RECORDS)
  assert.equal(decision.entry.page, undefined)
  const [target] = linksOf(decision)
  assert.deepEqual(
    [target!.url, target!.hops, readNote(target!.note)],
    ['http://b.com/y', 2, { from: TICKET.url, redirects: 1 }],
  )
  assert.deepEqual(closingOf(decision).outcome, { kind: 'done', isPage: false })
  assert.deepEqual(events(decision), [{ kind: 'redirected', url: TICKET.url, to: 'http://b.com/y' }])
})

test('rule 5.8: ten redirects are followed, and the eleventh is counted by its name', () => {
  let ticket = TICKET
  for (let n = 1; n <= 11; n++) {
    const decision = after(ticket, redirect(`http://a.com/${n}`))
    const [target] = linksOf(decision)
    assert.equal(target !== undefined, n <= 10, `redirect ${n}`)
    if (target !== undefined) ticket = { ...TICKET, url: target.url, note: target.note! }
    else
      assert.deepEqual(events(decision)[1], {
        kind: 'links refused',
        url: ticket.url,
        counts: { 'too-many-redirects': 1 },
      })
  }
})

test('rule 5.7: a failed request is made again three times, then given up with its reason; its host is said to be silent', () => {
  for (const attempt of [1, 2, 3]) {
    const decision = after({ ...TICKET, attempt }, silence())
    assert.deepEqual(closingOf(decision), { ticketId: 7, outcome: { kind: 'again' }, shown: 'silence', delayMs: 1000 })
    assert.deepEqual(events(decision), [{ kind: 'again', url: TICKET.url, why: 'timeout' }])
  }
  const last = after({ ...TICKET, attempt: 4 }, silence())
  assert.deepEqual(closingOf(last).outcome, { kind: 'refused', reason: 'timeout' })
  assert.deepEqual(events(last), [{ kind: 'failed', url: TICKET.url, why: 'timeout' }])
})

test('ours: an answer that broke off is the page’s own trouble: its host is there', () => {
  const decision = after({ ...TICKET, attempt: 2 }, { kind: 'failed', why: 'length', isSilent: false })
  assert.equal(closingOf(decision).shown, 'answer')
  assert.equal(closingOf(decision).delayMs, 5000)
})

test('ours: a failure that would only come again is given up at once', () => {
  const decision = after(TICKET, { kind: 'failed', why: 'tls', isSilent: false })
  assert.deepEqual(closingOf(decision).outcome, { kind: 'refused', reason: 'tls' })
  assert.equal(closingOf(decision).delayMs, 1000)
})

test('rule 5.7: 429, 502, 503 and 504 are trouble, and Retry-After makes the pause longer', () => {
  for (const status of [429, 502, 503, 504]) {
    const decision = after(TICKET, { kind: 'other', answer: answer({ status, retryAfterMs: 7000 }) })
    const { shown, delayMs, outcome } = closingOf(decision)
    assert.deepEqual({ shown, delayMs, outcome }, { shown: 'trouble', delayMs: 7000, outcome: { kind: 'again' } })
  }
})

test('ours: a 500 is the page’s trouble: the host has answered, and the page is tried again after 1, 5 and 25 s', () => {
  for (const [n, pauseMs] of [1000, 5000, 25_000].entries()) {
    const decision = after({ ...TICKET, attempt: n + 1 }, { kind: 'other', answer: answer({ status: 500 }) })
    const { shown, delayMs, outcome } = closingOf(decision)
    assert.deepEqual({ shown, delayMs, outcome }, { shown: 'answer', delayMs: pauseMs, outcome: { kind: 'again' } })
  }
  const last = after({ ...TICKET, attempt: 4 }, { kind: 'other', answer: answer({ status: 500 }) })
  assert.deepEqual(closingOf(last).outcome, { kind: 'refused', reason: 'status-500' })
  assert.equal(closingOf(last).delayMs, 1000)
})

test('ours: other statuses and types are refused by name', () => {
  for (const [status, reason] of [
    [404, 'status-404'],
    [200, 'type'],
    [304, 'not-modified'],
  ] as const) {
    const decision = after(TICKET, { kind: 'other', answer: answer({ status }) })
    assert.deepEqual(closingOf(decision).outcome, { kind: 'refused', reason })
    assert.equal(closingOf(decision).shown, 'answer')
  }
})

test('rule 5.4: a host that answers slowly is asked more rarely', () => {
  assert.equal(closingOf(after(TICKET, page({ answer: answer({ tookMs: 4000 }) }))).delayMs, 4000)
})

test('ours: what was refused without a request leaves the host its time', () => {
  const decision = after(TICKET, { kind: 'forbidden address' })
  assert.equal(closingOf(decision).shown, undefined)
  assert.deepEqual(closingOf(decision).outcome, { kind: 'refused', reason: 'address' })
})

test('ours: a URL that can’t be asked for is refused by name', () => {
  assert.deepEqual(closingOf(after(TICKET, { kind: 'bad url' })).outcome, { kind: 'refused', reason: 'malformed' })
  assert.equal(closingOf(after(ROBOTS, { kind: 'bad url' })).shown, 'gone')
})

test('ours: a visit that was not made gives its ticket back, and nothing happened', () => {
  for (const result of [{ kind: 'not asked' }, { kind: 'lost', isCulprit: false }] as const) {
    for (const ticket of [TICKET, ROBOTS]) {
      assert.deepEqual(after(ticket, result), { entry: { settlement: { giveBack: 7 } }, events: [] })
    }
  }
})

test('ours: a visit that was abandoned gives its ticket back, and its host, which may have been asked, keeps its delay', async () => {
  const abandoned = { kind: 'abandoned' } as const
  assert.deepEqual(after(TICKET, abandoned), {
    entry: { records: undefined, block: { host: 'a.com', ms: 1000 }, settlement: { giveBack: 7 } },
    events: [],
  })
  const known = deps()
  known.gate.learn({
    origin: 'http://a.com',
    rules: compileRobots(Buffer.from('User-agent: *\nCrawl-delay: 9'), 'escalona'),
    atMs: NOW_MS,
  })
  assert.deepEqual(after(TICKET, abandoned, known).entry.block, { host: 'a.com', ms: 9000 })
})

test('ours: a page that ended its thread alone is refused by name', () => {
  const decision = after(TICKET, { kind: 'lost', isCulprit: true })
  assert.deepEqual(closingOf(decision).outcome, { kind: 'refused', reason: 'worker-died' })
})

test('ours: a host that does not exist is gone with all that waits there', () => {
  for (const ticket of [TICKET, ROBOTS]) {
    const decision = after(ticket, { kind: 'no such host' })
    assert.equal(closingOf(decision).shown, 'gone')
    assert.deepEqual(closingOf(decision).outcome, { kind: 'refused', reason: 'dns' })
  }
})

test('rule 5.4: before a page comes its robots.txt: it is offered as a link of its own, and the page keeps its place', async () => {
  const plan = await deps().policy.before(TICKET, NOW_MS)
  assert.ok(plan.kind === 'close')
  assert.deepEqual(plan.decision.entry.settlement, { giveBack: 7 })
  const [link] = linksOf(plan.decision)
  assert.deepEqual(link, { url: 'http://a.com/robots.txt', kind: 'robots', rank: 0, hops: 0, note: ROBOTS.note })
  assert.deepEqual(await deps().policy.before(ROBOTS, NOW_MS), { kind: 'ask', wanted: 'robots' })
})

test('rule 5.4: robots.txt is read once, kept for a day, noted for others, and its Crawl-delay holds from then on', async () => {
  const all = deps()
  const result = robots('User-agent: *\nCrawl-delay: 2\nDisallow: /no')
  const decision = committed(ROBOTS, result, all)
  assert.equal(decision.entry.records, RECORDS)
  assert.deepEqual(decision.entry.delay, { host: 'a.com', ms: 2000 })
  assert.equal(closingOf(decision).delayMs, 2000)
  const { key, host, forMs, bytes } = decision.entry.note!
  assert.deepEqual({ key, host, forMs }, { key: 'robots http', host: 'a.com', forMs: 24 * 3_600_000 })
  assert.equal(bytes, (result as { rules: Uint8Array }).rules)
  assert.deepEqual(events(decision), [{ kind: 'crawl-delay', host: 'a.com', ms: 2000 }])
  assert.deepEqual(await all.policy.before(TICKET, NOW_MS), { kind: 'ask', wanted: 'html' })
  const plan = await all.policy.before({ ...TICKET, url: 'http://a.com/no/x' }, NOW_MS)
  assert.ok(plan.kind === 'close')
  assert.deepEqual(closingOf(plan.decision).outcome, { kind: 'refused', reason: 'robots' })
  assert.equal(closingOf(plan.decision).shown, undefined)
  assert.deepEqual(plan.decision.events, [{ kind: 'refused', url: 'http://a.com/no/x', reason: 'robots', line: 3 }])
})

test('RFC 9309 2.3.1.3: a robots.txt that does not exist allows everything', async () => {
  const all = deps()
  committed(ROBOTS, robots('', { status: 404 }), all)
  assert.deepEqual(await all.policy.before(TICKET, NOW_MS), { kind: 'ask', wanted: 'html' })
})

test('RFC 9309 2.3.1.4: a robots.txt that can’t be had allows nothing for now, and refuses nothing: its host rests', async () => {
  const failures: readonly (readonly [FetchResult, string, string])[] = [
    [silence('connect'), 'robots-connect', 'silence'],
    [robots('', { status: 503 }), 'robots-status-503', 'trouble'],
    [robots('', { status: 500 }), 'robots-status-500', 'trouble'],
  ]
  for (const [result, why, shown] of failures) {
    const all = deps()
    for (const attempt of [1, 2, 3, 4]) {
      const decision = committed({ ...ROBOTS, attempt }, result, all)
      assert.equal(closingOf(decision).shown, shown)
      assert.deepEqual(events(decision), [{ kind: attempt < 4 ? 'again' : 'failed', url: ROBOTS.url, why }])
      const outcome = attempt < 4 ? { kind: 'again' } : { kind: 'refused', reason: why }
      assert.deepEqual(closingOf(decision).outcome, outcome)
    }
    // The next page asks for it anew.
    const plan = await all.policy.before(TICKET, NOW_MS)
    assert.ok(plan.kind === 'close' && 'giveBack' in plan.decision.entry.settlement)
  }
})

test('RFC 9309 2.3.1.2: a robots.txt at another host becomes a link there, and its rules hold for the host that it is of', async () => {
  const all = deps()
  const decision = committed(ROBOTS, robots('', { status: 301 }, 'http://c.com/rules'), all)
  const [link] = linksOf(decision)
  assert.equal(link!.url, 'http://c.com/rules')
  assert.equal(link!.kind, 'robots')
  // Meanwhile pages wait, and are not asked for.
  const waits = await all.policy.before(TICKET, NOW_MS)
  assert.ok(waits.kind === 'close')
  assert.deepEqual(waits.decision.entry, { block: { host: 'a.com', ms: 1000 }, settlement: { giveBack: 7 } })
  const there: Ticket = { ...ROBOTS, url: link!.url, host: 'c.com', note: link!.note! }
  const told = committed(there, robots('User-agent: *\nCrawl-delay: 3\nDisallow: /x'), all)
  assert.deepEqual(closingOf(told).outcome, { kind: 'done', isPage: false })
  assert.equal(closingOf(told).delayMs, 1000)
  assert.deepEqual(told.entry.delay, { host: 'a.com', ms: 3000 })
  const shut = await all.policy.before(TICKET, NOW_MS)
  assert.ok(shut.kind === 'close' && shut.decision.events[0]?.kind === 'refused')
})

test('RFC 9309 2.3.1.2: after five redirects it is as if there were no robots.txt', async () => {
  const all = deps()
  let ticket = ROBOTS
  for (let n = 1; n <= 5; n++) {
    const [link] = linksOf(committed(ticket, robots('', { status: 302 }, `/r${n}`), all))
    ticket = { ...ROBOTS, url: link!.url, note: link!.note! }
  }
  assert.deepEqual(linksOf(committed(ticket, robots('', { status: 302 }, '/r6'), all)), [])
  assert.deepEqual(await all.policy.before(TICKET, NOW_MS), { kind: 'ask', wanted: 'html' })
})

test('RFC 9309 2.3.1.4: a certificate fault of robots.txt is final: pages of its origin end by it, each at its turn', async () => {
  const all = deps()
  const secure: Ticket = { ...ROBOTS, url: 'https://a.com/robots.txt', note: writeNote({ robotsOf: 'https://a.com' }) }
  const decision = committed(secure, { kind: 'failed', why: 'tls-expired', isSilent: false }, all)
  assert.equal(closingOf(decision).shown, 'answer', 'the host is not down')
  assert.deepEqual(closingOf(decision).outcome, { kind: 'refused', reason: 'robots-tls-expired' })
  const plan = await all.policy.before({ ...TICKET, url: 'https://a.com/x' }, NOW_MS)
  assert.ok(plan.kind === 'close')
  assert.deepEqual(closingOf(plan.decision).outcome, { kind: 'refused', reason: 'tls-expired' })
  assert.deepEqual(plan.decision.events, [
    { kind: 'refused', url: 'https://a.com/x', reason: 'tls-expired', line: undefined },
  ])
  const open = await all.policy.before(TICKET, NOW_MS)
  assert.ok(open.kind === 'close' && 'giveBack' in open.decision.entry.settlement, 'http is asked for its own rules')
})

test('ours: rules that can’t be had at another host allow nothing, and then pages are refused by name', async () => {
  const all = deps()
  const [link] = linksOf(committed(ROBOTS, robots('', { status: 301 }, 'http://c.com/rules'), all))
  const there: Ticket = { ...ROBOTS, url: link!.url, host: 'c.com', note: link!.note!, attempt: 4 }
  committed(there, silence(), all)
  const plan = await all.policy.before(TICKET, NOW_MS)
  assert.ok(plan.kind === 'close')
  assert.deepEqual(closingOf(plan.decision).outcome, { kind: 'refused', reason: 'robots-unavailable' })
})

test('rule 5.8: --max-per-host counts pages of the host, over all runs', async () => {
  const { policy } = deps(undefined, { maxPerHost: 5 })
  const plan = await policy.before({ ...TICKET, hostPages: 5 }, NOW_MS)
  assert.ok(plan.kind === 'close')
  assert.deepEqual(closingOf(plan.decision).outcome, { kind: 'refused', reason: 'max-per-host' })
  const other = await policy.before({ ...TICKET, hostPages: 4 }, NOW_MS)
  assert.ok(other.kind === 'close' && 'giveBack' in other.decision.entry.settlement)
})

test('ours: the caller’s own rule sees where a link stands; what it refuses is held back', () => {
  const asked: unknown[] = []
  const decision = after(
    TICKET,
    page(),
    deps(link => asked.push(link) === 0),
  )
  assert.deepEqual(
    linksOf(decision).map(({ url, refused }) => [url, refused]),
    [[LINK.url, 'filtered']],
  )
  assert.deepEqual(asked, [{ url: LINK.url, from: TICKET.url, hops: 3, page: { url: 'http://a.com/x' } }])
})

test('policy: what waits is judged by the settings of now, and not a seed', async () => {
  const reasons = async (own: Partial<CrawlSettings>, ticket: Partial<Ticket> = {}) => {
    const { policy, gate } = deps(undefined, own)
    gate.learn({ origin: 'http://a.com', rules: compileRobots(new Uint8Array(0), 'escalona'), atMs: NOW_MS })
    gate.learn({ origin: 'http://b.com', rules: compileRobots(new Uint8Array(0), 'escalona'), atMs: NOW_MS })
    const plan = await policy.before({ ...TICKET, ...ticket }, NOW_MS)
    if (plan.kind === 'ask') return 'asked'
    const { outcome, shown } = closingOf(plan.decision)
    assert.equal(shown, undefined, 'nobody is asked')
    assert.equal(plan.decision.entry.failure, undefined, 'it has not ended')
    return outcome.kind === 'refused' ? outcome.reason : outcome.kind
  }
  const elsewhere = { url: 'http://b.com/x', host: 'b.com' }
  assert.equal(await reasons({}), 'asked')
  assert.equal(await reasons({ maxDepth: 1 }), 'max-depth')
  assert.equal(await reasons({ exclude: ['*/x'] }), 'exclude')
  assert.equal(await reasons({ include: ['*/y'] }), 'include')
  assert.equal(await reasons({ scope: 'host' }), 'asked')
  assert.equal(await reasons({ scope: 'host' }, elsewhere), 'scope')
  assert.equal(await reasons({ scope: 'host', exclude: ['*'] }, { ...elsewhere, hops: 0 }), 'asked')
  assert.equal(await reasons({ exclude: ['*'] }, { url: SEED }), 'asked', 'a seed that was found on a page before')
})

test('policy: the caller’s own rule holds for what waits', async () => {
  const note = writeNote({ from: 'http://a.com/' })
  const plan = await deps(() => false).policy.before({ ...TICKET, note }, NOW_MS)
  assert.ok(plan.kind === 'close')
  assert.deepEqual(closingOf(plan.decision).outcome, { kind: 'refused', reason: 'filtered' })
})

test('policy: links that a setting holds back are offered as refused, as many as are remembered', () => {
  const links = packLinks([
    LINK,
    ...[1, 2, 3].map(n => ({ url: `http://c.com/${n}`, pathDepth: 1, refused: 'scope' as const })),
  ])
  const decision = after(TICKET, page({ links }), deps(undefined, {}, 2))
  assert.deepEqual(
    linksOf(decision).map(({ url, refused }) => [url, refused]),
    [
      [LINK.url, undefined],
      ['http://c.com/1', 'scope'],
      ['http://c.com/2', 'scope'],
    ],
  )
  assert.deepEqual(events(decision), [{ kind: 'links refused', url: TICKET.url, counts: { 'held-limit': 1 } }])
})

test('policy: what a seed redirects to belongs to the scope, and so does its host from then on', () => {
  const all = deps(undefined, { scope: 'host' })
  const decision = after({ ...TICKET, url: SEED, hops: 0 }, redirect('http://www.a.com/'), all)
  assert.deepEqual(decision.entry.seed, { url: 'http://www.a.com/', from: SEED })
  assert.equal(linksOf(decision)[0]!.refused, undefined)
  assert.equal(after(TICKET, redirect('http://www.a.com/'), all).entry.seed, undefined, 'not of any other page')
  const links = packLinks([{ url: 'http://www.a.com/1', pathDepth: 1, refused: 'scope' }])
  assert.equal(linksOf(after(TICKET, page({ links }), all))[0]!.refused, 'scope')
  all.rules.admit('http://www.a.com/')
  assert.equal(linksOf(after(TICKET, page({ links }), all))[0]!.refused, undefined)
})

test('policy: a link that ends without a page leaves a line', () => {
  const note = writeNote({ from: 'http://b.com/' })
  const ticket = { ...TICKET, note, attempt: 4 }
  const line = { url: TICKET.url, from: 'http://b.com/', atMs: NOW_MS }
  const lineOf = (result: FetchResult, of = ticket) => after(of, result).entry.failure
  assert.deepEqual(lineOf(silence()), { ...line, reason: 'timeout', attempts: 4 })
  assert.deepEqual(lineOf({ kind: 'other', answer: answer({ status: 404 }) }), {
    ...line,
    reason: 'status-404',
    attempts: 4,
    status: 404,
  })
  assert.deepEqual(lineOf({ kind: 'forbidden address' }), { ...line, reason: 'address', attempts: 3 })
  assert.deepEqual(lineOf(page({ keep: 'noindex' })), { ...line, reason: 'noindex', attempts: 4, status: 200 })
  assert.equal(lineOf(silence(), { ...ticket, attempt: 1 }), undefined, 'it is tried again')
  assert.equal(lineOf(page()), undefined)
})

test('policy: a host that is gone ends all that waits there', () => {
  const gone = { host: 'a.com', reason: 'dns', atMs: NOW_MS }
  assert.deepEqual(after(TICKET, { kind: 'no such host' }).entry.gone, gone)
  assert.deepEqual(after(ROBOTS, { kind: 'no such host' }).entry.gone, gone)
  assert.deepEqual(after(ROBOTS, { kind: 'forbidden address' }).entry.gone, { ...gone, reason: 'address' })
})

test('policy: a host has its own delay and limit, whatever became of the visit', async () => {
  const hostSettings = [
    { host: 'a.com', delayMs: 5000, limit: 2 },
    { host: 'b.com', delayMs: 0 },
  ]
  const at = deps(undefined, { maxPerHost: 10, hostSettings })
  at.gate.learn({ origin: 'http://a.com', rules: compileRobots(Buffer.from(''), 'escalona'), atMs: NOW_MS })
  const settlement = (host: string, result: FetchResult) =>
    closingOf(after({ ...TICKET, host, url: `http://${host}/x` }, result, at)).delayMs
  const quick: FetchResult = { kind: 'other', answer: answer({ status: 404, tookMs: 1 }) }
  assert.deepEqual(
    [settlement('a.com', quick), settlement('b.com', quick), settlement('c.com', quick)],
    [5000, 0, 1000],
  )
  assert.equal(settlement('a.com', silence()), 5000)
  const plan = await at.policy.before({ ...TICKET, host: 'a.com', url: 'http://a.com/x', hostPages: 2 }, NOW_MS)
  assert.ok(plan.kind === 'close')
  assert.deepEqual(closingOf(plan.decision).outcome, { kind: 'refused', reason: 'max-per-host' })
})

test('policy: asked twice what becomes of a ticket, it says the same, and nothing has changed', () => {
  const sitemap = (url: string, more: object = {}): Ticket => ({
    ...TICKET,
    url,
    kind: 'sitemap',
    note: writeNote({ sitemap: { of: 'a.com', level: 0, isSeed: true, ...more } }),
  })
  const found: FetchResult = {
    kind: 'sitemap',
    answer: answer(),
    location: undefined,
    file: { kind: 'urlset', entries: 3 },
    refusedLinks: {},
  }
  const named = ['/1.xml', '/1.xml', 'http://b.com/2.xml'].map(url => `Sitemap: ${url}`).join('\n')
  const heldLinks = [1, 2, 3].map(n => ({ url: `http://c.com/${n}`, pathDepth: 1, refused: 'scope' as const }))
  const again = { visitedAtMs: 1, isHinted: false }
  const cases: readonly (readonly [Ticket, FetchResult])[] = [
    [TICKET, page({ links: packLinks([LINK, ...heldLinks]) })],
    [TICKET, redirect('http://b.com/')],
    [{ ...TICKET, again }, page()],
    [
      { ...TICKET, again },
      { kind: 'other', answer: answer({ status: 404 }) },
    ],
    [ROBOTS, robots(`User-agent: *\nCrawl-delay: 2\n${named}`)],
    [ROBOTS, robots('', { status: 301 }, 'http://c.com/rules')],
    [{ ...ROBOTS, host: 'c.com', attempt: 9 }, silence()],
    [{ ...ROBOTS, host: 'c.com' }, { kind: 'no such host' }],
    [sitemap('http://a.com/s.xml'), found],
    [sitemap('http://a.com/s.xml'), { ...found, location: 'http://b.com/t.xml' }],
  ]
  for (const filterLink of [undefined, () => false]) {
    for (const [ticket, result] of cases) {
      const [one, other] = [1, 2].map(() => deps(filterLink, { recrawl: 'due', sitemaps: 'yes', scope: 'host' }, 2))
      const stateOf = ({ gate, sitemaps }: Deps) => inspect([gate, sitemaps], { depth: 9 })
      const before = stateOf(one!)
      after(ticket, result, one)
      const second = after(ticket, result, one)
      assert.equal(stateOf(one!), before)
      assert.deepEqual(producedFrom(second), producedFrom(after(ticket, result, other)))
    }
  }
})

/** A decision with all that it produces on demand. */
function producedFrom({ entry, events }: Decision): unknown {
  const links = [...(entry.links ?? [])]
  return { ...entry, links, again: entry.again?.({ file: 'f', offset: 1, length: 2 }), events }
}

test('policy: a visit again that finds a page gone leaves a line, and the end of its host is silence to its pages', () => {
  const all = deps(undefined, { recrawl: 'yes' })
  const plan = new RevisitPlan(settingsWith({ recrawl: 'yes' }, 2, '1.0'))
  const known = plan.again({ url: TICKET.url, hops: 2 }, { ...plan.unknown(1), misses: 2 })
  const ticket: Ticket = { ...TICKET, again: { visitedAtMs: 1, isHinted: false }, note: known.note! }
  const gone = after(ticket, { kind: 'other', answer: answer({ status: 404 }) }, all)
  assert.equal(gone.entry.page?.change, 'gone')
  assert.deepEqual(closingOf(gone).outcome, { kind: 'done', isPage: true })
  const noHost = after(ticket, { kind: 'no such host' }, all)
  assert.equal(closingOf(noHost).shown, 'silence')
  const { outcome } = closingOf(noHost)
  assert.ok(outcome.kind === 'done' && outcome.again !== undefined, 'it is planned again')
})
