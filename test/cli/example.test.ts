import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { escalona, temporaryFolder } from './run-cli.ts'

test('example: writes a command file that runs without a mistake and uses every command', t => {
  const cwd = temporaryFolder(t)
  const { code, stderr } = escalona(['example'], { cwd })
  assert.deepEqual([code, stderr], [0, 'escalona: coleta1.txt is written; run it with escalona coleta1.txt\n'])
  const text = readFileSync(join(cwd, 'coleta1.txt'), 'utf8')
  const commands = new Set(text.match(/^[A-Z_]+/gm))
  assert.equal(commands.size, 8, [...commands].join(' '))
  const run = escalona(['coleta1.txt', '-e', 'largura'], { cwd })
  assert.equal(run.code, 0, run.stderr)
  assert.match(
    run.stderr,
    /^escalona: 9 URLs read, 6 accepted, 1 duplicate, 2 refused \(protocol 1, malformed 0, extension 1\)/,
  )
  const breadth = escalona(['coleta1.txt', '-e', 'breadth', '-o', '-'], { cwd })
  assert.deepEqual(readFileSync(join(cwd, 'coleta1-out.txt')), breadth.stdout)
  assert.match(
    escalona(['coleta1.txt', '-e', 'larguras'], { cwd }).stderr,
    /no strategy larguras; did you mean largura\?/,
  )
})

test('example: a file that exists is left alone', t => {
  const cwd = temporaryFolder(t)
  writeFileSync(join(cwd, 'coleta1.txt'), 'mine')
  const { code, stderr } = escalona(['example'], { cwd })
  assert.equal(code, 2)
  assert.match(stderr, /coleta1\.txt exists; name another file/)
  assert.equal(readFileSync(join(cwd, 'coleta1.txt'), 'utf8'), 'mine')
  assert.equal(escalona(['example', 'my first.txt'], { cwd }).stderr.includes(`escalona 'my first.txt'`), true)
})
