import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FilteredLinks, type LinkAtHand, type Origin } from '../../src/decide/filtered-links.ts'
import { LEVELS, RecentShares } from '../../src/decide/importance.ts'
import { packLinks } from '../../src/decide/job.ts'
import { readNote, writeNote } from '../../src/decide/link-note.ts'
import { DEFERRED, LinkRanks, type LinkToRank, PREFERRED, type RankLink } from '../../src/decide/link-rank.ts'
import type { Link } from '../../src/frontier/frontier.ts'
import { LinkRules } from '../../src/settings/link-rules.ts'
import { type CrawlSettings, settingsWith } from '../../src/settings/settings.ts'

const FROM = 'http://a.example/x'
const RULES = new LinkRules(
  {
    scope: 'any',
    include: [],
    exclude: ['*/no/*'],
    maxDepth: 9,
    loops: 'no',
    follow: 'links',
    nearDuplicates: 'hold',
    seeds: [],
  },
  host => host,
)

function ranksFor(settings: Partial<CrawlSettings>, rankLink?: RankLink): LinkRanks {
  return new LinkRanks(settingsWith(settings, 1, '1'), rankLink)
}

/** The links of a page as the frontier gets them. */
function linksOf(urls: readonly string[], ranks: LinkRanks, origin: Partial<Origin> = {}): Link[] {
  const links = urls.map(url => {
    const refused = RULES.refusal({ href: url, host: '' }, 1)
    return { url, pathDepth: url.split('/').length - 4, refused, text: `to ${url.at(-1)}` }
  })
  const filterLink = undefined as ((link: LinkAtHand) => boolean) | undefined
  const judges = { rules: RULES, ranks, held: { take: () => true }, filterLink }
  const page = { note: undefined, isSeed: true, linksOut: urls.length }
  return [...new FilteredLinks(packLinks(links), {}, { from: FROM, hops: 1, page, ...origin }, judges).batches].flat()
}

const rankOf = (links: readonly Link[]) => links.map(({ rank }) => rank)

test('ranks: by default short paths come first, and the ends are for patterns', () => {
  const deep = `http://b.example/${'d/'.repeat(300)}`
  const links = linksOf(['http://b.example/', 'http://b.example/1/2', deep], ranksFor({}))
  assert.deepEqual(rankOf(links), [1, 2, DEFERRED - 1])
  assert.equal(links[0]!.note, writeNote({ from: FROM }), 'nothing is kept for ranks that nobody wants')
})

test('ranks: preferred and deferred links come before and after all others, whatever the rule; preferring wins', () => {
  const patterns = { prefer: ['*/news/*', '*both*'], defer: ['*?page=*', '*both*'] }
  for (const rank of ['depth', 'inherited'] as const) {
    const ranks = ranksFor({ ...patterns, rank }, () => 1)
    const urls = ['http://b.example/news/1', 'http://b.example/?page=2', 'http://b.example/both']
    assert.deepEqual(rankOf(linksOf(urls, ranks)), [PREFERRED, DEFERRED, PREFERRED], rank)
    assert.equal(ranks.ofUrl('http://b.example/news/1', 0), PREFERRED, 'also of a seed')
    assert.deepEqual(
      urls.map(url => ranks.preference(url)),
      ['--prefer */news/*', '--defer *?page=*', '--prefer *both*'],
    )
  }
  assert.equal(ranksFor(patterns).preference('http://b.example/'), undefined)
})

test('ranks: a page divides its importance among its links, and seeds are equally important', () => {
  const ranks = ranksFor({ rank: 'inherited' })
  assert.equal(ranks.ofUrl(FROM, 0), 1)
  const [first] = linksOf(['http://b.example/1', 'http://b.example/2'], ranks)
  assert.deepEqual(readNote(first!.note), { from: FROM, share: [1, 2], rankedBy: 'importance' })
  const page = { note: first!.note, isSeed: false, linksOut: 4 }
  const [second] = linksOf(['http://b.example/3'], ranks, { page })
  assert.deepEqual(readNote(second!.note).share, [0.5, 4], 'links that are not offered again get their share, too')
})

