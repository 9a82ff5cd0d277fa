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

const ONE_THREAD = { UV_THREADPOOL_SIZE: '1' }
const NO_STRACE = spawnSync('strace', ['-f', '-o', '/dev/null', 'true']).status !== 0

/**
 * The worker is killed before the `when`th call of a kind in one of its threads: the main one opens the folder and begins
 * segments, another writes snapshots. So these are moments before a segment, a snapshot or its name is safe, before a snapshot
 * has its name, and while what it made needless is removed.
 */
const STEPS = [
  ...[5, 9, 10].map(when => ({ calls: 'fsync', when })),
  ...[5, 12].map(when => ({ calls: '?rename,?renameat,?renameat2', when })),
  ...[3].map(when => ({ calls: '?unlink,?unlinkat', when })),
]

test('ours: killed at any step of a snapshot, it loses nothing that was acknowledged', {
  skip: NO_STRACE && 'strace is needed to kill it at a certain call',
}, async t => {
  let [kills, operations, unnamed, beside, twice] = [0, 0, 0, 0, 0]
  for (const seed of seeds(t, 0, 1)) {
    for (const { calls, when } of STEPS) {
      const folder = temporaryFrontier()
      const options = openOptions(new RandomSource(seed), seed)
      // With few links, most segments hold nothing that is needed after a snapshot.
      const world = { pages: 4, reopens: false }
      const job: Job = { folder, seed, options, nowMs: START_MS, operations: 3000, snapshotBytes: 1, ...world }
      const command = ['strace', '-f', '-qq', '-o', '/dev/null', '-e', `trace=${calls}`]
      const kill = ['-e', `inject=${calls}:signal=SIGKILL:when=${when}`]
      try {
        const testimony = await new Worker(job, worker => [...command, ...kill, ...worker], ONE_THREAD).testimony()
        assert.ok(testimony.isReady && !testimony.hasClosed, 'it was not killed in its work')
        const snapshots = filesOf(folder).filter(name => name.startsWith('snapshot'))
        const named = snapshots.filter(name => name.endsWith('.bin')).length
        if (snapshots.length > named) unnamed++
        if (snapshots.length > named && named > 0) beside++
        if (named > 1) twice++
        await isAllThere(job, testimony)
        assert.ok(!filesOf(folder).some(name => name.endsWith('.tmp')), 'half a snapshot was left')
        kills++
        operations += acknowledgedBy(testimony)
      } catch (error) {
        throw new Error(`ESCALONA_SEED=${seed}, ${calls} ${when}: ${JSON.stringify(job)}`, { cause: error })
      } finally {
        removeFrontier(folder)
      }
    }
  }
  t.diagnostic(
    `${kills} kills, ${operations} operations; ${unnamed} snapshots without a name, ${beside} beside another; ${twice} times two with a name`,
  )
  assert.ok(beside > 0, 'it was not killed in the middle of a snapshot')
})
