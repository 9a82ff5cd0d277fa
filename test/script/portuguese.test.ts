import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { reasonOf } from '../../src/base/system-error.ts'
import { setLanguage } from '../../src/base/words/language.ts'
import { Scheduler } from '../../src/scheduler/scheduler.ts'
import { readCommand } from '../../src/script/commands.ts'

afterEach(() => setLanguage('en'))

function mistakeIn(line: string): unknown {
  return readCommand(Buffer.from(line), 0, line.length)
}

test('Portuguese: mistakes in a command file are reported in the language of the moment', () => {
  const lines = ['ESCALONA', 'ESCALONA_TUDO 3', 'ESCALONA dois', 'ESCALONAR 3']
  assert.deepEqual(lines.map(mistakeIn), [
    'ESCALONA needs <n>; write ESCALONA 10',
    'ESCALONA_TUDO takes nothing; remove "3"',
    '"dois" is not a whole number from 0 up; write ESCALONA 10',
    'unknown command "ESCALONAR"; did you mean ESCALONA?',
  ])
  setLanguage('pt')
  assert.deepEqual(lines.map(mistakeIn), [
    'ESCALONA precisa de <n>; escreva ESCALONA 10',
    'ESCALONA_TUDO não recebe nada; retire "3"',
    '"dois" não é um número inteiro a partir de 0; escreva ESCALONA 10',
    'comando desconhecido "ESCALONAR"; você quis dizer ESCALONA?',
  ])
})

test('Portuguese: errors of the scheduler and of the file system too', () => {
  setLanguage('pt')
  assert.throws(() => new Scheduler({ strategy: 'deep' as 'depth' }), {
    code: 'SCHEDULER_BAD_STRATEGY',
    message: 'não existe a estratégia deep; escolha depth, breadth, best',
  })
  assert.match(reasonOf(Object.assign(new Error('ENOSPC: no space'), { code: 'ENOSPC' })), /^o disco está cheio/)
  assert.equal(reasonOf(new Error('something else')), 'something else')
})
