import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { ONLY_IN_SOAK } from '../model/random-source.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

for (const [language, page] of [
  ['en', 'docs/tour.md'],
  ['pt', 'docs/tour.pt-BR.md'],
] as const)
  test(
    `tour: the tarball, installed by npm in an empty folder, still runs the tour, and says what ${page} says`,
    ONLY_IN_SOAK,
    t => {
      const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/tour.mjs', '--check', language], {
        cwd: ROOT,
        encoding: 'utf8',
        timeout: 240_000,
      })
      if (stdout.startsWith('skipped: ')) return t.skip(stdout.trim())
      assert.equal(status, 0, `${stdout}${stderr}`)
    },
  )
