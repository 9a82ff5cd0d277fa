import assert from 'node:assert/strict'
import { test } from 'node:test'
import { trimBlanks } from '../../../src/base/words/trim-blanks.ts'

test('ours: blanks and controls go at both ends, and nothing else goes', () => {
  for (const [text, trimmed] of [
    ['', ''],
    [' \t\r\n\u0000\u001f', ''],
    ['a', 'a'],
    ['  a b\t', 'a b'],
    ['\u00a0a\u00a0', '\u00a0a\u00a0'],
    ['\ufeffa\u007f', '\ufeffa\u007f'],
  ]) {
    assert.equal(trimBlanks(text!), trimmed, JSON.stringify(text))
  }
})
