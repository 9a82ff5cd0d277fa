import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  endingOf,
  fingerprintBytes,
  packAuxiliary,
  packPage,
  readAuxiliary,
  readPage,
} from '../../../src/frontier/redis/shard/link-text.ts'
import { Packer, unpack } from '../../../src/frontier/redis/shard/pack.ts'
import { hostOf } from '../../../src/url/host-of.ts'

const SEED = [7, -9] as const
const URLS = [
  'http://a.com/',
  'https://a.com',
  'https://a.com:81/x?y=z#w',
  'ftp://a.com/ü/日本',
  'HTTPS://a.com/',
  'x://é.com?q',
]

function written(pack: (out: Packer) => void): Buffer[] {
  const out = new Packer(4).list(3)
  pack(out)
  const [fingerprint, , text] = unpack(out.done()) as Buffer[]
  return [fingerprint!, text!]
}

test('ours: the text of a page gives back its URL, hops, attempts and note', () => {
  for (const url of URLS) {
    for (const [hops, note, attempts] of [
      [0, undefined, 0],
      [14, 0, 1],
      [15, 127, 0],
      [2 ** 31 - 1, 2 ** 40, 65_535],
    ] as const) {
      const host = hostOf(url)
      const said = { hops, note, attempts }
      const [fingerprint, text] = written(out => packPage(out, url, Buffer.byteLength(host), 3, said, SEED))
      assert.deepEqual(readPage(text!, host), { url, ...said })
      assert.deepEqual(fingerprint, fingerprintBytes(url, SEED))
    }
  }
})

test('ours: a page with few hops and no note costs one byte more than what follows its host', () => {
  const [, text] = written(out => packPage(out, 'https://a.com/some/path', 5, 2, { hops: 1, note: undefined }, SEED))
  assert.equal(text!.length, '/some/path'.length + 1)
})

test('ours: the text of an auxiliary link gives it back, and its note tells it apart', () => {
  const fingerprints = new Set<string>()
  for (const note of [undefined, '', 'why', 'ü'.repeat(200)]) {
    for (const kind of ['robots', 'sitemap'] as const) {
      const auxiliary = {
        url: 'https://a.com/robots.txt',
        kind,
        note,
        rank: 255,
        hops: 20,
        attempts: note?.length ?? 0,
      }
      const [fingerprint, text] = written(out => packAuxiliary(out, auxiliary, 'a.com', SEED))
      fingerprints.add(fingerprint!.toString('hex'))
      assert.deepEqual(readAuxiliary(text!, 'a.com'), auxiliary)
      assert.deepEqual(text!.subarray(0, 8), fingerprint)
    }
  }
  assert.equal(fingerprints.size, 8)
})

test('ours: a text that was cut off is an error, not nonsense', () => {
  const [, text] = written(out => packPage(out, 'x://a.com/', 5, 2, { hops: 400, note: 300 }, SEED))
  for (let length = 0; length < 5; length++)
    assert.throws(() => readPage(text!.subarray(0, length), 'a.com'), RangeError)
  assert.throws(() => readAuxiliary(Buffer.from('12345678\u0009'), 'a.com'), RangeError)
})

test('ours: what follows the host, by scheme', () => {
  assert.deepEqual(endingOf('https://a.com/x', 'a.com'), { scheme: 1, ending: '/x' })
  assert.deepEqual(endingOf('http://a.com', 'a.com'), { scheme: 0, ending: '' })
  assert.deepEqual(endingOf('gopher://a.com/x', 'a.com'), { scheme: 2, ending: 'gopher:///x' })
})

test('ours: what is packed is unpacked, and torn bytes are an error', () => {
  const texts = ['', 'a', 'x'.repeat(31), 'x'.repeat(32), 'é'.repeat(20), 'é'.repeat(40_000), 'x'.repeat(70_000)]
  const numbers = [0, 127, 128, 65_535, 65_536, 2 ** 32 - 1, 2 ** 32, 2 ** 53, -1, -2, 0.5, Number.POSITIVE_INFINITY]
  const out = new Packer(1).list(texts.length + numbers.length)
  for (const text of texts) out.text(text)
  for (const number of numbers) out.number(number)
  const read = unpack(out.done()) as (Buffer | number)[]
  assert.deepEqual(
    read.map(one => (Buffer.isBuffer(one) ? one.toString() : one)),
    [...texts, ...numbers],
  )
  assert.throws(() => unpack(out.done().subarray(0, -1)), RangeError)
  assert.throws(() => unpack(Buffer.from([0xdd, 0xff, 0xff, 0xff, 0xff])), RangeError)
  assert.throws(() => unpack(Buffer.alloc(100, 0x91)), RangeError)
  assert.throws(() => unpack(Buffer.from([0xc1])), RangeError)
})
