// Random webs in memory, by the thousand: what a crawl may never do, whatever the web does. ESCALONA_SEED=<seed> repeats one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VirtualClock } from '../../src/simulate/virtual-clock.ts'
import { RandomSource, seeds } from '../model/random-source.ts'
import { MemoryCrawl } from './memory-crawl.ts'
import { type MemoryHost, type MemoryRequest, MemoryWeb, type Trouble } from './memory-web.ts'

const WEBS = Number(process.env.ESCALONA_WEBS || 60)
const START_MS = 1_700_000_000_000
const DAY_MS = 24 * 3_600_000

interface RandomWeb {
  readonly hosts: readonly MemoryHost[]
  /** What each host's robots.txt asks for. */
  readonly crawlDelaysMs: ReadonlyMap<string, number>
  /** Those that always answer, soon. */
  readonly healthy: ReadonlySet<string>
}

test(`ours: in ${WEBS} random webs no host is asked too early, no server above its limits, and no page is lost`, async t => {
  let requests = 0
  let idleMs = 0
  let slotMs = 0
  for (const seed of seeds(t, WEBS, Math.ceil(WEBS / 10))) {
    const random = new RandomSource(seed)
    const made = randomWeb(random)
    const time = new VirtualClock(START_MS)
    const web = new MemoryWeb(made.hosts, time)
    const delayMs = random.pick([0, 10, 100, 1000])
    const crawl = await MemoryCrawl.open(web, time, {
      delayMs,
      serverDelayMs: random.pick([0, delayMs / 4]),
      perServer: random.pick([1, 2, 4]),
      concurrency: random.pick([4, 16, 48]),
      strategy: random.pick(['explore', 'breadth', 'depth', 'best'] as const),
      seed,
    })
    try {
      const roots = made.hosts.map(({ name }) => `http://${name}/`)
      const run = await crawl.run(roots, 60 * DAY_MS, async ms => {
        const { open, size } = crawl.conductor.slots
        slotMs += ms * size
        if (open < size) idleMs += ms * Math.min(size - open, await readyHealthy(crawl, made))
      })
      requests += web.log.length
      checkHosts(web.log, made, delayMs)
      checkServers(web.log, crawl.settings.perServer)
      const archived = run.pages.map(({ url }) => url)
      assert.equal(new Set(archived).size, archived.length, 'a page was archived twice')
      assert.deepEqual(missing(made, new Set(archived), await strandedHosts(crawl, made)), [])
      const { known, waiting, leased, done, refused } = await run.frontier.counts()
      assert.equal(leased, 0)
      assert.equal(known, waiting + done + refused)
    } catch (error) {
      throw new Error(`ESCALONA_SEED=${seed}`, { cause: error })
    }
  }
  const idle = idleMs / slotMs
  t.diagnostic(`${requests} requests; slots idle while a healthy host could be asked: ${(idle * 100).toFixed(3)} %`)
  assert.ok(requests > WEBS * 50)
  assert.ok(idle < 0.01, `slots were idle for ${(idle * 100).toFixed(2)} % of the time`)
})

/** Healthy hosts that could be asked in this moment, by their own time and their server's. */
async function readyHealthy(crawl: MemoryCrawl, { healthy }: RandomWeb): Promise<number> {
  const { items } = await crawl.frontier.hosts({ limit: 1000 })
  const openAt = new Map<string, number>()
  for (const { server, state } of items) {
    if (server !== undefined && state === 'leased') openAt.set(server, (openAt.get(server) ?? 0) + 1)
  }
  let ready = 0
  for (const { host, server, state, readyInMs, waiting, failures, pages } of items) {
    const isAble =
      healthy.has(host) && pages > 0 && failures === 0 && waiting > 0 && state === 'waiting' && readyInMs === 0
    // Where others of the same server are open, its gap and its bound may hold this one.
    if (isAble && (server === undefined || !openAt.has(server))) ready++
  }
  return ready
}

function checkHosts(log: readonly MemoryRequest[], { crawlDelaysMs }: RandomWeb, delayMs: number): void {
  for (const requests of grouped(log, ({ host }) => host)) {
    let robotsMs = Infinity
    for (const [n, request] of requests.entries()) {
      const before = requests[n - 1]
      // A connection that could not be made is no request; the next address of the name is tried at once.
      if (before !== undefined && (before.status !== undefined || before.ip === request.ip)) {
        const knows = robotsMs <= before.endMs
        const wantedMs = Math.max(delayMs, knows ? crawlDelaysMs.get(request.host)! : 0)
        const gapMs = request.startMs - before.endMs
        assert.ok(gapMs >= wantedMs, `${request.host} was asked ${gapMs} ms after the answer, not ${wantedMs}`)
      }
      if (request.path === '/robots.txt' && request.status === 200) robotsMs = Math.min(robotsMs, request.endMs)
    }
  }
}

