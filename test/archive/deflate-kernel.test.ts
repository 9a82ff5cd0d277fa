import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { deflate, LONGEST_BYTES } from '../../src/archive/deflate-kernel.ts'
import { RandomSource } from '../model/random-source.ts'

const MOST_BITS_OF_A_LITERAL = 9

function isWhole(plain: Buffer, what: string): Buffer {
  const deflated = deflate(plain)
  assert.ok(inflateRawSync(deflated).equals(plain), what)
  assert.ok(deflated.length <= Math.ceil((plain.length * MOST_BITS_OF_A_LITERAL) / 8) + 64, `${what}: too long`)
  return deflated
}

test('RFC 1951: zlib inflates what the kernel deflates, whatever the bytes are', () => {
  const random = new RandomSource(14)
  for (let run = 0; run < 400; run++) {
    const bytes = Buffer.alloc(random.below(run % 20 === 0 ? LONGEST_BYTES : 4000))
    const kinds = 1 + random.below(256)
    const reach = 1 + random.below(bytes.length + 1)
    for (let at = 0; at < bytes.length; at++) {
      const back = 1 + random.below(reach)
      bytes[at] = back <= at && random.below(3) > 0 ? bytes[at - back]! : random.below(kinds)
    }
    isWhole(bytes, `run ${run}`)
  }
})

test('RFC 1951: lengths, distances and code lengths at their limits', () => {
  for (const length of [0, 1, 2, 3, 4, 5, 257, 258, 259, 260, 261, 262, 263, 516, LONGEST_BYTES]) {
    isWhole(Buffer.alloc(length, 'a'), `${length} of one letter`)
  }
  // Nothing repeats but the first four bytes, at and around the longest distance.
  for (const distance of [32_766, 32_767, 32_768, 32_769]) {
    const bytes = Buffer.from(Array.from({ length: distance + 300 }, (_, at) => (at * at * 31 + (at >> 7)) & 0x7f))
    for (const at of [0, distance]) bytes.write('\xff\xfe\xfd\xfc', at, 'latin1')
    isWhole(bytes, `distance ${distance}`)
  }
  // Symbols as rare as Fibonacci's numbers: without a limit, codes would get longer than 15 bits.
  const rare: number[] = []
  for (let symbol = 0, times = 1, next = 1; rare.length + times < LONGEST_BYTES; symbol++) {
    for (let i = 0; i < times; i++) rare.push(symbol)
    ;[times, next] = [next, times + next]
  }
  const random = new RandomSource(15)
  for (let at = rare.length - 1; at > 0; at--) {
    const other = random.below(at + 1)
    ;[rare[at], rare[other]] = [rare[other]!, rare[at]!]
  }
  isWhole(Buffer.from(rare), 'Fibonacci')
})

test('deflate: a record is deflated without a trace of those before it, also when places begin again at zero', () => {
  const plain = Buffer.from(`${'a record of the same words, '.repeat(30)}and an end`)
  const first = deflate(plain)
  // Each record takes 32 KiB of 32-bit places besides its own, so they begin again once in this time.
  for (let record = 0; record < 123_000; record++) assert.ok(deflate(Buffer.of(1, 2, 3)).length < 10)
  for (let again = 0; again < 3; again++) assert.ok(deflate(plain).equals(first))
})

test('deflate: a page gets as small as with level 2 of zlib', () => {
  const random = new RandomSource(16)
  const words = Array.from({ length: 800 }, () => random.below(2 ** 30).toString(36))
  let page = '<!doctype html><html lang="en"><head><title>A page</title></head><body>\n'
  while (page.length < 30_000)
    page += `<p>${words[Math.floor(800 ** (random.below(1000) / 1000)) - 1]} <a href="/${words.at(-1)}">x</a></p>\n`
  const plain = Buffer.from(page)
  assert.ok(isWhole(plain, 'a page').length <= 1.05 * deflateRawSync(plain, { level: 2 }).length)
})
