// A crawl that never happened, with numbers as a real one has them.
import { type HostSurvey, Survey } from '../../src/folder/stats/host-survey.ts'
import { Stats, type StatsData } from '../../src/folder/stats/stats.ts'
import type { ReportFacts } from '../../src/report/report.ts'
import { registrableDomain } from '../../src/url/registrable-domain.ts'
import { RandomSource } from '../model/random-source.ts'

const START_MS = Date.UTC(2026, 2, 1, 10, 0, 12, 345)
const SYLLABLES = ['ba', 'lo', 'mi', 'ra', 'ta', 'ne', 'so', 'du', 'ke', 'vi', 'par', 'mon', 'tel', 'gor', 'zan']
const SUFFIXES = ['com', 'com.br', 'org', 'net', 'br', 'edu', 'co.uk', 'de', 'info']
/** Names that would like to be markup, or to hide. */
export const HOSTILE_NAMES = [
  '<script>document.title="owned"</script>',
  '"><img src=x onerror="document.title=\'owned\'">',
  '</script><script>document.title="owned"</script>',
  '<!--<script>',
  '&lt;b&gt;',
  '\u202egro.elpmaxe',
  '__proto__',
  `${'very-long-'.repeat(60)}.example`,
]

function word(random: RandomSource): string {
  return Array.from({ length: 2 + random.below(3) }, () => random.pick(SYLLABLES)).join('')
}

/** Around `middle`, more often near than far, as sizes and times are. */
function around(random: RandomSource, middle: number, octaves: number): number {
  const bell = Array.from({ length: 4 }, () => random.below(1000) / 1000).reduce((sum, part) => sum + part, 0) / 2 - 1
  return middle * 2 ** (bell * octaves * 2)
}

export interface MadeCrawl {
  readonly seed: number
  readonly pages: number
  readonly hosts: number
  readonly hostile: boolean
}

/** Statistics and hosts as a crawl leaves them. */
export interface MadeStats {
  readonly stats: StatsData
  readonly pagesByHost: Readonly<Record<string, number>>
  readonly hosts: HostSurvey
}

export function makeStats({ seed, pages, hosts, hostile }: MadeCrawl): MadeStats {
  const random = new RandomSource(seed)
  const domains = Array.from({ length: Math.ceil(hosts / 1.4) }, () => `${word(random)}.${random.pick(SUFFIXES)}`)
  const names = Array.from({ length: hosts }, (_, place) =>
    place < domains.length ? `www.${domains[place]}` : `${word(random)}.${random.pick(domains)}`,
  )
  let stats = new Stats(START_MS)
  const pagesByHost: Record<string, number> = {}
  let atMs = 0
  let known = 4
  for (let page = 0; page < pages; page++) {
    // Three runs; the last one goes on from what was saved.
    if (page === Math.floor(pages / 3) || page === Math.floor(pages / 2)) stats = goneOn(stats, pagesByHost)
    atMs += around(random, 35 + 25 * Math.sin(page / (pages / 9)), 1)
    known = Math.min(names.length, known + (random.chance(0.08) ? 1 : 0))
    const host = names[Math.floor(known * (random.below(1000) / 1000) ** 2.5)]!
    pagesByHost[host] = (pagesByHost[host] ?? 0) + 1
    visit(stats, random, { host, atMs, hops: Math.min(page, random.below(4) + random.below(4)) })
  }
  stats.workMs = atMs
  if (hostile) {
    const { statuses, again, failed, refused, refusedLinks } = stats
    for (const name of HOSTILE_NAMES) pagesByHost[name] = 500
    for (const counts of [statuses, again, failed, refused, refusedLinks]) {
      for (const name of HOSTILE_NAMES) counts.set(name, 500)
    }
    for (const name of HOSTILE_NAMES) {
      stats.record(
        { kind: 'answered', url: `http://${name}/`, status: 503, wireBytes: 1, tookMs: 9e6, retryAfterMs: 9e6 },
        atMs,
      )
      stats.record({ kind: 'failed', url: `http://${name}/`, why: name }, atMs)
      stats.record({ kind: 'refused', url: `http://${name}/`, reason: name, type: name }, atMs)
      for (let copy = 0; copy < 40; copy++)
        stats.addPage({ url: `${name}${copy}`, title: name, language: name, bytes: 9, tokens: 9, hops: 1 }, atMs, name)
    }
  }
  return { stats: JSON.parse(JSON.stringify(stats)), pagesByHost, hosts: surveyOf(pagesByHost) }
}

function surveyOf(pagesByHost: Readonly<Record<string, number>>): HostSurvey {
  const survey = new Survey()
  for (const [place, [host, pages]] of Object.entries(pagesByHost).entries()) {
    const delayMs = place % 9 === 4 ? 500 * (place + 1) : 0
    survey.add({ host, pages, waiting: (place * 37) % 500, delayMs, isDown: place % 50 === 3 })
  }
  return survey.result()
}

/** What a restart does: reads the file, and learns from the frontier which domains had pages. */
function goneOn(stats: Stats, pagesByHost: Readonly<Record<string, number>>): Stats {
  const next = new Stats(0, JSON.parse(JSON.stringify(stats)))
  for (const host of Object.keys(pagesByHost)) next.domains.add(registrableDomain(host))
  return next
}