function checkServers(log: readonly MemoryRequest[], perServer: number): void {
  for (const requests of grouped(log, ({ ip }) => ip)) {
    for (const { startMs, ip } of requests) {
      const open = requests.filter(other => other.startMs <= startMs && other.endMs > startMs).length
      assert.ok(open <= perServer, `${open} requests at ${ip} at once`)
    }
  }
}

function grouped(log: readonly MemoryRequest[], key: (request: MemoryRequest) => string): MemoryRequest[][] {
  const groups = new Map<string, MemoryRequest[]>()
  for (const request of log) groups.set(key(request), [...(groups.get(key(request)) ?? []), request])
  return [...groups.values()]
}

/**
 * Healthy hosts whose links wait for the next run, since nobody else at their server answered for as long as the retries
 * last. Only such a server can be down with a healthy host at it.
 */
async function strandedHosts(crawl: MemoryCrawl, { hosts, healthy }: RandomWeb): Promise<ReadonlySet<string>> {
  const { items } = await crawl.frontier.hosts({ limit: 1000 })
  const stranded = items.filter(({ isDown, host }) => isDown && healthy.has(host))
  for (const { server, host } of stranded) {
    const others = hosts.filter(({ name, ips }) => name !== host && ips.includes(server!))
    assert.ok(
      others.some(({ name }) => !healthy.has(name)),
      `${host} is down for no reason`,
    )
  }
  return new Set(stranded.map(({ host }) => host))
}

/** Pages of healthy hosts that can be reached through such hosts and were not archived. */
function missing(made: RandomWeb, archived: ReadonlySet<string>, stranded: ReadonlySet<string>): string[] {
  const { hosts } = made
  const healthy = new Set([...made.healthy].filter(name => !stranded.has(name)))
  const byName = new Map(hosts.map(host => [host.name, host]))
  const reached = new Set<string>()
  const open = [...healthy].map(name => `http://${name}/`)
  for (let url = open.pop(); url !== undefined; url = open.pop()) {
    const { hostname, pathname } = new URL(url)
    const links = healthy.has(hostname) ? byName.get(hostname)!.pages.get(pathname) : undefined
    if (links === undefined || reached.has(url)) continue
    reached.add(url)
    open.push(...links)
  }
  return [...reached].filter(url => !archived.has(url))
}

function randomWeb(random: RandomSource): RandomWeb {
  const count = 3 + random.below(30)
  const servers = 1 + random.below(count)
  const names = Array.from({ length: count }, (_, n) => `h${n}.s${n % 7}.com`)
  const crawlDelaysMs = new Map<string, number>()
  const healthy = new Set<string>()
  const hosts = names.map((name, n): MemoryHost => {
    const isHealthy = n === 0 || random.chance(0.6)
    if (isHealthy) healthy.add(name)
    const crawlDelay = random.chance(0.15) ? random.pick([1, 5, 30]) : 0
    crawlDelaysMs.set(name, crawlDelay * 1000)
    const pages = new Map<string, readonly string[]>()
    const size = 1 + random.below(12)
    const url = () => `http://${random.pick(names)}/${random.chance(0.3) ? '' : random.below(12)}`
    for (let page = 0; page < size; page++)
      pages.set(page === 0 ? '/' : `/${page}`, Array.from({ length: random.below(8) }, url))
    const address = () => `10.0.0.${random.below(servers)}`
    return {
      name,
      ips:
        !isHealthy && random.chance(0.2) ? [] : random.chance(0.2) ? [...new Set([address(), address()])] : [address()],
      pages,
      ...(random.chance(0.9) && { robots: crawlDelay === 0 ? '' : `User-agent: *\nCrawl-delay: ${crawlDelay}` }),
      answerMs: random.pick([1, 10, 200]),
      ...(!isHealthy && { trouble: randomTrouble(random) }),
    }
  })
  // A host without a robots.txt asks for nothing.
  for (const { name, robots } of hosts) if (robots === undefined) crawlDelaysMs.set(name, 0)
  return { hosts, crawlDelaysMs, healthy }
}

function randomTrouble(random: RandomSource): (nowMs: number, path: string) => Trouble | undefined {
  const kind = random.pick<Trouble>([
    'silent',
    'refuses',
    'dns',
    { status: 503, retryAfterMs: 20_000 },
    { status: 500 },
  ])
  const fromMs = START_MS + random.pick([0, 0, 2000, 20_000])
  const untilMs = random.chance(0.5) ? Infinity : fromMs + random.pick([1000, 30_000, 600_000])
  const share = random.pick([1, 1, 0.3])
  return nowMs => (nowMs >= fromMs && nowMs < untilMs && random.chance(share) ? kind : undefined)
}