test('ranks: importance that was divided more often is lower in rank', () => {
  const ranks = ranksFor({ rank: 'inherited' })
  let note: string | undefined
  const levels: number[] = []
  for (let n = 0; n < 12; n++) {
    const [link] = linksOf([`http://b.example/${n}`], ranks, { page: { note, isSeed: n === 0, linksOut: 10 } })
    note = link!.note
    levels.push(link!.rank)
  }
  assert.deepEqual(
    levels,
    levels.toSorted((a, b) => a - b),
  )
  assert.ok(levels[0]! < 3)
  assert.equal(levels.at(-1), LEVELS)
})

test('ranks: far from all seeds a page has little importance, and not an average one; a run may begin with it', () => {
  const from = { from: FROM, share: [Number.MIN_VALUE, 100] } as const
  const ranks = ranksFor({ rank: 'inherited' })
  const page = { note: writeNote(from), isSeed: false, linksOut: 100 }
  const [first] = linksOf(['http://b.example/1'], ranks, { page })
  assert.ok(Number.isInteger(first!.rank), String(first!.rank))
  linksOf(['http://b.example/2'], ranks)
  const [next] = linksOf(['http://b.example/3'], ranks, { page: { ...page, note: first!.note } })
  assert.equal(next!.rank, LEVELS)
})

test('ranks: a redirect passes all importance on; a sitemap and a program have none to give; nothing is unknown twice', () => {
  const ranks = ranksFor({ rank: 'inherited' })
  const note = writeNote({ from: FROM, share: [0.5, 5] })
  const [target] = linksOf(['http://b.example/'], ranks, {
    redirects: 1,
    page: { note, isSeed: false, linksOut: 1 },
  })
  assert.deepEqual(readNote(target!.note).share, [0.1, 1])
  const [named] = linksOf(['http://b.example/n'], ranks, { page: undefined })
  assert.deepEqual([named!.rank, readNote(named!.note).share], [LEVELS / 2, undefined])
  assert.equal(ranks.ofUrl('http://b.example/', 3), LEVELS / 2)
  const other = writeNote({ from: FROM, share: [1, 2] })
  linksOf(['http://b.example/o'], ranks, { page: { note: other, isSeed: false, linksOut: 2 } })
  const [next] = linksOf(['http://b.example/p'], ranks, { page: { note: named!.note, isSeed: false, linksOut: 2 } })
  assert.deepEqual(readNote(next!.note).share, [0.5, 2], 'a page that nobody gave importance counts as an average one')
})

test('ranks: the levels divide the links of a crawl, however large it is', () => {
  for (const pages of [10, 1000, 100_000]) {
    const shares = new RecentShares()
    const used = new Set<number>()
    for (let n = 1; n <= pages; n++) {
      const importance = 0.1 ** Math.floor(Math.log10(n))
      shares.add(importance, 10)
      used.add(shares.level(importance / 10))
    }
    assert.ok(used.size >= 2, `${pages} pages: ${[...used]}`)
    assert.ok(Math.min(...used) >= 1 && Math.max(...used) <= LEVELS)
  }
  const shares = new RecentShares()
  shares.add(1, 1)
  assert.equal(shares.level(Number.MIN_VALUE), LEVELS)
  assert.equal(shares.level(Number.MAX_VALUE), 1)
})

test("ranks: the caller's rule sees the link and its page, and decides before score and importance", () => {
  const seen: LinkToRank[] = []
  const ranks = ranksFor({}, link => {
    seen.push(link)
    return { 'http://b.example/1': 1, 'http://b.example/2': 0, 'http://b.example/3': 0.5 }[link.url]
  })
  const urls = [1, 2, 3, 4].map(n => `http://b.example/${n}`)
  const page = { note: undefined, isSeed: false, linksOut: 4 }
  assert.deepEqual(rankOf(linksOf(urls, ranks, { page })), [1, LEVELS, LEVELS / 2, 1])
  assert.deepEqual(rankOf(linksOf(urls, ranks, { page: { ...page, score: 0 } })), [1, LEVELS, LEVELS / 2, LEVELS])
  assert.deepEqual(seen[0], { url: urls[0], text: 'to 1', hops: 1, from: FROM, score: undefined })
  assert.equal(seen.at(-1)!.score, 0)
  for (const value of [-0.1, 1.1, Number.NaN, '1', null])
    assert.throws(
      () =>
        linksOf(
          urls,
          ranksFor({}, () => value as number),
        ),
      { code: 'CRAWL_BAD_RANK' },
    )
})

