// Searching gives what a naive search gives, on generated texts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EscalonaError } from '../../src/base/errors.ts'
import { Search } from '../../src/search/search.ts'
import { updateIndex } from '../../src/search/update-index.ts'
import { GrowingCrawl, naiveSearch, numbersOf, randomPages, wordsOf } from './growing-crawl.ts'

const ALL = { limit: 10_000 }

test('search: words, phrases and hosts find what a naive search finds, in one segment and in many', async t => {
  const seed = Number(process.env.ESCALONA_SEED ?? 7)
  t.diagnostic(`seed ${seed}`)
  const pages = randomPages(600, seed)
  const crawl = new GrowingCrawl(t)
  const search = new Search(crawl.folder, () => 0)
  t.after(() => search.close())
  const next = numbersOf(seed + 1)
  const some = <Value>(list: readonly Value[]) => list[Math.floor(next() * list.length)]!
  for (let begun = 0; begun < pages.length; begun += 200) {
    await crawl.add(pages.slice(begun, begun + 200))
    await updateIndex(crawl.folder, { workers: 1 })
    const known = pages.slice(0, begun + 200)
    for (let question = 0; question < 60; question++) {
      const words = wordsOf(some(known).text)
      const at = Math.floor(next() * words.length)
      const clauses =
        question % 3 === 0
          ? [words.slice(at, at + 2 + (question % 4)).join(' ')]
          : question % 3 === 1
            ? [some(words), some(words)]
            : [words.slice(at, at + 2).join(' '), some(words)]
      const host = question % 5 === 0 ? `h${question % 3}.example` : undefined
      const q = clauses.map(clause => (clause.includes(' ') ? `"${clause}"` : clause)).join(' ')
      const { items, total, isEstimate } = await search.find({ q, host }, ALL)
      const found = items.map(({ url }) => url)
      assert.deepEqual(found.toSorted(), naiveSearch(known, clauses, host), `seed ${seed}: ${q} ${host ?? ''}`)
      assert.deepEqual([total, isEstimate], [found.length, false], q)
      const scores = items.map(({ score }) => score)
      assert.deepEqual(
        scores,
        scores.toSorted((a, b) => b - a),
        'the best first',
      )
    }
  }
})

test('search: part of what is found is the same as in the whole', async t => {
  const crawl = new GrowingCrawl(t)
  await crawl.add(
    Array.from({ length: 95 }, (_, n) => ({ url: `http://a.example/${n}`, text: `word ${'more '.repeat(n)}` })),
  )
  await updateIndex(crawl.folder, { workers: 1 })
  const search = new Search(crawl.folder, () => 0)
  t.after(() => search.close())
  const whole = (await search.find({ q: 'word' }, ALL)).items.map(({ url }) => url)
  assert.equal(whole.length, 95)
  for (const offset of [0, 10, 90, 95, 200]) {
    const { items, total } = await search.find({ q: 'word' }, { offset, limit: 10 })
    assert.deepEqual([items.map(({ url }) => url), total], [whole.slice(offset, offset + 10), 95])
  }
})

test('search: what counts more is higher: rare words, short texts, titles, and then the newest', async t => {
  const crawl = new GrowingCrawl(t)
  const long = 'nothing of this matters '.repeat(30)
  await crawl.add([
    { url: 'http://a.example/once', text: `${long} vaccine` },
    { url: 'http://a.example/often', text: `${long} vaccine vaccine vaccine` },
    { url: 'http://a.example/title', title: 'Vaccine', text: long },
    { url: 'http://a.example/short', text: 'a vaccine' },
    { url: 'http://a.example/old', text: 'equal equal' },
    { url: 'http://a.example/new', text: 'equal equal' },
  ])
  await updateIndex(crawl.folder, { workers: 1 })
  const search = new Search(crawl.folder, () => 0)
  t.after(() => search.close())
  const paths = async (q: string) => (await search.find({ q })).items.map(({ url }) => new URL(url).pathname)
  assert.deepEqual(await paths('vaccine'), ['/title', '/short', '/often', '/once'])
  assert.deepEqual(await paths('equal'), ['/new', '/old'])
})

