// A disk that is full, a file that may not grow, a sync that fails. The frontier stops with a clear error, and nothing
// that was acknowledged is lost.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { START_MS } from '../contract/hand-clock.ts'
import { removeFrontier, temporaryFrontier } from '../contract/maker.ts'
import { RandomSource, seeds } from '../model/random-source.ts'
import { acknowledgedBy, isAllThere, openOptions, type Testimony, Worker } from './candidates.ts'
import { isStop, type Job, operationsOf } from './job.ts'

function jobOf(folder: string, seed: number): Job {
  const options = openOptions(new RandomSource(seed), seed)
  return { folder, seed, options, nowMs: START_MS, operations: 20_000, snapshotBytes: 5000, reopens: false }
}

/** It was stopped in the middle of its work, said so to every call afterwards, and could still be closed. */
function hasStopped(job: Job, testimony: Testimony): void {
  assert.equal(testimony.threw, undefined, JSON.stringify(testimony.threw))
  const stop = acknowledgedBy(testimony)
  assert.ok(stop < testimony.gave.length, 'nothing failed')
  let n = 0
  for (const operation of operationsOf(job)) {
    if (n === testimony.gave.length) break
    const gave = testimony.gave[n++]
    // Without an open ticket there is nothing to place.
    if (n > stop && operation.do !== 'place') assert.ok(isStop(gave), `${JSON.stringify(operation)} gave ${gave}`)
  }
  assert.ok(testimony.hasClosed)
}

test('ours: a file that may not grow any more stops the frontier, and nothing acknowledged is lost', async t => {
  let operations = 0
  for (const seed of seeds(t, 1, 1)) {
    const folder = temporaryFrontier()
    try {
      // With snapshots no file ever grows long, so the limit is shorter than what comes between two of them.
      const hasSnapshots = seed % 2 === 0
      const job: Job = { ...jobOf(folder, seed), snapshotBytes: hasSnapshots ? 5000 : 1e9 }
      const blocks = 3 + (seed % (hasSnapshots ? 5 : 60))
      const limited = `trap '' XFSZ; ulimit -f ${blocks}; exec "$@"`
      const testimony = await new Worker(job, worker => ['sh', '-c', limited, 'sh', ...worker]).testimony()
      hasStopped(job, testimony)
      await isAllThere(job, testimony)
      operations += acknowledgedBy(testimony)
    } catch (error) {
      throw new Error(`ESCALONA_SEED=${seed}`, { cause: error })
    } finally {
      removeFrontier(folder)
    }
  }
  t.diagnostic(`${operations} operations were acknowledged before the limits`)
})

const NO_MOUNT = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'tmpfs', '/tmp']).status !== 0

test('ours: a disk that is full stops the frontier, and nothing acknowledged is lost', {
  skip: NO_MOUNT && 'no small disk can be mounted here',
}, async t => {
  let operations = 0
  for (const seed of seeds(t, 1, 1)) {
    const outside = temporaryFrontier()
    try {
      const disk = join(outside, '..', 'disk')
      mkdirSync(disk)
      const job = jobOf(join(disk, 'frontier'), seed)
      // The disk is seen only in there, and gone afterwards: what is on it is copied out at the end.
      const script = `mount -t tmpfs -o size=${48 + (seed % 5) * 16}k tmpfs "$0"; "$@"; cp -a "$0/frontier" ${outside}`
      const testimony = await new Worker(job, worker => [
        'unshare',
        '-rm',
        'sh',
        '-c',
        script,
        disk,
        ...worker,
      ]).testimony()
      hasStopped(job, testimony)
      await isAllThere(job, testimony, outside)
      operations += acknowledgedBy(testimony)
    } catch (error) {
      throw new Error(`ESCALONA_SEED=${seed}`, { cause: error })
    } finally {
      removeFrontier(outside)
    }
  }
  t.diagnostic(`${operations} operations were acknowledged before the disks were full`)
})

const NO_STRACE = spawnSync('strace', ['-f', '-o', '/dev/null', 'true']).status !== 0
const ONE_THREAD = { UV_THREADPOOL_SIZE: '1' }

