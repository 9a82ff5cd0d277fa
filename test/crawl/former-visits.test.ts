// Pages that a run archived and could not settle any more.

import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type ArchiveFile, archiveFiles, openPath } from '../../src/archive/names.ts'
import { openArchive } from '../../src/archive/open-archive.ts'
import { PagesFile } from '../../src/archive/pages-file.ts'
import { archiveRecords, notModifiedRecords, revisitRecords } from '../../src/archive/records.ts'
import { type Archived, scanFile } from '../../src/archive/scan.ts'
import type { FilterLink } from '../../src/decide/filtered-links.ts'
import { readNote, readPageNote } from '../../src/decide/link-note.ts'
import { LinkRanks } from '../../src/decide/link-rank.ts'
import { RevisitPlan } from '../../src/decide/revisit-plan.ts'
import { extract } from '../../src/extract/extract.ts'
import type { CrawlFrontier, Link } from '../../src/frontier/frontier.ts'
import { openLocal } from '../../src/frontier/local/open.ts'
import { crawl } from '../../src/library/crawl.ts'
import { formerPages, offerAgain, settleFormerVisits } from '../../src/run/opening/former-visits.ts'
import { LinkRules } from '../../src/settings/link-rules.ts'
import { settingsWith } from '../../src/settings/settings.ts'

const NOW_MS = 1_700_000_000_000
const HOME = 'http://a.com/'
const PAGE = {
  ...{ url: HOME, contentType: 'text/html', robotsTags: [], agent: '' },
  body: Buffer.from('<title>T</title>some words <a href="http://b.com/x">b</a>'),
}

interface Left {
  readonly path: string
  readonly recent: readonly Archived[]
  readonly frontier: CrawlFrontier
}

interface FormerPage {
  readonly url: string
  readonly html: string
  readonly hops?: number
  readonly isPage?: boolean
}

/** Archives answers, and leaves their links waiting, as a crash would. */
async function leave(t: TestContext, answers: readonly FormerPage[]): Promise<Left> {
  const path = mkdtempSync(join(tmpdir(), 'escalona-former-'))
  t.after(() => rmSync(path, { recursive: true }))
  const options = { maker: { software: 'x', userAgent: 'x', crawlId: 'a1b2c3d4' }, now: () => NOW_MS, onRepair() {} }
  const { writer } = openArchive(path, options)
  writer.append(
    answers.map(({ url, html, hops = 0, isPage = true }) =>
      archiveRecords(
        {
          url,
          ip: '',
          requestHead: 'GET / HTTP/1.1\r\n\r\n',
          status: isPage ? 200 : 301,
          statusText: '',
          headers: ['content-type', 'text/html'],
          body: Buffer.from(html),
          truncated: undefined,
        },
        { isPage, dateMs: NOW_MS, hops },
      ),
    ),
  )
  await writer.close()
  const again = openArchive(path, options)
  await again.writer.close()
  const frontier = await openLocal()
  await frontier.offer(answers.map(({ url, hops = 0 }) => ({ url, rank: 0, hops })))
  return { path, recent: again.recent, frontier }
}

function judgesOf({ path, recent }: Pick<Left, 'path' | 'recent'>, filterLink?: FilterLink, maxDepth = 9) {
  const pages = new PagesFile(join(path, 'pages.jsonl'), { files: recent.map(({ file }) => file), onRepair() {} })
  const rules = new LinkRules(
    {
      scope: 'any',
      seeds: [],
      include: [],
      exclude: [],
      maxDepth,
      loops: 'no',
      follow: 'links',
      nearDuplicates: 'hold',
    },
    host => host,
  )
  const ranks = new LinkRanks(settingsWith({}, 1, '1'))
  const judges = { rules, held: { take: () => true }, ranks, earlier: formerPages(path), filterLink }
  return { crawl: path, pages, agent: 'escalona', ...judges }
}

/** Returns the lines of pages.jsonl. */
async function settle({ path, recent, frontier }: Left, filterLink?: FilterLink, maxDepth = 9, plan?: RevisitPlan) {
  const deps = judgesOf({ path, recent }, filterLink, maxDepth)
  await settleFormerVisits(recent, { ...deps, frontier, plan })
  await deps.pages.close()
  const text = readFileSync(join(path, 'pages.jsonl'), 'utf8')
  return text
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line) as Record<string, unknown>)
}

async function waitingAt(frontier: CrawlFrontier, host: string): Promise<readonly Link[]> {
  return (await frontier.waiting(host, { limit: 10_000 })).items
}

