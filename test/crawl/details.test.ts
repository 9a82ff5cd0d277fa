import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BoundedTable } from '../../src/folder/stats/bounded-table.ts'
import { Details, PageSamples } from '../../src/folder/stats/details.ts'

const page = (url: string) => ({ url, title: `title of ${url}`, bytes: 10, tokens: 2, hops: 1 })
const reread = (details: Details) => new Details(JSON.parse(JSON.stringify(details)))

test('ours: a bounded table keeps the heaviest, says how heavy the rest was, and survives JSON', () => {
  const table = new BoundedTable<number>(10, weight => weight)
  for (let n = 0; n < 1000; n++) table.set(`n${(n * 37) % 1000}`, (n * 37) % 1000)
  const { entries, floor } = table.toJSON()
  assert.deepEqual(
    entries.map(([name]) => name),
    Array.from({ length: 10 }, (_, place) => `n${999 - place}`),
  )
  assert.equal(floor, 989)
  const again = new BoundedTable<number>(10, weight => weight, JSON.parse(JSON.stringify(table)))
  assert.deepEqual(again.toJSON(), table.toJSON())
  assert.equal(new BoundedTable<number>(10, weight => weight, { floor: 0, entries: [] }).floor, 0)
})

test('ours: samples are the same whatever the order in which pages come, and however often', () => {
  const urls = Array.from({ length: 500 }, (_, place) => `http://a.example/${place}`)
  const one = new PageSamples()
  for (const url of urls) one.add(page(url), 'words')
  const other = new PageSamples()
  for (const url of [...urls].reverse()) other.add(page(url), 'words')
  for (const url of urls.slice(0, 100)) other.add(page(url), 'words')
  assert.equal(one.toJSON().length, 12)
  assert.deepEqual(other.toJSON(), one.toJSON())
  const resumed = new PageSamples(one.toJSON())
  assert.deepEqual(resumed.toJSON(), one.toJSON())
  const sampled = one.toJSON().map(({ url }) => Number(url.split('/').at(-1)))
  assert.ok(Math.min(...sampled) < 200 && Math.max(...sampled) > 300, `${sampled}`)
})

test('ours: details go on over a restart, and names from the web are bounded', () => {
  let details = new Details()
  for (let n = 0; n < 1000; n++) {
    details.addPage({ ...page(`http://a.example/${n}`), language: `l${n}` }, '')
    details.record({ kind: 'refused', url: 'http://a.example/x', reason: `r${n}`, type: `t/${n}` })
    details.record({ kind: 'failed', url: `http://h${n % 300}.example/${n}`, why: 'timeout' })
    if (n === 500) details = reread(details)
  }
  const { languages, refusedTypes, examples, failingHosts } = details.toJSON()
  const sum = (counts: Readonly<Record<string, number>>) => Object.values(counts).reduce((all, count) => all + count, 0)
  assert.deepEqual([sum(languages), sum(refusedTypes)], [1000, 1000])
  assert.ok(Object.keys(languages).length <= 201 && Object.keys(refusedTypes).length <= 201)
  assert.ok(languages.other! > 700)
  assert.ok(Object.keys(examples).length <= 100)
  assert.equal(failingHosts.entries.length, 50)
  assert.ok(failingHosts.floor > 0, 'it says that hosts were dropped')
  assert.ok(JSON.stringify(details).length < 100_000)
})

test('details: slow hosts, hosts that ask for time, and hosts that are gone are found', () => {
  const details = new Details()
  for (let n = 0; n < 300; n++) {
    const url = `http://h${n}.example/`
    for (let time = 0; time < 5; time++)
      details.record({ kind: 'answered', url, status: 200, wireBytes: 1, tookMs: n === 250 ? 900 : 10 + (n % 7) })
  }
  details.record({ kind: 'answered', url: 'http://once.example/', status: 200, wireBytes: 1, tookMs: 1000 })
  details.record({
    kind: 'answered',
    url: 'http://busy.example/',
    status: 503,
    wireBytes: 1,
    tookMs: 5,
    retryAfterMs: 60_000,
  })
  details.record({
    kind: 'answered',
    url: 'http://busy.example/',
    status: 503,
    wireBytes: 1,
    tookMs: 5,
    retryAfterMs: 30_000,
  })
  details.record({ kind: 'failed', url: 'http://gone.example/a', why: 'dns' })
  details.record({ kind: 'gone', host: 'gone.example', why: 'dns', links: 41 })
  const { slowHosts, retryAfter, failingHosts, examples } = details.toJSON()
  assert.deepEqual(
    slowHosts.entries.slice(0, 2).map(([host]) => host),
    ['h250.example', 'once.example'],
  )
  assert.deepEqual(retryAfter.entries, [['busy.example', 60_000]])
  assert.deepEqual(failingHosts.entries, [['gone.example', { links: 42, url: 'http://gone.example/a', reason: 'dns' }]])
  assert.deepEqual(examples, { dns: ['http://gone.example/a'] })
})