test('ours: a sync that fails stops the frontier, and nothing acknowledged is lost', {
  skip: NO_STRACE && 'strace is needed to make a sync fail',
}, async t => {
  let operations = 0
  for (const seed of seeds(t, 1, 1)) {
    const folder = temporaryFrontier()
    try {
      const job = jobOf(folder, seed)
      const failure = `inject=fsync,fdatasync:error=${seed % 2 === 0 ? 'EIO' : 'ENOSPC'}:when=${5 + (seed % 30)}+`
      const command = ['strace', '-f', '-qq', '-o', '/dev/null', '-e', 'trace=fsync,fdatasync', '-e', failure]
      const testimony = await new Worker(job, worker => [...command, ...worker], ONE_THREAD).testimony()
      hasStopped(job, testimony)
      await isAllThere(job, testimony)
      operations += acknowledgedBy(testimony)
    } catch (error) {
      throw new Error(`ESCALONA_SEED=${seed}`, { cause: error })
    } finally {
      removeFrontier(folder)
    }
  }
  t.diagnostic(`${operations} operations were acknowledged before the syncs failed`)
})

test('ours: a snapshot that cannot be written costs nothing that was acknowledged', {
  skip: NO_STRACE && 'strace is needed to make a rename fail',
}, async t => {
  const folder = temporaryFrontier()
  try {
    const job: Job = { ...jobOf(folder, 3), operations: 500, snapshotBytes: 1000 }
    // The first two files that get their names by a rename are not snapshots.
    const failure = 'inject=?rename,?renameat,?renameat2:error=ENOSPC:when=3+'
    const record = join(folder, '..', 'strace.txt')
    const command = ['strace', '-f', '-qq', '-o', record, '-e', 'trace=?rename,?renameat,?renameat2', '-e', failure]
    const testimony = await new Worker(job, worker => [...command, ...worker]).testimony()
    const failures = readFileSync(record, 'utf8').match(/snapshot.*ENOSPC/g)?.length ?? 0
    assert.ok(failures > 0, 'no snapshot was tried')
    assert.equal(testimony.threw, undefined, JSON.stringify(testimony.threw))
    await isAllThere(job, testimony)
    t.diagnostic(`${acknowledgedBy(testimony)} operations, ${failures} snapshots failed`)
  } finally {
    removeFrontier(folder)
  }
})

test('ours: nothing is acknowledged before what was written for it is synced', {
  skip: NO_STRACE && 'strace is needed to see the order',
}, async t => {
  const folder = temporaryFrontier()
  const record = join(folder, '..', 'strace.txt')
  try {
    const job = { ...jobOf(folder, 9), operations: 150 }
    const command = [
      'strace',
      '-f',
      '-qq',
      '-y',
      '-s',
      '40',
      '-o',
      record,
      '-e',
      'trace=write,pwrite64,fsync,fdatasync',
    ]
    const testimony = await new Worker(job, worker => [...command, ...worker]).testimony()
    assert.ok(testimony.hasClosed)
    const { acknowledged, synced } = judgeOrder(readFileSync(record, 'utf8').split('\n'))
    assert.equal(acknowledged, 150)
    t.diagnostic(`${acknowledged} acknowledgements after ${synced} syncs`)
  } finally {
    removeFrontier(folder)
  }
})

/** Follows which files have bytes that no sync has covered, and objects when something is acknowledged meanwhile. */
function judgeOrder(lines: readonly string[]): { acknowledged: number; synced: number } {
  const dirty = new Set<string>()
  /** Syncs under way, by thread: what was dirty when they began. */
  const underWay = new Map<string, string>()
  let acknowledged = 0
  let synced = 0
  for (const line of lines) {
    const [, thread = '', call = '', path = ''] = /^(\d+) +(\w+)\(\d+<([^>]*)>/.exec(line) ?? []
    if (/^p?write/.test(call) && /journal/.test(path)) {
      dirty.add(path)
      for (const [other, file] of underWay) if (file === path) underWay.delete(other)
    } else if (/sync$/.test(call)) {
      if (!line.includes('<unfinished')) dirty.delete(path)
      else underWay.set(thread, path)
      synced++
    } else if (/<\.\.\. f(?:data)?sync resumed>/.test(line)) {
      const resumed = line.split(' ')[0]!
      const file = underWay.get(resumed)
      if (file !== undefined) dirty.delete(file)
      underWay.delete(resumed)
    } else if (call === 'write' && line.includes('{\\"done\\"')) {
      assert.deepEqual([...dirty], [], `acknowledged too early: ${line}`)
      acknowledged++
    }
  }
  return { acknowledged, synced }
}
