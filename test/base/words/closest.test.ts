import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closest } from '../../../src/base/words/closest.ts'
import { RandomSource, seeds } from '../../model/random-source.ts'

/** By its definition, without a table. */
function distanceNaively(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length
  if (a[0] === b[0]) return distanceNaively(a.slice(1), b.slice(1))
  const [inserted, removed, replaced] = [
    distanceNaively(a, b.slice(1)),
    distanceNaively(a.slice(1), b),
    distanceNaively(a.slice(1), b.slice(1)),
  ]
  const isSwapped = a.length > 1 && b.length > 1 && a[0] === b[1] && a[1] === b[0]
  const swapped = isSwapped ? distanceNaively(a.slice(2), b.slice(2)) : replaced
  return 1 + Math.min(inserted, removed, replaced, swapped)
}

function closestNaively(word: string, candidates: readonly string[]): string | undefined {
  const near = candidates
    .map(candidate => ({ candidate, distance: distanceNaively(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ candidate, distance }) => distance <= candidate.length / 3)
  return near.sort((a, b) => a.distance - b.distance)[0]?.candidate
}

test('ours: the closest of random words is the one that the definition gives', t => {
  let found = 0
  for (const seed of seeds(t, 400, 100)) {
    const random = new RandomSource(seed)
    const word = () => Array.from({ length: random.below(7) }, () => random.pick(['a', 'b', 'A', '_'])).join('')
    const candidates = Array.from({ length: random.below(6) }, word)
    const asked = word()
    const expected = closestNaively(asked, candidates)
    assert.equal(closest(asked, candidates), expected, `ESCALONA_SEED=${seed}, ${asked} of ${candidates}`)
    if (expected !== undefined) found++
  }
  assert.ok(process.env.ESCALONA_SEED || found > 50, `only ${found} had a closest word`)
})

test('ours: the command that a person meant', () => {
  const names = ['ADD_URLS', 'ESCALONA_TUDO', 'ESCALONA', 'ESCALONA_HOST', 'VER_HOST', 'LISTA_HOSTS']
  const meant = {
    ESCALON: 'ESCALONA',
    escalona: 'ESCALONA',
    ESCALONA_TUDOS: 'ESCALONA_TUDO',
    LISTAHOST: 'LISTA_HOSTS',
    ADDURL: 'ADD_URLS',
  }
  for (const [written, name] of Object.entries(meant)) assert.equal(closest(written, names), name)
  for (const written of ['', 'X', 'http://a.com/x', 'QUIT']) assert.equal(closest(written, names), undefined, written)
  assert.equal(closest('ESCALONA', []), undefined)
})

test('spelling: two letters in the wrong order are one mistake', () => {
  assert.equal(closest('crwal', ['analyze', 'crawl', 'run']), 'crawl')
  assert.equal(closest('dealy', ['delay', 'server-delay']), 'delay')
  assert.equal(closest('hepl', ['help']), 'help')
})