test('search: case, accents and ligatures do not matter; words in many scripts are found', async t => {
  const crawl = new GrowingCrawl(t)
  await crawl.add([
    { url: 'http://a.example/pt', text: 'A GRADUAÇÃO em Ciência da Computação, d’água e pão-de-queijo' },
    { url: 'http://a.example/decomposed', text: 'graduac\u0327a\u0303o' },
    { url: 'http://a.example/de', text: 'Straße, Œuvre, ﬁnden, Łódź' },
    { url: 'http://a.example/ru', text: 'Всеволод Йод' },
    { url: 'http://a.example/ja', text: '東京都に住む' },
    { url: 'http://a.example/math', text: '𝐛𝐨𝐥𝐝 and ½ cup' },
  ])
  await updateIndex(crawl.folder, { workers: 1 })
  const search = new Search(crawl.folder, () => 0)
  t.after(() => search.close())
  const paths = async (q: string) =>
    (await search.find({ q })).items
      .map(({ url }) => new URL(url).pathname.slice(1))
      .sort()
      .join(' ')
  const expected: Readonly<Record<string, string>> = {
    graduacao: 'decomposed pt',
    GRADUAÇÃO: 'decomposed pt',
    'ciencia computacao': 'pt',
    'pao-de-queijo': 'pt',
    '"pão queijo"': '',
    agua: 'pt',
    strasse: 'de',
    'STRASSE oeuvre FINDEN lodz': 'de',
    'всеволод йод': 'ru',
    東京: 'ja',
    京東: '',
    bold: 'math',
    '“ciência da computação”': 'pt',
    'site:a.example bold': 'math',
    'site:b.example bold': '',
    'a.example/ja': 'ja',
  }
  for (const [q, found] of Object.entries(expected)) assert.equal(await paths(q), found, q)
})

test('search: days and moments limit the visits, both included', async t => {
  const crawl = new GrowingCrawl(t)
  await crawl.add([0, 1, 2, 3].map(day => ({ url: `http://a.example/${day}`, text: 'day', day })))
  await updateIndex(crawl.folder, { workers: 1 })
  const search = new Search(crawl.folder, () => 0)
  t.after(() => search.close())
  const all = (await search.find({ q: 'day' })).items.toSorted((a, b) => a.dateMs - b.dateMs)
  const dayOf = (n: number) => new Date(all[n]!.dateMs).toISOString().slice(0, 10)
  const count = async (filter: object, q = 'day') => (await search.find({ q, ...filter })).total
  assert.equal(await count({ since: dayOf(1) }), 3)
  assert.equal(await count({ until: dayOf(1) }), 2)
  assert.equal(await count({ since: dayOf(1), until: dayOf(2) }), 2)
  assert.equal(await count({ since: new Date(all[2]!.dateMs).toISOString() }), 2)
  assert.equal(await count({}, `day since:${dayOf(3)}`), 1)
  for (const since of ['yesterday', '2026-13-01', '1', '2026-01-01; rm'])
    await assert.rejects(search.find({ q: 'day', since }), { code: 'SEARCH_BAD_QUERY' })
})

test('search: a question without words, or with too many, is refused in the language of whoever asks', async t => {
  const crawl = new GrowingCrawl(t)
  const search = new Search(crawl.folder, () => 0)
  for (const q of ['', '   ', '"', '!?', 'site:a.example'])
    await assert.rejects(search.find({ q }), (error: EscalonaError) => {
      assert.equal(error.code, 'SEARCH_BAD_QUERY')
      assert.match(error.messageIn('pt'), /não há palavra a buscar/)
      return true
    })
  const words = Array.from({ length: 65 }, (_, n) => `w${n}`).join(' ')
  await assert.rejects(search.find({ q: words }), /at most 64 different words/)
  assert.deepEqual((await search.find({ q: 'anything' })).items, [], 'without an index nothing is found')
})
