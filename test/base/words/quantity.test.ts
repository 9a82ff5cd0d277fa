import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setLanguage } from '../../../src/base/words/language.ts'
import {
  readCount,
  readDuration,
  readRate,
  readSize,
  shownBytes,
  shownCount,
  shownDecimal,
  shownDuration,
} from '../../../src/base/words/quantity.ts'

const NO_QUANTITY = [
  '',
  ' ',
  '-1',
  '+1',
  'NaN',
  'Infinity',
  '1e3',
  '0x10',
  '1,000',
  '.5',
  '5.',
  '1.2.3',
  's',
  '10  s',
  '1 s 2',
]

test('rule 5.17: options take durations, with a unit unless they are zero', () => {
  const durations = {
    '250ms': 250,
    '10s': 10_000,
    '2m': 120_000,
    '1h': 3_600_000,
    '1d': 86_400_000,
    '0': 0,
    '0s': 0,
  }
  for (const [text, ms] of Object.entries(durations)) assert.equal(readDuration(text), ms, text)
  assert.equal(readDuration('1.5s'), 1500)
  assert.equal(readDuration('0.5ms'), 0.5)
  assert.equal(readDuration(`${1 / 15}ms`), 1 / 15, 'all digits that JavaScript writes')
  assert.equal(readDuration(' 10 s '), 10_000)
})

test('ours: what is no duration is refused', () => {
  const unknown = [
    ...NO_QUANTITY,
    '250',
    '10x',
    '10kB',
    '2M',
    '10constructor',
    '10__proto__',
    '9'.repeat(400),
    '9999999999999h',
  ]
  for (const text of unknown) assert.equal(readDuration(text), undefined, text)
})

test('rule 5.17: options take sizes, in thousands and in 1,024s', () => {
  const sizes = {
    '500KiB': 512_000,
    '10MiB': 10_485_760,
    '1GiB': 1_073_741_824,
    '2TiB': 2_199_023_255_552,
    '10MB': 10_000_000,
    '4kB': 4000,
    '1GB': 1_000_000_000,
    '1TB': 1_000_000_000_000,
    '4096': 4096,
    '7b': 7,
    '10mib': 10_485_760,
    '1 KIB': 1024,
    '0.5KiB': 512,
    '1.0001kB': 1000,
  }
  for (const [text, bytes] of Object.entries(sizes)) assert.equal(readSize(text), bytes, text)
})

test('ours: what is no size is refused', () => {
  for (const text of [...NO_QUANTITY, '10m', '10s', '10K', '10toString', '9'.repeat(400), '99999TiB']) {
    assert.equal(readSize(text), undefined, text)
  }
})

test('ours: a hostile number is refused in linear time', () => {
  for (const text of ['9'.repeat(1_000_000), `${'9.'.repeat(500_000)}`, `${' '.repeat(1_000_000)}x`]) {
    assert.equal(readSize(text), undefined)
    assert.equal(readDuration(text), undefined)
  }
})

test('ours: durations are shown in one or two units, and never as 60 of one', () => {
  const shown: readonly (readonly [number, string])[] = [
    [0, '0 ms'],
    [-5, '0 ms'],
    [230.4, '230 ms'],
    [999.4, '999 ms'],
    [999.6, '1.0 s'],
    [1500, '1.5 s'],
    [9949, '9.9 s'],
    [9960, '10 s'],
    [45_000, '45 s'],
    [59_499, '59 s'],
    [59_600, '1 min'],
    [125_000, '2 min 5 s'],
    [599_700, '10 min'],
    [45 * 60_000, '45 min'],
    [3_599_000, '1 h'],
    [80 * 60_000, '1 h 20 min'],
    [47.5 * 3_600_000, '47 h 30 min'],
    [76 * 3_600_000, '3 d 4 h'],
    [48_000 * 3_600_000, '2,000 d'],
    [Number.NaN, 'unknown'],
    [Number.POSITIVE_INFINITY, 'unknown'],
  ]
  for (const [ms, text] of shown) assert.equal(shownDuration(ms), text)
})

test('ours: bytes are shown in thousands, and never as 1,000 of one unit', () => {
  const shown: readonly (readonly [number, string])[] = [
    [0, '0 B'],
    [-1, '0 B'],
    [999, '999 B'],
    [1000, '1.0 kB'],
    [12_345_678, '12.3 MB'],
    [99_960, '100 kB'],
    [123_456_789, '123 MB'],
    [999_499, '999 kB'],
    [999_500, '1.0 MB'],
    [5e12, '5.0 TB'],
    [5e18, '5,000 PB'],
    [Number.NaN, 'unknown'],
  ]
  for (const [bytes, text] of shown) assert.equal(shownBytes(bytes), text)
})

test('ours: counts are shown in groups of three digits', () => {
  const shown: readonly (readonly [number, string])[] = [
    [0, '0'],
    [999, '999'],
    [1000, '1,000'],
    [12_345, '12,345'],
    [1_234_567, '1,234,567'],
    [-1234, '-1,234'],
    [12.7, '13'],
  ]
  for (const [count, text] of shown) assert.equal(shownCount(count), text)
})

test('quantities: counts are read as people write them', () => {
  const counts = {
    '0': 0,
    '100000': 1e5,
    '100_000': 1e5,
    '100k': 1e5,
    '100K': 1e5,
    '1e5': 1e5,
    '1E+5': 1e5,
    '1.5M': 1_500_000,
    '1.5k': 1500,
    '2 k': 2000,
    '1G': 1e9,
  }
  for (const [text, count] of Object.entries(counts)) assert.equal(readCount(text), count, text)
  const unknown = ['', '-1', '1,000', '0.5', '1.2345k', '1e99', '1e-3', '_1', '1_', '1m', '1kB', 'k', '9'.repeat(400)]
  for (const text of unknown) assert.equal(readCount(text), undefined, text)
})

test('quantities: rates are read with their unit of time', () => {
  const rates = {
    '200/s': 200,
    '90/min': 1.5,
    '90/m': 1.5,
    '1k/h': 1000 / 3600,
    '7': 7,
    '0.5/s': 0.5,
    '1_000 /s': 1000,
  }
  for (const [text, rate] of Object.entries(rates)) assert.equal(readRate(text), rate, text)
  for (const text of ['', '/s', '200/', '200/year', '200/ms', '-1/s', '1/s/s', '9'.repeat(400)])
    assert.equal(readRate(text), undefined, text)
})

test('quantities: numbers are shown as the language writes them', t => {
  t.after(() => setLanguage('en'))
  setLanguage('pt')
  const shown = [
    shownCount(12_345),
    shownDecimal(0.46, 1),
    shownDuration(1500),
    shownBytes(12_345_678),
    shownBytes(NaN),
  ]
  assert.deepEqual(shown, ['12.345', '0,5', '1,5 s', '12,3 MB', 'desconhecido'])
})
