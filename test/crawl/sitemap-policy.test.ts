// What becomes of a ticket for a sitemap: decisions only.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Decision } from '../../src/decide/decision.ts'
import type { Answer, FetchResult } from '../../src/decide/job.ts'
import { packLinks } from '../../src/decide/job.ts'
import { readNote, type SitemapNote, writeNote } from '../../src/decide/link-note.ts'
import { LinkRanks } from '../../src/decide/link-rank.ts'
import type { PolicyDeps } from '../../src/decide/policy.ts'
import { SitemapBook } from '../../src/decide/sitemap-book.ts'
import { afterSitemap, sitemapHeld, sitemapPart } from '../../src/decide/sitemap-policy.ts'
import type { Ticket } from '../../src/frontier/frontier.ts'
import { HostBook } from '../../src/settings/host-settings.ts'
import { LinkRules } from '../../src/settings/link-rules.ts'
import { settingsWith } from '../../src/settings/settings.ts'

const NOW_MS = 1_000_000
const URL_OF_MAP = 'http://a.com/sitemap.xml'

function deps(sitemaps: 'yes' | 'no' = 'yes'): PolicyDeps {
  const settings = settingsWith({ sitemaps }, 1, '1.0')
  const { scope, include, exclude, maxDepth } = settings
  return {
    settings,
    hosts: new HostBook(settings),
    sitemaps: new SitemapBook({ noted: async () => undefined }),
    rules: new LinkRules(
      {
        scope,
        include,
        exclude,
        maxDepth,
        loops: 'no',
        follow: 'links',
        nearDuplicates: 'hold',
        seeds: ['http://a.com/'],
      },
      host => host,
    ),
    held: { take: () => true },
    ranks: new LinkRanks(settings),
    plan: undefined,
    filterLink: undefined,
    filterWaiting: undefined,
  } as unknown as PolicyDeps
}

function ticket(sitemap: Partial<SitemapNote> = {}, more: Partial<Ticket> & { redirects?: number } = {}): Ticket {
  const { redirects, ...rest } = more
  const note = writeNote({
    sitemap: { of: 'a.com', level: 0, ...sitemap },
    ...(redirects !== undefined && { redirects }),
  })
  return {
    ...{ id: 7, url: URL_OF_MAP, host: 'a.com', kind: 'sitemap', rank: 0, hops: 0, attempt: 1, leaseMs: 60_000 },
    ...{ server: undefined, hostPages: 0, isProven: true, note },
    ...rest,
  }
}

function answered(status: number, more: Partial<FetchResult & { kind: 'sitemap' }> = {}) {
  const answer: Answer = { status, sentAtMs: 5, tookMs: 1, wireBytes: 10, retryAfterMs: undefined, records: undefined }
  return { kind: 'sitemap', answer, location: undefined, file: undefined, refusedLinks: {}, ...more } as FetchResult & {
    kind: 'sitemap'
  }
}

function outcomeOf({ entry }: Decision): unknown {
  return 'outcome' in entry.settlement ? entry.settlement.outcome : 'given back'
}

function linksOf({ entry }: Decision) {
  return [...(entry.links ?? [])].flat()
}

test('sitemaps: an index at the third level names no more sitemaps, and the ones before do', () => {
  const named = { links: packLinks([]), sitemaps: ['http://a.com/more.xml'] }
  for (const [level, wanted] of [
    [0, 1],
    [2, 1],
    [3, 0],
  ] as const) {
    const { links, unfollowed } = sitemapPart(ticket({ level }), named, deps(), NOW_MS)
    const found = [...links].flat()
    assert.equal(found.length, wanted, `level ${level}`)
    assert.equal(unfollowed['sitemap-depth'], wanted === 0 ? 1 : undefined)
    if (wanted === 1) assert.equal(readNote(found[0]!.note).sitemap!.level, level + 1)
  }
})

test('sitemaps: five redirects are followed, and the sixth is named', () => {
  const moved = answered(301, { location: 'http://a.com/other.xml' })
  const fifth = afterSitemap(ticket({}, { redirects: 4 }), moved, deps(), NOW_MS)
  assert.deepEqual(
    linksOf(fifth).map(({ url, note }) => [url, readNote(note).redirects]),
    [['http://a.com/other.xml', 5]],
  )
  const sixth = afterSitemap(ticket({}, { redirects: 5 }), moved, deps(), NOW_MS)
  assert.deepEqual(linksOf(sixth), [])
  assert.deepEqual(sixth.events, [{ kind: 'sitemap', url: URL_OF_MAP, why: 'too-many-redirects' }])
})

test('sitemaps: the setting keeps those of robots.txt out, and not those of seeds', () => {
  assert.equal(sitemapHeld(ticket(), undefined, deps('yes')), undefined)
  assert.deepEqual(outcomeOf(sitemapHeld(ticket(), undefined, deps('no'))!), { kind: 'refused', reason: 'sitemap' })
  assert.equal(sitemapHeld(ticket({ isSeed: true }), undefined, deps('no')), undefined)
})

test('sitemaps: robots.txt that forbids a sitemap is obeyed', () => {
  const shut = { kind: 'shut', reason: 'robots', line: 2 } as const
  assert.deepEqual(outcomeOf(sitemapHeld(ticket(), shut, deps())!), { kind: 'refused', reason: 'robots' })
  assert.equal(sitemapHeld(ticket(), { kind: 'open' } as never, deps()), undefined)
})

test('sitemaps: 429 and 5xx are asked for again, three times, and then given up by name', () => {
  for (const status of [429, 500, 503])
    for (const attempt of [1, 2, 3, 4]) {
      const decision = afterSitemap(ticket({}, { attempt }), answered(status), deps(), NOW_MS)
      const wanted = attempt <= 3 ? { kind: 'again' } : { kind: 'refused', reason: `status-${status}` }
      assert.deepEqual(outcomeOf(decision), wanted, `${status}, try ${attempt}`)
    }
  const gone = afterSitemap(ticket(), answered(404), deps(), NOW_MS)
  assert.deepEqual(
    [outcomeOf(gone), gone.events],
    [{ kind: 'done', isPage: false }, [{ kind: 'sitemap', url: URL_OF_MAP, why: 'status-404' }]],
  )
})
