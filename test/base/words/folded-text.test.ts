import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FoldedText } from '../../../src/base/words/folded-text.ts'

const isIn = (wanted: string, text: string) => {
  const bytes = Buffer.from(`xx${text}xx`)
  return new FoldedText(wanted).isIn(bytes, 2, bytes.length - 2)
}

test('ours: a text is found in bytes in any case, and only between their bounds', () => {
  for (const [wanted, text] of [
    ['needle', 'A NEEDLE here'],
    ['NeEdLe', 'needle'],
    ['são', 'Em SÃO Paulo'],
    ['Ünïcode', 'the üNÏCODE one'],
    ['日本', 'in 日本語'],
    ['aab', 'aaab'],
    ['Aa', 'xaaax'],
    ['straße', 'STRAßE'],
    ['x', 'X'],
    ['', 'anything'],
  ] as const)
    assert.ok(isIn(wanted, text), wanted)
  for (const [wanted, text] of [
    ['needle', 'need le'],
    ['são', 'sao'],
    ['textx', 'text'],
    ['xtext', 'text'],
    ['日本語', '日本'],
  ] as const)
    assert.ok(!isIn(wanted, text), wanted)
})
