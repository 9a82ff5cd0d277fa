// A snapshot is written while the frontier goes on. Until it has its name, the snapshot before it and the journal count; after
// that, what it made needless may still lie there.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { START_MS } from '../contract/hand-clock.ts'
import { filesOf, removeFrontier, temporaryFrontier } from '../contract/maker.ts'
import { RandomSource, seeds } from '../model/random-source.ts'
import { acknowledgedBy, isAllThere, openOptions, Worker } from './candidates.ts'
import type { Job } from './job.ts'

const NO_STRACE = spawnSync('strace', ['-f', '-o', '/dev/null', 'true']).status !== 0

/**
 * Which call of a kind the worker is killed before. Those of opening a new folder come first: three syncs of files or folders,
 * the rename of frontier.txt, and the unlink of a file beside the lock.
 */
const STEPS = [
  { step: 'before the first snapshot is safe', calls: 'fsync', when: 5 },
  { step: 'before its name is safe', calls: 'fsync', when: 6 },
  { step: 'before the first snapshot has its name', calls: '?rename,?renameat,?renameat2', when: 2 },
  { step: 'before the second snapshot has its name', calls: '?rename,?renameat,?renameat2', when: 3 },
  { step: 'before what is needless is removed', calls: '?unlink,?unlinkat', when: 2 },
  { step: 'while what is needless is removed', calls: '?unlink,?unlinkat', when: 3 },
]

test('ours: killed at any step of a snapshot, it loses nothing that was acknowledged', {
  skip: NO_STRACE && 'strace is needed to kill it at a certain call',
}, async t => {
  let [operations, unnamed, second, twice] = [0, 0, 0, 0]
  for (const seed of seeds(t, 0, 1)) {
    for (const { step, calls, when } of STEPS) {
      const folder = temporaryFrontier()
      const options = openOptions(new RandomSource(seed), seed)
      const job: Job = { folder, seed, options, nowMs: START_MS, operations: 3000, snapshotBytes: 700, reopens: false }
      const command = ['strace', '-f', '-qq', '-o', '/dev/null', '-e', `trace=${calls}`]
      const kill = ['-e', `inject=${calls}:signal=SIGKILL:when=${when}`]
      try {
        const testimony = await new Worker(job, worker => [...command, ...kill, ...worker]).testimony()
        assert.ok(testimony.isReady && !testimony.hasClosed, 'it was not killed in its work')
        const snapshots = filesOf(folder).filter(name => name.startsWith('snapshot'))
        const named = snapshots.filter(name => name.endsWith('.bin')).length
        if (snapshots.length > named) unnamed++
        if (snapshots.length > named && named > 0) second++
        if (named > 1) twice++
        await isAllThere(job, testimony)
        assert.ok(!filesOf(folder).some(name => name.endsWith('.tmp')), 'half a snapshot was left')
        operations += acknowledgedBy(testimony)
      } catch (error) {
        throw new Error(`ESCALONA_SEED=${seed}, ${step}: ${JSON.stringify(job)}`, { cause: error })
      } finally {
        removeFrontier(folder)
      }
    }
  }
  t.diagnostic(
    `${operations} operations; ${unnamed} snapshots without a name, ${second} beside another; ${twice} times two`,
  )
  assert.ok(unnamed >= 2 && second >= 1, 'it was not killed in the middle of a snapshot')
})
