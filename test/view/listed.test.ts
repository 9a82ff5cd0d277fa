// Which links are listed: pages from their file, all others from the frontier, page by page.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PageLine } from '../../src/archive/pages-file.ts'
import { shellWord } from '../../src/base/words/printable.ts'
import type { LinkView } from '../../src/frontier/frontier.ts'
import { choiceOptions, countOf } from '../../src/settings/link-choice.ts'
import { type ListFilter, listed } from '../../src/view/listed.ts'
import type { Source } from '../../src/view/questions/questions.ts'

function pageLine(url: string, change: PageLine['change']): PageLine {
  return { url, change, status: 200, title: 't', bytes: 1, tokens: 1, hops: 0, linksOut: 0, dateMs: 0 } as PageLine
}

function link(n: number, reason?: string): LinkView {
  return {
    url: `http://a.com/${n}`,
    host: 'a.com',
    hops: 1,
    attempts: 1,
    rank: 1,
    ...(reason && { reason }),
  } as LinkView
}

const REFUSED = [link(1, 'robots'), link(2, 'timeout'), link(3, 'status-404')]
const LEASED = [{ ...link(500), hops: 0 }]
const WAITING = Array.from({ length: 120 }, (_, n) => link(1000 + n))

/** A frontier that answers in pages of 50. */
const SOURCE: Source = {
  ask: async (name: string, question: unknown) => {
    if (name === 'status') return { frontier: { refusedFor: { robots: 1, timeout: 1, 'status-404': 1 } } } as never
    const { which, page } = question as { which: { state: string; reasons?: string[] }; page: { after?: string } }
    const refused = () => REFUSED.filter(({ reason }) => which.reasons!.includes(reason!))
    const all = which.state === 'waiting' ? WAITING : which.state === 'leased' ? LEASED : refused()
    const start = Number(page.after ?? 0)
    const next = start + 50 < all.length ? String(start + 50) : undefined
    return { items: all.slice(start, start + 50), next } as never
  },
}

async function urls(which: ListFilter): Promise<string[]> {
  const pages = async function* () {
    yield pageLine('http://a.com/p', 'new')
    yield pageLine('http://a.com/p', 'same')
    yield pageLine('http://b.com/q', 'new')
  }
  const found: string[] = []
  for await (const { url } of listed(which, SOURCE, pages)) found.push(url)
  return found
}

test('list: a page that was visited again is listed once', async () => {
  assert.deepEqual(await urls({ states: ['done'] }), ['http://a.com/p', 'http://b.com/q'])
  assert.deepEqual(await urls({ states: ['done'], host: 'b.*' }), ['http://b.com/q'])
})

test('list: a reason, or a pattern of reasons, lists the links with it and no others', async () => {
  assert.deepEqual(await urls({ reason: 'timeout' }), ['http://a.com/2'])
  assert.deepEqual(await urls({ reason: 'status-4*' }), ['http://a.com/3'])
  assert.deepEqual(await urls({ states: ['failed'] }), ['http://a.com/2'])
})

test('list: it does not end with the first page of an answer', async () => {
  assert.equal((await urls({ states: ['waiting'] })).length, 120)
})

test('list: links that are being fetched, seeds, and a text in the URL', async () => {
  assert.deepEqual(await urls({ states: ['leased'] }), ['http://a.com/500'])
  assert.deepEqual(await urls({ states: ['leased', 'failed'], origin: 'seed' }), ['http://a.com/500'])
  assert.deepEqual(await urls({ origin: 'found', q: ' /2' }), ['http://a.com/2'])
  assert.deepEqual(await urls({ q: 'COM/Q' }), ['http://b.com/q'])
})

test('list: what a choice counts without looking at the links is what it lists', async () => {
  const counts = { waiting: 120, leased: 1, pages: 2, refusedFor: { robots: 1, timeout: 1, 'status-404': 1 } }
  const choices: ListFilter[] = [{}, { states: ['failed', 'waiting'] }, { reason: 'status-*' }, { states: ['refused'] }]
  for (const which of choices) assert.equal(countOf(which, counts), (await urls(which)).length, JSON.stringify(which))
  assert.equal(countOf({ host: 'a.com' }, counts), undefined)
  assert.equal(countOf({ q: '/2' }, counts), undefined)
})

test('list: a choice as options of the command line', () => {
  const which = { states: ['failed', 'held'], reason: 'status-4*', host: 'a.com', q: "it's" } as const
  assert.equal(
    choiceOptions(which),
    `--state failed --state held --reason ${shellWord('status-4*')} --host a.com --search ${shellWord("it's")}`,
  )
})
