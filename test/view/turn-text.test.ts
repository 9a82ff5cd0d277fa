import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inLanguage } from '../../src/base/words/language.ts'
import { shownImportance, turnText } from '../../src/view/history-lines.ts'

test('turns: with the strategy important, a host says what it has received and when its next turn comes', () => {
  const host = { received: 0.0341, turns: 12, isByShare: true }
  assert.equal(turnText({ ...host, isByShare: undefined }), undefined)
  assert.equal(
    turnText(host),
    'has received 0.0341 in 12 turns; its next turn comes when no other host that can be asked has more than 0.0027 per turn, or earlier: one turn in eight goes to all hosts in turn',
  )
  inLanguage('pt', () => {
    assert.equal(
      turnText({ ...host, received: 0, turns: 1 }),
      'recebeu 0 em 1 vez; a próxima vez dele vem quando nenhum outro host que possa ser consultado tiver mais de 0,000488 por vez, ou antes: uma em cada oito vezes é de todos os hosts em rodízio',
    )
  })
})

test('turns: an importance has three digits that count', () => {
  assert.deepEqual([0, 1, 2.5, 1234.567, 0.03412, 1 / 3, 1e-12].map(shownImportance), [
    '0',
    '1',
    '2.5',
    '1,230',
    '0.0341',
    '0.333',
    '0',
  ])
})
