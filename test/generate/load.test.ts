import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { Load, type LoadShape } from '../../src/generate/load.ts'
import { factsOf, type Sample } from './load-statistics.ts'

const DEFAULT: LoadShape = { hosts: 10, urls: 3, urlSpread: 1, depth: 3, depthSpread: 1, seed: 1 }

function textOf(shape: Partial<LoadShape>): string {
  const parts: Buffer[] = []
  for (const chunk of new Load({ ...DEFAULT, ...shape }).chunks()) parts.push(Buffer.from(chunk))
  return Buffer.concat(parts).toString('latin1')
}

function within2Percent(what: string, found: Sample, mean: number, spread: number): void {
  assert.ok(Math.abs(found.mean / mean - 1) < 0.02, `${what}: mean ${found.mean}, asked ${mean}`)
  assert.ok(Math.abs(found.spread / spread - 1) < 0.02, `${what}: spread ${found.spread}, asked ${spread}`)
}

test('rule 4.1: a load of a million has the means and spreads that were asked for, within 2 %', () => {
  const facts = factsOf(textOf({ hosts: 200_000, urls: 5, urlSpread: 2, depth: 4, depthSpread: 1.5 }))
  assert.equal(facts.hosts, 200_000)
  assert.ok(facts.urls > 980_000)
  within2Percent('URLs a host', facts.urlsAHost, 5, 2)
  within2Percent('depth', facts.depth, 4, 1.5)
  within2Percent('letters a word', facts.wordLetters, 6, 2)
  within2Percent('words a host', facts.wordsAHost, 3, 1)
})

test('rule 4.1: the defaults keep their means and spreads too, though 1 is near', () => {
  const facts = factsOf(textOf({ hosts: 100_000 }))
  within2Percent('URLs a host', facts.urlsAHost, 3, 1)
  within2Percent('depth', facts.depth, 3, 1)
})

test('rule 4.1: a wide spread above the least value 1 is met', () => {
  const facts = factsOf(textOf({ hosts: 60_000, urls: 5, urlSpread: 5, depth: 5, depthSpread: 5 }))
  within2Percent('URLs a host', facts.urlsAHost, 5, 5)
  within2Percent('depth', facts.depth, 5, 5)
})

test('rule 4.1: the announced number, the form of every URL, the last commands; all URLs differ', () => {
  for (const shape of [{}, { hosts: 1, urls: 5000 }, { hosts: 5000, urls: 1, urlSpread: 0 }, { seed: 2 ** 40 }]) {
    const facts = factsOf(textOf(shape))
    assert.equal(facts.firstBadLine, undefined)
    assert.equal(facts.urls, facts.announced, JSON.stringify(shape))
    assert.deepEqual(facts.lastCommands, ['LISTA_HOSTS', 'ESCALONA_TUDO', 'LIMPA_TUDO'])
  }
})

test('rule 4.1: the hosts come mixed', () => {
  const facts = factsOf(textOf({ hosts: 100, urls: 100 }))
  assert.ok(facts.neighboursAlike < facts.urls / 20, `${facts.neighboursAlike} of ${facts.urls}`)
})

test('load: the same options and seed give the same file on every machine', () => {
  const hash = (text: string) => createHash('sha256').update(text).digest('hex')
  assert.equal(hash(textOf({})), 'f78800c725d3fd769a771e622492d5f9d136236bb59fdabbfa087679999572ba')
  assert.equal(
    hash(textOf({ hosts: 1000, urls: 7.5, urlSpread: 4, depth: 2, depthSpread: 3, seed: 42 })),
    '9b8ddcc17485b2b3cb16929cb595947bae24cd55e8319e13f25f623f1d8b8b26',
  )
  assert.notEqual(hash(textOf({ seed: 2 })), hash(textOf({ seed: 3 })))
})

test('ours: letters are evenly distributed wherever they stand in a name', () => {
  const names = textOf({ hosts: 20_000, urls: 1, urlSpread: 0 }).matchAll(/\/\/([a-z.]+)\.com/g)
  const counts = Array.from({ length: 8 }, () => new Map<string, number>())
  for (const [, name] of names) {
    for (const [place, letter] of [...name!.replaceAll('.', '')].slice(0, 8).entries()) {
      counts[place]!.set(letter, (counts[place]!.get(letter) ?? 0) + 1)
    }
  }
  for (const [place, ofPlace] of counts.entries()) {
    assert.equal(ofPlace.size, 26, `place ${place}`)
    const all = [...ofPlace.values()].reduce((sum, n) => sum + n, 0)
    for (const [letter, n] of ofPlace)
      assert.ok(Math.abs(n / all - 1 / 26) < 0.01, `${letter} at ${place}: ${n} of ${all}`)
  }
})

test('ours: no host begins with www., which the classic rules would take away', () => {
  const names = textOf({ hosts: 300_000, urls: 1, urlSpread: 0, depth: 1, depthSpread: 0 })
  assert.equal(names.includes('//www.'), false)
})

test('ours: shapes that make no sense are refused with the number in the message', () => {
  for (const [shape, message] of [
    [{ hosts: 0 }, /hosts is a whole number from 1 .* change 0/],
    [{ hosts: 1.5 }, /change 1\.5/],
    [{ urls: 0.5 }, /urls is a number from 1/],
    [{ depth: 1e9 }, /depth is a number from 1 to 1000/],
    [{ urlSpread: Number.NaN }, /urlSpread/],
    [{ hosts: 1e8, urls: 1e8 }, /ask for fewer/],
  ] as const) {
    assert.throws(() => new Load({ ...DEFAULT, ...shape }), { code: 'GENERATE_BAD_SHAPE', message })
  }
})

test('ours: a spread that whole numbers cannot have is told, and the mean is kept', () => {
  const { urlLaw } = new Load({ ...DEFAULT, urls: 3.3, urlSpread: 0 })
  assert.ok(Math.abs(urlLaw.mean - 3.3) < 1e-4)
  assert.ok(Math.abs(urlLaw.spread - Math.sqrt(0.21)) < 1e-3)
})