test('ranks: without a rule of the caller, the score of a page is the rank of its links', () => {
  const page = { note: undefined, isSeed: false, linksOut: 1 }
  for (const rank of ['depth', 'inherited'] as const) {
    const levels = [1, 0.9, 0.5, 0].map(score => {
      const [link] = linksOf(['http://b.example/1'], ranksFor({ rank }), { page: { ...page, score } })
      assert.deepEqual([readNote(link!.note).score, readNote(link!.note).rankedBy], [score, 'score'])
      return link!.rank
    })
    assert.deepEqual(levels, [1, 1, LEVELS / 2, LEVELS])
  }
})

const IMPORTANT = { strategy: 'important' } as const
const giftsOf = (links: readonly Link[]) => links.map(({ gives }) => gives)

test('important: a page gives each other registrable domain its share once, and its own nothing', () => {
  const urls = ['http://b.example/1', 'http://www.b.example/2', 'http://www.a.example/', 'http://c.example/no/1']
  const links = linksOf([...urls, 'http://c.example/2'], new LinkRanks({ ...settingsWith({}, 1, '1'), ...IMPORTANT }))
  assert.deepEqual(
    giftsOf(links),
    [0.2, undefined, undefined, 0.2, undefined],
    'held links come last, and give nothing',
  )
  assert.deepEqual(rankOf(links), [1, 1, 1, 1, 2], 'the rank within a host is another matter')
})

test('important: a page that is visited again gives nothing, and with another strategy no page does', () => {
  const page = { note: undefined, isSeed: true, linksOut: 1, isAgain: true }
  const ranks = ranksFor({})
  const giving = ranks.with({ ...settingsWith({}, 1, '1'), ...IMPORTANT })
  assert.deepEqual(giftsOf(linksOf(['http://b.example/'], giving, { page })), [undefined])
  assert.deepEqual(giftsOf(linksOf(['http://b.example/'], giving)), [1])
  assert.deepEqual(giftsOf(linksOf(['http://b.example/'], ranks)), [undefined])
})

test('ranks: links on a page in another language come last, unless a pattern or the program says otherwise', () => {
  const urls = ['http://b.example/1', 'http://b.example/news/1']
  const on = (language: string | undefined, settings: Partial<CrawlSettings>, rankLink?: RankLink) => {
    const page = { note: undefined, isSeed: true, linksOut: 2, language, score: 1 }
    return linksOf(urls, ranksFor({ language: ['pt', 'en'], ...settings }, rankLink), { page })
  }
  assert.deepEqual(rankOf(on('de-at', { prefer: ['*/news/*'] })), [DEFERRED, PREFERRED])
  assert.equal(readNote(on('de', {})[0]!.note).rankedBy, 'language')
  for (const same of ['pt-br', 'en', undefined]) assert.deepEqual(rankOf(on(same, {})), [1, 1], 'by the score')
  assert.deepEqual(rankOf(on('de', { language: [] })), [1, 1])
  assert.deepEqual(
    rankOf(on('de', {}, ({ url }) => (url.includes('news') ? 0.5 : undefined))).map(rank => rank === DEFERRED),
    [true, false],
  )
})

test('ranks: sets of patterns are preferred and deferred as patterns are', () => {
  const ranks = ranksFor({ prefer: ['@forums'], defer: ['@calendars'] })
  const urls = ['http://b.example/posting.php?mode=reply', 'http://b.example/agenda/2031/4', 'http://b.example/']
  assert.deepEqual(rankOf(linksOf(urls, ranks)), [PREFERRED, DEFERRED, 1])
  assert.equal(ranks.preference(urls[1]!), '--defer @calendars')
})
