import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EscalonaError } from '../../../src/base/errors.ts'
import { setLanguage } from '../../../src/base/words/language.ts'
import { isWhere, parseWhere, shownWhere } from '../../../src/frontier/redis/engine/where.ts'

function refusal(text: string): string {
  try {
    parseWhere(text)
  } catch (error) {
    assert.equal((error as EscalonaError).code, 'FRONTIER_BAD_URL')
    return (error as Error).message
  }
  throw new Error(`${text} was accepted`)
}

test('Redis: the URL of a shared crawl names nodes, crawl, shards and replicas', () => {
  assert.deepEqual(parseWhere('redis://10.0.0.1:7000,cache.example.org:7001,[::1]:7002/news-2026?shards=1024&wait=2'), {
    addresses: [
      { host: '10.0.0.1', port: 7000 },
      { host: 'cache.example.org', port: 7001 },
      { host: '::1', port: 7002 },
    ],
    isTls: false,
    username: undefined,
    password: undefined,
    name: 'news-2026',
    shards: 1024,
    wait: 2,
  })
  const plain = parseWhere('redis://localhost/a')
  assert.deepEqual(
    [plain.addresses, plain.shards, plain.wait],
    [[{ host: 'localhost', port: 6379 }], undefined, undefined],
  )
  assert.equal(parseWhere('rediss://h/a').isTls, true)
  assert.equal(parseWhere('redis://h/a?wait=0').wait, 0)
})

test('Redis: the password comes with the URL, or from elsewhere if it has none', () => {
  const both = parseWhere('redis://ada:p%40ss%3A%2F@h:1/a', 'other')
  assert.deepEqual([both.username, both.password], ['ada', 'p@ss:/'])
  assert.equal(parseWhere('redis://:secret@h:1/a').password, 'secret')
  assert.equal(parseWhere('redis://h:1/a', 'other').password, 'other')
  assert.equal(parseWhere('redis://ada@h:1/a', 'other').password, 'other')
  assert.equal(parseWhere('redis://h:1/a', '').password, undefined)
})

test('ours: a URL is shown without its password, and says the same when it is read again', () => {
  const where = parseWhere('rediss://ada:secret@h:1,[::1]:2/a?wait=1&shards=8')
  assert.equal(shownWhere(where), 'rediss://ada@h:1,[::1]:2/a?shards=8&wait=1')
  assert.deepEqual(parseWhere(shownWhere(where), 'secret'), where)
  assert.equal(shownWhere(parseWhere('redis://:secret@h/a')), 'redis://h:6379/a')
})

test('ours: a URL that is wrong is refused with what is wrong, and never with its password', () => {
  assert.match(refusal('http://h:1/a'), /write redis:\/\/HOST:PORT\/NAME/)
  assert.match(refusal('redis://h:1'), /needs a name/)
  assert.match(refusal('redis://h:1/'), /needs a name/)
  assert.match(refusal('redis://h:1/a{b}'), /needs a name/)
  assert.match(refusal('redis://h:1/a/b'), /needs a name/)
  assert.match(refusal(`redis://h:1/${'a'.repeat(101)}`), /needs a name/)
  assert.match(refusal('redis://h:0/a'), /"h:0" is not HOST:PORT/)
  assert.match(refusal('redis://h:65536/a'), /not HOST:PORT/)
  assert.match(refusal('redis://h:1,/a'), /"" is not HOST:PORT/)
  assert.match(refusal('redis://::1:5/a'), /not HOST:PORT/)
  assert.match(refusal('redis://h/a?shards=0'), /shards must be given once, as a number from 1 to 4096/)
  assert.match(refusal('redis://h/a?shards=4097'), /from 1 to 4096/)
  assert.match(refusal('redis://h/a?shards=1&shards=2'), /given once/)
  assert.match(refusal('redis://h/a?wait=-1'), /wait must be/)
  assert.match(refusal('redis://h/a?wat=1'), /"wat" is unknown; use shards and wait/)
  assert.match(refusal('redis://u:%zz@h/a'), /percent-encoded/)
  for (const text of [
    'redis://u:secret@h:0/a',
    'redis://u:secret@h',
    'redis://u:secret@x@h/a',
    'redis:/u:secret@h/a',
  ]) {
    assert.doesNotMatch(refusal(text), /secret/, text)
  }
  assert.ok(!refusal('redis://h\u001b[2J/a').includes('\u001b'))
})

test('ours: what is wrong with a URL is said in Portuguese too', t => {
  t.after(() => setLanguage('en'))
  setLanguage('pt')
  assert.match(refusal('redis://h:1'), /não é a URL de uma coleta compartilhada: falta um nome/)
})

test('ours: a folder is not taken for a URL', () => {
  assert.ok(isWhere('redis://h/a') && isWhere('REDISS://h/a'))
  assert.ok(isWhere('valkey://u:secret@h/a') && isWhere('http://h/a'))
  assert.ok(!isWhere('redis') && !isWhere('./redis://x'))
})
