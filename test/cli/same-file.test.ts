import assert from 'node:assert/strict'
import { linkSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { isSameFile, isSameOutput } from '../../src/cli/terminal/output.ts'

test('ours: a file is known by whatever name it goes', context => {
  const folder = mkdtempSync(join(tmpdir(), 'escalona-same-'))
  context.after(() => rmSync(folder, { recursive: true }))
  const [one, other, hard, soft] = ['one', 'other', 'hard', 'soft'].map(name => join(folder, name)) as [
    string,
    string,
    string,
    string,
  ]
  writeFileSync(one, '1')
  writeFileSync(other, '2')
  linkSync(one, hard)
  symlinkSync(one, soft)
  symlinkSync(folder, join(folder, 'here'))
  for (const same of [one, hard, soft, join(folder, 'here', 'one'), join(folder, '.', 'one')]) {
    assert.equal(isSameFile(one, same), true, same)
    assert.equal(isSameOutput(one, same), true, same)
  }
  assert.equal(isSameFile(one, other), false)
  assert.equal(isSameOutput(one, other), false)
  // Not there yet:
  assert.equal(isSameOutput(join(folder, 'new'), join(folder, 'here', 'new')), true)
  assert.equal(isSameOutput(join(folder, 'new'), join(folder, 'newer')), false)
  assert.equal(isSameOutput(join(folder, 'new'), one), false)
  // Devices can't overwrite each other, and standard output can't be two things.
  assert.equal(isSameOutput('/dev/null', '/dev/null'), false)
  assert.equal(isSameOutput('-', '-'), true)
})
