import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chanceAt } from '../../../src/base/random.ts'
import { Wildcard } from '../../../src/base/words/wildcard.ts'

const SEED = Number(process.env.ESCALONA_SEED ?? 20261115)

/** All ways, tried one after the other. */
function naive(pattern: string, text: string, whole: boolean): boolean {
  if (pattern === '') return !whole || text === ''
  if (pattern[0] !== '*') return pattern[0] === text[0] && naive(pattern.slice(1), text.slice(1), whole)
  for (let skip = 0; skip <= text.length; skip++) if (naive(pattern.slice(1), text.slice(skip), whole)) return true
  return false
}

test('ours: a star is any text, also none', () => {
  for (const [pattern, text, whole, beginning] of [
    ['', '', true, true],
    ['', 'a', false, true],
    ['*', '', true, true],
    ['*', 'abc', true, true],
    ['a', 'a', true, true],
    ['a', 'ab', false, true],
    ['a*', 'ab', true, true],
    ['*b', 'ab', true, true],
    ['*b', 'abc', false, true],
    ['a*a', 'a', false, false],
    ['a*a', 'aa', true, true],
    ['a**b', 'ab', true, true],
    ['*ab*ab', 'abab', true, true],
    ['*ab*ab', 'aba', false, false],
    ['a*b*c', 'a-c-b', false, false],
    ['a.c', 'abc', false, false],
  ] as const) {
    assert.equal(new Wildcard(pattern, true).matches(text), whole, `${pattern} and the whole of ${text}`)
    assert.equal(new Wildcard(pattern, false).matches(text), beginning, `${pattern} and a beginning of ${text}`)
  }
})

test(`ours: agrees with trying all ways (seed ${SEED})`, () => {
  let n = 0
  const word = (letters: string) => {
    const length = Math.floor(chanceAt(SEED, n++) * 8)
    return Array.from({ length }, () => letters[Math.floor(chanceAt(SEED, n++) * letters.length)]).join('')
  }
  const seen = [0, 0]
  for (let round = 0; round < 50_000; round++) {
    const pattern = word('ab**')
    const text = word('ab')
    for (const whole of [true, false]) {
      const expected = naive(pattern, text, whole)
      seen[Number(expected)]!++
      assert.equal(new Wildcard(pattern, whole).matches(text), expected, `${pattern} ${text} ${whole}`)
    }
  }
  assert.ok(Math.min(...seen) > 10_000, `${seen}`)
})

test('ours: patterns made to be slow are not', () => {
  const text = 'a'.repeat(2000)
  const hostile = [
    `${'*a'.repeat(250_000)}b`,
    `*${'a'.repeat(1000)}b*`,
    `*b${'a'.repeat(1000)}*`,
    `${'*aaaaaaaa'.repeat(240)}*b`,
  ]
  const patterns = hostile.map(pattern => new Wildcard(pattern, true))
  // A matcher that goes back would not finish one of these in a lifetime.
  for (let round = 0; round < 200; round++) for (const pattern of patterns) assert.equal(pattern.matches(text), false)
})
