import assert from 'node:assert/strict'
import { test } from 'node:test'
import { printable, quoted } from '../../../src/base/words/printable.ts'
import { RandomSource, seeds } from '../../model/random-source.ts'

const UNSAFE = [
  '\0',
  '\x1b',
  '\n',
  '\r',
  '\t',
  '\x7f',
  '\x9b',
  '\u200b',
  '\u202e',
  '\u2028',
  '\u2029',
  '\ufeff',
  '\ud800',
]
const SAFE = ['a', 'Z', ' ', 'é', '日', '😀', '"', '\\', '{']

test('ours: what a terminal might obey is written out, the rest stays', t => {
  for (const seed of seeds(t, 200, 50)) {
    const random = new RandomSource(seed)
    const chars = Array.from({ length: random.below(30) }, () => random.pick(random.chance(0.5) ? UNSAFE : SAFE))
    const expected = chars.map(char => (UNSAFE.includes(char) ? `\\u{${char.codePointAt(0)!.toString(16)}}` : char))
    assert.equal(printable(chars.join('')), expected.join(''), `ESCALONA_SEED=${seed}`)
  }
})

test('ours: no byte of ASCII control gets through', () => {
  for (let code = 0; code < 256; code++) {
    const isControl = code < 0x20 || (code >= 0x7f && code < 0xa0)
    const shown = printable(String.fromCharCode(code))
    if (isControl) assert.equal(shown, `\\u{${code.toString(16)}}`)
    else if (code !== 0xad) assert.equal(shown, String.fromCharCode(code))
  }
})

test('ours: quoted bytes are printable, whatever they are', t => {
  for (const seed of seeds(t, 200, 50)) {
    const random = new RandomSource(seed)
    const bytes = Uint8Array.from({ length: random.below(300) }, () => random.below(256))
    const text = quoted(bytes)
    assert.ok(text.startsWith('"') && text.endsWith('"'), `ESCALONA_SEED=${seed}`)
    assert.equal(printable(text), text, `ESCALONA_SEED=${seed}`)
  }
})

for (const char of ['a', 'é', '日', '😀']) {
  test(`ours: a long text of ${Buffer.byteLength(char)}-byte characters is cut, and shows it`, () => {
    const text = (count: number) => Buffer.from(char.repeat(count))
    assert.equal(quoted(text(3)), `"${char.repeat(3)}"`)
    assert.equal(quoted(text(40)), `"${char.repeat(40)}"`)
    assert.equal(quoted(text(41)), `"${char.repeat(40)}…"`)
    assert.equal(quoted(text(5000)), `"${char.repeat(40)}…"`)
    assert.equal(quoted(text(5), 2), `"${char.repeat(2)}…"`)
  })
}

test('ours: what is no text is shown as such', () => {
  assert.equal(quoted(new Uint8Array()), '""')
  assert.equal(quoted(Uint8Array.of(0x61, 0xff, 0x62)), '"a\ufffdb"')
  assert.equal(quoted(Uint8Array.of(0x1b, 0x5b, 0x4a)), '"\\u{1b}[J"')
})
