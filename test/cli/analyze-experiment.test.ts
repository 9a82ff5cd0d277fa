import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { escalona, temporaryFolder } from './run-cli.ts'

test('ours: wrong use of experiment is told', t => {
  const cwd = temporaryFolder(t)
  writeFileSync(join(cwd, 'file'), '')
  for (const [args, message] of [
    [['--quick', '--full'], /contradict/],
    [['-o', 'file/x', '--quick'], /cannot create file\/x/],
    [['extra'], /extra/],
  ] as const) {
    const { code, stderr } = escalona(['experiment', ...args], { cwd })
    assert.equal(code, 2)
    assert.match(stderr, message)
  }
  assert.match(escalona(['experiment', '--help']).stdout.toString(), /Usage: escalona experiment/)
})
