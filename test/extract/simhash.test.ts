import assert from 'node:assert/strict'
import { test } from 'node:test'
import { distanceOf } from '../../src/extract/simhash.ts'
import { RandomSource, seeds } from '../model/random-source.ts'
import { read } from './read.ts'

const MASK = (1n << 64n) - 1n
const [K1, K2] = [0x9e3779b97f4a7c15n, 0xc2b2ae3d27d4eb4fn]
const rotl = (x: bigint, bits: bigint) => ((x << bits) | (x >> (64n - bits))) & MASK

/** The 64 bits of up to eight bytes from a place on, the first one lowest, ASCII letters as small ones. */
function eight(bytes: readonly number[], at: number): bigint {
  return bytes.slice(at, at + 8).reduce((sum, byte, n) => sum | (BigInt(byte | 0x20) << BigInt(8 * n)), 0n)
}

function hashOf(word: readonly number[]): bigint {
  let hash = BigInt(word.length)
  if (word.length <= 8) hash = ((eight(word, 0) << BigInt(64 - 8 * word.length)) * K1) & MASK
  else {
    for (let at = 0; at < word.length - 8; at += 8) hash = rotl(((hash ^ eight(word, at)) * K1) & MASK, 27n)
    hash = ((hash ^ eight(word, word.length - 8)) * K1) & MASK
  }
  return hash ^ (hash >> 32n)
}

interface Naive {
  readonly simhash: string | undefined
  readonly sample: readonly number[]
  readonly runs: readonly number[]
}

/** What the kernel computes, word by word and bit by bit. */
function naive(text: string): Naive {
  const words = (
    Buffer.from(text)
      .toString('latin1')
      .match(/[a-z0-9\x80-\xff]+/gi) ?? []
  ).flatMap(word => word.match(/.{1,64}/gs) ?? [])
  const hashes = words.map(word => hashOf([...Buffer.from(word, 'latin1')]))
  const count = hashes.length
  if (count === 0) return { simhash: undefined, sample: [], runs: [] }
  while (hashes.length < 4) hashes.push(0n)
  const features = hashes.slice(0, -3).map((_, n) => {
    const four = hashes.slice(n, n + 4).reduce((sum, hash, place) => sum ^ rotl(hash, BigInt(17 * place)), 0n)
    const mixed = ((four ^ (four >> 29n)) * K2) & MASK
    return mixed ^ (mixed >> 32n)
  })
  const sampled = features.flatMap((_, n) => ((hashes[n]! & 31n) === 0n && n + 4 <= count ? [n] : [])).slice(0, 32)
  const pairOf = (n: number) => ((hashes[n]! ^ rotl(hashes[n + 1]!, 23n)) * K2) & MASK
  const counts = new Array<number>(64).fill(0)
  for (const feature of features)
    for (let bit = 0; bit < 64; bit++) counts[bit]! += (feature >> BigInt(bit)) & 1n ? 1 : -1
  const bits = counts.reduce((sum, count, bit) => (count > 0 ? sum | (1n << BigInt(bit)) : sum), 0n)
  return {
    simhash: bits.toString(16).padStart(16, '0'),
    sample: sampled.map(n => Number(pairOf(n) >> 32n)),
    runs: sampled.map(n => Number(features[n]! >> 32n)),
  }
}

const wanted = { fingerprint: true }
const fingerprintOf = (html: string) => read(html, { wanted }).fingerprint!
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

test('simhash: random texts have the one that is computed word by word', t => {
  for (const seed of seeds(t, 60, 60)) {
    const random = new RandomSource(seed)
    const alphabet = random.pick(['ab', 'abcdefghijklmnopqrstuvwxyz', 'aZ0é日', 'x'])
    const word = () =>
      Array.from({ length: 1 + random.below(random.pick([3, 9, 20, 150])) }, () => random.pick([...alphabet]))
    const words = Array.from({ length: random.below(random.pick([6, 40, 600])) }, () => word().join(''))
    const text = words.map(one => one + random.pick([' ', '  ', ', ', '.\n', '-', '_'])).join('')
    assert.deepEqual(fingerprintOf(`<p>${text}`), naive(text), `seed ${seed}`)
  }
})

test('simhash: is of the visible words, whatever the markup, the case and the punctuation', () => {
  const plain = fingerprintOf('<p>the quick brown fox jumps over the lazy dog again')
  const other =
    '<title>x</title><script>a b c d</script><div><b>The</b> quick, BROWN<br>fox; <i>jumps</i> over <!-- no -->the lazy dog - again!<template>no</template>'
  assert.equal(fingerprintOf(other).simhash, plain.simhash)
  assert.notEqual(fingerprintOf('<p>the quick brown fox jumps over a lazy dog again').simhash, plain.simhash)
  assert.notEqual(fingerprintOf('<p>quick the brown fox jumps over the lazy dog again').simhash, plain.simhash, 'order')
  assert.deepEqual(fingerprintOf('<title>only a title</title><p> … !'), { ...fingerprintOf('<p>…') })
  assert.deepEqual(fingerprintOf('<p> . '), { simhash: undefined, sample: [], runs: [] })
  assert.equal(read('<p>a').fingerprint, undefined, 'only when it is asked for')
})

test('simhash: one word of 600 changes few bits, other words about half of them', () => {
  const random = new RandomSource(7)
  const words = Array.from({ length: 600 }, () => `w${random.below(5000)}`)
  const one = fingerprintOf(`<p>${words.join(' ')}`).simhash!
  const near = fingerprintOf(`<p>${words.with(300, 'other').join(' ')}`).simhash!
  const far = fingerprintOf(`<p>${words.map(word => `x${word}`).join(' ')}`).simhash!
  assert.ok(distanceOf(one, near) <= 3, `${distanceOf(one, near)} bits`)
  assert.ok(distanceOf(one, far) > 16, `${distanceOf(one, far)} bits`)
  assert.equal(distanceOf('ffffffffffffffff', '0000000000000000'), 64)
})

test('simhash: hostile pages cost no more than their bytes', () => {
  const many = fingerprintOf(`<p>${'<b>a</b>'.repeat(100_000)}`)
  assert.equal(many.simhash?.length, 16)
  assert.equal(fingerprintOf(`<p>${'ab '.repeat(500_000)}`).simhash?.length, 16, 'more words than count')
  const long = `<p>${'x'.repeat(3 << 20)}`
  assert.equal(fingerprintOf(`${long} and more`).simhash, fingerprintOf(long).simhash, 'the first MiB counts')
  const texts = [escaped('a < b & c'), '<![CDATA[ d e ]]>', 'f'.repeat(64), 'g'.repeat(65), '\u0000 h \u0000']
  for (const text of texts) assert.equal(typeof fingerprintOf(`<p>${text} word`).simhash, 'string', text)
})
