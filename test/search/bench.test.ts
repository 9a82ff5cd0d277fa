// The benchmark runs, small.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { MAIN } from '../cli/run-cli.ts'

test('search: the benchmark runs, and ends with its figures', { skip: process.platform !== 'linux' }, () => {
  const root = fileURLToPath(new URL('../../../', import.meta.url))
  const args = ['bench/search/run.mjs', '--pages', '60', '--queries', '20', '--alone', '--synthetic']
  const env = { ...process.env, ESCALONA_BENCH_DIST: dirname(dirname(MAIN)) }
  const lines = execFileSync(process.execPath, args, { cwd: root, env, encoding: 'utf8' }).trimEnd().split('\n')
  const figures = JSON.parse(lines.at(-1)!) as Record<string, unknown>
  assert.equal(figures.bench, 'search')
  for (const name of ['speedRatio', 'sizeRatio', 'indexBytes', 'indexMs']) assert.ok(Number(figures[name]) > 0, name)
})
