import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

test('issue 10.8: the tarball, installed by npm in an empty folder, still runs the tour in both languages, and says what docs/tour.md and docs/tour.pt-BR.md say', t => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/tour.mjs', '--check'], {
    cwd: ROOT,
    encoding: 'utf8',
    timeout: 240_000,
  })
  if (stdout.startsWith('skipped: ')) return t.skip(stdout.trim())
  assert.equal(status, 0, `${stdout}${stderr}`)
})