test('ours: a page that was archived and not settled is done, gets its line, and its links are one link farther', async t => {
  const left = await leave(t, [
    { url: HOME, html: '<title>T</title>some words <a href="http://b.com/x">b</a>', hops: 4 },
  ])
  const [line, ...more] = await settle(left)
  const { url, title, hops, linksOut, status } = line!
  assert.deepEqual({ url, title, hops, linksOut, status }, { url: HOME, title: 'T', hops: 4, linksOut: 1, status: 200 })
  assert.deepEqual(more, [])
  const { done, pages, waiting } = await left.frontier.counts()
  assert.deepEqual({ done, pages, waiting }, { done: 1, pages: 1, waiting: 1 })
  const [link] = await waitingAt(left.frontier, 'b.com')
  assert.deepEqual([link!.url, link!.hops, readNote(link!.note).from], ['http://b.com/x', 5, HOME])
})

test('ours: a page with thousands of links brings all of them', async t => {
  const html = Array.from({ length: 2500 }, (_, n) => `<a href="/${n}">${n}</a>`).join('')
  const left = await leave(t, [{ url: HOME, html }])
  await settle(left)
  assert.equal((await left.frontier.counts()).waiting, 2500)
  assert.equal(new Set((await waitingAt(left.frontier, 'a.com')).map(({ url }) => url)).size, 2500)
})

test('ours: links of one page to more than a thousand other hosts are not followed, now as then', async t => {
  const hosts = Array.from({ length: 1100 }, (_, n) => `<a href="http://h${n}.com/">${n}</a>`)
  const left = await leave(t, [{ url: HOME, html: `${hosts.join('')}<a href="/own">own</a>` }])
  await settle(left)
  assert.equal((await left.frontier.counts()).waiting, 1001)
})

test('ours: a line that is there is not written again, and what was settled is not settled again', async t => {
  const left = await leave(t, [{ url: HOME, html: '' }])
  await settle(left)
  assert.equal((await settle(left)).length, 1)
  assert.equal((await left.frontier.counts()).done, 1)
})

test('ours: limits and the caller’s own rule hold for the links of former pages, too', async t => {
  const page = { url: HOME, html: '<a href="/1"></a><a href="/2"></a>', hops: 3 }
  const filtered = await leave(t, [page])
  const asked: unknown[] = []
  await settle(filtered, link => {
    asked.push(link)
    return link.url.endsWith('/2')
  })
  assert.deepEqual(asked[0], { url: 'http://a.com/1', from: HOME, hops: 4, page: { url: 'http://a.com/' } })
  assert.deepEqual(
    (await waitingAt(filtered.frontier, 'a.com')).map(({ url }) => url),
    ['http://a.com/2'],
  )
  const limited = await leave(t, [page])
  await settle(limited, undefined, 3)
  assert.equal((await limited.frontier.counts()).waiting, 0)
})

const REPEATED = Array.from({ length: 100 }, (_, n) => `word${n * n}`).join(' ')

test('rule 5.19: a link that a repeated page had held waits once another former page leads to it', async t => {
  const left = await leave(t, [
    { url: HOME, html: `${REPEATED} <a href="/x"></a>` },
    { url: `${HOME}s2`, html: `${REPEATED} <a href="/y"></a> <a href="/never"></a>` },
    { url: `${HOME}end`, html: '<a href="/y">y</a>' },
  ])
  await settle(left)
  const waiting = (await waitingAt(left.frontier, 'a.com')).map(({ url }) => url)
  assert.deepEqual(waiting.sort(), [`${HOME}x`, `${HOME}y`])
  assert.deepEqual((await left.frontier.counts()).refusedFor, { 'near-duplicate': 1 })
})