function visit(stats: Stats, random: RandomSource, { host, atMs, hops }: { host: string; atMs: number; hops: number }) {
  const tookMs = around(random, 90, 3)
  const bytes = Math.round(around(random, 21_000, 3))
  const url = () => `https://${host}/${word(random)}`
  const answer = (status: number, wireBytes: number, retryAfterMs?: number) =>
    stats.record({ kind: 'answered', url: url(), status, wireBytes, tookMs, retryAfterMs }, atMs)
  if (random.chance(0.05)) answer(200, 300)
  if (random.chance(0.12)) {
    answer(random.pick([301, 302, 308]), 0)
    stats.record({ kind: 'redirected', url: host }, atMs)
  }
  if (random.chance(0.06)) {
    const status = random.pick([404, 404, 404, 403, 410])
    answer(status, 800)
    stats.record({ kind: 'refused', url: url(), reason: `status-${status}` }, atMs)
  }
  if (random.chance(0.04))
    stats.record(
      {
        kind: 'refused',
        url: url(),
        reason: random.pick(['robots', 'robots', 'noindex', 'address', 'robots-unavailable']),
      },
      atMs,
    )
  if (random.chance(0.03)) {
    const type = random.pick(['application/pdf', 'application/pdf', 'image/png', 'text/plain'])
    stats.record({ kind: 'refused', url: url(), reason: 'type', type }, atMs)
  }
  if (random.chance(0.03))
    stats.record(
      {
        kind: 'again',
        url: url(),
        why: random.pick(['timeout', 'timeout', 'reset', 'dns', 'status-503']),
      },
      atMs,
    )
  if (random.chance(0.01))
    stats.record(
      {
        kind: 'failed',
        url: url(),
        why: random.pick(['timeout', 'dns', 'tls', 'encoding', 'status-500']),
      },
      atMs,
    )
  if (random.chance(0.005)) answer(random.pick([500, 502, 503]), 200, random.pick([undefined, 30_000, 120_000]))
  answer(200, Math.round(bytes / 4.3))
  stats.record(
    {
      kind: 'links refused',
      url: host,
      counts: {
        'redirect-to-known': random.below(4),
        nofollow: random.below(3),
        protocol: random.below(2),
        'repeated-segment': random.chance(0.02) ? 1 : 0,
      },
    },
    atMs,
  )
  stats.record(
    {
      kind: 'page',
      opening: Array.from({ length: 20 }, () => word(random)).join(' '),
      page: {
        url: `https://${host}/${word(random)}`,
        status: 200,
        title: `${word(random)} ${word(random)}`,
        ...(random.chance(0.8) && { language: random.pick(['pt-br', 'pt-br', 'en', 'es', 'de']) }),
        bytes,
        tokens: Math.round(around(random, 380, 3)),
        hops,
        linksOut: random.below(60),
        dateMs: START_MS + atMs,
        change: 'new',
        file: 'escalona-00000.warc.gz',
        offset: 0,
        length: bytes,
      },
    },
    atMs,
  )
}

const SETTINGS = {
  delay: '100ms',
  timeout: '10s',
  'max-body': '10MiB',
  retries: '3',
  concurrency: '48',
  workers: '2',
  strategy: 'explore',
  scope: 'any',
  'user-agent': 'escalona/0.1.0 (+https://example.org/bot)',
}

export const FACTS: ReportFacts = {
  limit: 6000,
  startedAt: '2026-03-01T10:00:12.345Z',
  asOf: '2026-03-01T10:09:58.001Z',
  endedBecause: 'limit',
  forgottenRuns: 0,
  runs: [
    {
      startedAt: '2026-03-01T10:00:12.345Z',
      seeds: ['https://www.example.org/', 'https://example.com/'],
      seedCount: 2,
      settings: SETTINGS,
      version: '0.1.0',
    },
    {
      startedAt: '2026-03-01T10:05:00.000Z',
      endedAt: '2026-03-01T10:09:58.001Z',
      because: 'limit',
      seeds: ['https://example.net/'],
      seedCount: 1,
      settings: { ...SETTINGS, scope: 'domain', exclude: ['*/tags/*', '*/login*'] },
      version: '0.1.0',
    },
  ],
  hosts: new Survey().result(),
  disk: { archive: 41_000_000, index: 900_000, frontier: 5_200_000, lists: 1_400_000, other: 40_000 },
  frontier: {
    known: 48_211,
    waiting: 36_702,
    leased: 7,
    done: 3361,
    refused: 8141,
    refusedFor: { robots: 400, 'status-404': 1000, timeout: 96, dns: 40, 'status-503': 5, scope: 6000, exclude: 600 },
    pages: 3000,
    planned: 0,
    due: 0,
    revisiting: 0,
    down: 120,
    auxiliaries: 0,
    hosts: 1822,
    turnedAway: { 'max-hosts': 0, 'domain-hosts': 0, 'page-hosts': 0 },
  },
  version: '0.1.0',
}
