// The list of mutants (docs/mutation.md) fits the sources: each of them changes exactly one place. Trying them is another matter.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { ROOT } from './packed.ts'

test('ours: the text of every mutant occurs exactly once in its file', () => {
  const list = spawnSync(process.execPath, [join(ROOT, 'scripts', 'mutate.mjs'), '--list'], { encoding: 'utf8' })
  assert.equal(list.stderr, '')
  assert.equal(list.status, 0)
})