test('rule 5.19: rebuilt from the archive, such a link waits, or is the page that it became', async t => {
  const bodies: Readonly<Record<string, string>> = {
    '/': '<a href="/s1">1</a> <a href="/s2">2</a> <a href="/end">e</a>',
    '/s1': REPEATED,
    '/s2': `${REPEATED} <a href="/y"></a>`,
    '/end': '<a href="/y">y</a>',
  }
  const asked: string[] = []
  const server = createServer(({ url = '' }, response) => {
    asked.push(url)
    response.setHeader('content-type', 'text/html')
    response.end(url === '/robots.txt' ? '' : (bodies[url] ?? 'y'))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const folder = mkdtempSync(join(tmpdir(), 'escalona-rebuilt-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const home = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const options = { seeds: [home], folder, delayMs: 0, workers: 1, allowNetworks: ['127.0.0.0/8'] }
  await crawl({ ...options, limit: 4 }).run()
  assert.ok(!asked.includes('/y'))
  for (const what of ['it waited', 'it is a page']) {
    rmSync(join(folder, 'frontier'), { recursive: true })
    const { frontier } = await crawl({ ...options, limit: Infinity, rebuild: true }).run()
    assert.deepEqual([frontier.pages, frontier.refused], [5, 0], what)
  }
  assert.equal(asked.filter(path => path === '/y').length, 1)
})

test('ours: redirects and robots.txt are no pages', async t => {
  const left = await leave(t, [{ url: HOME, html: '', isPage: false }])
  assert.deepEqual(await settle(left), [])
  assert.equal((await left.frontier.counts()).waiting, 1)
})

test('recrawl: a 304 that was not settled keeps the version that was asked with, also when its original was moved away', async t => {
  for (const isThere of [true, false]) {
    const path = mkdtempSync(join(tmpdir(), 'escalona-former-'))
    t.after(() => rmSync(path, { recursive: true }))
    const options = { maker: { software: 'x', userAgent: 'x', crawlId: 'a1b2c3d4' }, now: () => NOW_MS, onRepair() {} }
    const { writer } = openArchive(path, options)
    const answer = {
      ...{ url: HOME, ip: '', requestHead: 'GET / HTTP/1.1\r\n\r\n', statusText: '', truncated: undefined },
      ...{
        status: 200,
        headers: ['content-type', 'text/html', 'etag', '"old"'],
        body: Buffer.from('<title>T</title>'),
      },
    }
    const full = archiveRecords(answer, { isPage: true, dateMs: NOW_MS - 9000, hops: 0 })
    const [place] = writer.append([full])
    const { recordId, date, payloadDigest } = full
    const original = { ...place!, ...(!isThere && { file: 'moved.warc.gz' }), recordId, url: HOME, date, payloadDigest }
    const not = { ...answer, status: 304, headers: [], body: Buffer.alloc(0) }
    writer.append([notModifiedRecords(not, { isPage: true, dateMs: NOW_MS, hops: 0 }, original)])
    await writer.close()
    const again = openArchive(path, options)
    await again.writer.close()

    const plan = new RevisitPlan(settingsWith({}, 2, '1.0'))
    const known = { original, validators: { etag: '"new"' }, textDigest: 'D', isWhole: true }
    const facts = { title: 'T', bytes: 16, tokens: 0, linksOut: 0 }
    const { file, offset, length } = original
    const before = plan.first({ place: { file, offset, length }, known, facts }, NOW_MS - 5000)
    const frontier = await openLocal()
    await frontier.offer([{ url: HOME, rank: 0, hops: 0 }])
    const visit = { url: HOME, isPage: true, links: [], dateMs: NOW_MS - 5000 }
    await frontier.settleFormer([{ ...visit, again: plan.again({ url: HOME }, before) }])
    const lines = await settle({ path, recent: again.recent.slice(-1), frontier }, undefined, 9, plan)
    const { change, etag, title, bytes } = lines[0]!
    assert.deepEqual({ change, etag, title, bytes }, { change: 'same', etag: '"new"', title: 'T', bytes: 16 })
    const view = await frontier.link(HOME)
    const page = readPageNote(HOME, view!.note)!
    assert.deepEqual([page.unchanged, page.known!.validators.etag, page.known!.isWhole], [1, '"new"', true])
    assert.deepEqual([view!.again!.visitedAtMs, page.place.file], [NOW_MS, original.file])
  }
})

test('ours: the lines of many visits again are made anew in one pass', { timeout: 15_000 }, async t => {
  const path = mkdtempSync(join(tmpdir(), 'escalona-former-'))
  t.after(() => rmSync(path, { recursive: true }))
  const options = { maker: { software: 'x', userAgent: 'x', crawlId: 'a1b2c3d4' }, now: () => NOW_MS, onRepair() {} }
  const { writer } = openArchive(path, options)
  const urls = Array.from({ length: 400 }, (_, n) => `http://a.com/${n}`)
  for (const url of urls) {
    const answer = {
      ...{ url, ip: '', requestHead: 'GET / HTTP/1.1\r\n\r\n', statusText: '', truncated: undefined },
      ...{ status: 200, headers: ['content-type', 'text/html'], body: Buffer.from(url) },
    }
    const full = archiveRecords(answer, { isPage: true, dateMs: NOW_MS - 9000, hops: 0 })
    const [place] = writer.append([full])
    const { recordId, date, payloadDigest } = full
    const original = { ...place!, recordId, url, date, payloadDigest }
    writer.append([revisitRecords(answer, { isPage: true, dateMs: NOW_MS, hops: 0 }, original)])
  }
  // The file is still in progress, so no index knows of it.
  await writer.sync()
  const [{ name }] = archiveFiles(path) as [ArchiveFile]
  const recent = scanFile(openPath(path, name), name).archived
  const frontier = await openLocal()
  await frontier.offer(urls.map(url => ({ url, rank: 0, hops: 0 })))
  const plan = new RevisitPlan(settingsWith({}, 2, '1.0'))
  const lines = await settle({ path, recent, frontier }, undefined, 9, plan)
  await writer.close()
  for (const change of ['new', 'same'])
    assert.deepEqual(
      lines.filter(line => line.change === change).map(({ url }) => url),
      urls,
    )
})

test('recrawl: a page whose line says that it is gone, and that was not settled, is not planned any more', async t => {
  const { path, recent, frontier } = await leave(t, [{ url: HOME, html: '', isPage: false }])
  const again = { afterMs: 1000, gain: 1 }
  await frontier.settleFormer([{ url: HOME, isPage: true, links: [], dateMs: NOW_MS - 5000, again }])
  const { file, offset, length } = recent[0]!
  assert.deepEqual(await settle({ path, recent, frontier }), [])
  assert.equal((await frontier.counts()).planned, 1, 'another answer is none')
  const line = { url: HOME, status: 404, title: '', bytes: 0, tokens: 0, hops: 0, linksOut: 0, dateMs: NOW_MS }
  const pages = new PagesFile(join(path, 'pages.jsonl'), { files: [], onRepair() {} })
  pages.append([{ ...line, change: 'gone', file, offset, length }])
  await pages.close()
  assert.equal((await settle({ path, recent, frontier })).length, 1)
  const { planned, done } = await frontier.counts()
  assert.deepEqual({ planned, done }, { planned: 0, done: 1 })
})

test('shared recrawl: a visit again that was not settled is compared with what the note says, if the original is elsewhere', async t => {
  const place = { file: 'other/1.warc.gz', offset: 7, length: 9 }
  const original = { ...place, recordId: 'urn:uuid:1', url: HOME, date: '2023-01-01T00:00:00Z', payloadDigest: 'X' }
  const plan = new RevisitPlan(settingsWith({}, 2, '1.0'), 'me')
  const facts = { title: '', bytes: 1, tokens: 1, linksOut: 0 }
  for (const [textDigest, change] of [
    ['another', 'changed'],
    [extract({ ...PAGE, wanted: { textDigest: true } }).textDigest, 'same'],
    [undefined, 'changed'],
  ] as const) {
    const left = await leave(t, [{ url: HOME, html: PAGE.body.toString() }])
    const known = { original, validators: {}, textDigest, isWhole: true }
    const again = plan.again({ url: HOME }, plan.first({ place, known, facts }, NOW_MS - 5000))
    await left.frontier.settleFormer([{ url: HOME, isPage: true, links: [], dateMs: NOW_MS - 5000, again }])
    const [line] = await settle(left, undefined, 9, plan)
    assert.equal(line!.change, change)
    const view = await left.frontier.link(HOME)
    assert.equal(view!.again!.visitedAtMs, NOW_MS)
    // From now on the record is here: other machines know by its name that it is not theirs.
    assert.equal(plan.stateIn(HOME, view!.note)!.place.file, left.recent[0]!.file)
    assert.equal(readPageNote(HOME, view!.note)!.place.file, `me/${left.recent[0]!.file}`)
  }
})

test('shared recrawl: what a frontier has forgotten is planned again by the archive', async t => {
  const left = await leave(t, [{ url: HOME, html: PAGE.body.toString() }])
  const plan = new RevisitPlan(settingsWith({}, 2, '1.0'), 'me')
  const again = { afterMs: 1000, gain: 1 }
  const older = { url: HOME, isPage: true, links: [], dateMs: NOW_MS - 5000, again }
  // One has forgotten all, one the last visit only.
  for (const frontier of [await openLocal(), left.frontier]) {
    if (frontier === left.frontier) await frontier.settleFormer([older])
    await offerAgain(left.recent, { ...judgesOf(left), frontier, plan }, 9)
    const { pages, planned, waiting } = await frontier.counts()
    assert.deepEqual({ pages, planned, waiting }, { pages: 1, planned: 1, waiting: 1 })
    const view = await frontier.link(HOME)
    assert.equal(view!.again!.visitedAtMs, NOW_MS)
    assert.equal(plan.stateIn(HOME, view!.note)!.place.file, left.recent[0]!.file)
  }
})
