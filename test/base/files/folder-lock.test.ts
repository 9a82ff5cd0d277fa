// One process at a time has a folder, wherever the others run.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { FolderLock } from '../../../src/base/files/folder-lock.ts'
import { HIDDEN, Holder, IN_CONTAINER, lockFolder, WITHOUT_PROC, whyNot } from './lock-holder.ts'
import { BEAT_MS, WAIT_MS } from './lock-times.ts'

const NO_CONTAINER = whyNot(IN_CONTAINER)
const TIMES = { beatMs: BEAT_MS, waitMs: WAIT_MS }
/** For owners that can be seen, nobody waits. */
const NEVER = { ...TIMES, onWait: (message: string) => assert.fail(message) }

test('ours: a second lock in the same process is refused, and names the process', async t => {
  const folder = lockFolder(t)
  const lock = await FolderLock.acquire(folder, NEVER)
  const named = new RegExp(`\\b${process.pid}\\b`)
  await assert.rejects(FolderLock.acquire(folder, NEVER), { code: 'FOLDER_LOCKED', message: named })
  await assert.rejects(FolderLock.acquire(folder, { ...NEVER, codes: 'CRAWL' }), { code: 'CRAWL_LOCKED' })
  lock.check()
  lock.release()
  lock.release()
  const second = await FolderLock.acquire(folder, NEVER)
  assert.equal(second.tookOver, false)
  second.release()
})

test('ours: a second process is refused at once, and the message names the first', async t => {
  const folder = lockFolder(t)
  const holder = new Holder(t, folder)
  assert.equal(await holder.outcome(), 'open')
  const message = new RegExp(`\\b${holder.child.pid}\\b`)
  await assert.rejects(FolderLock.acquire(folder, NEVER), { code: 'FOLDER_LOCKED', message })
  await holder.end()
  const lock = await FolderLock.acquire(folder, NEVER)
  lock.release()
  assert.equal(readdirSync(folder).length, 1)
})

test('ours: after kill -9 the next one waits for nothing', async t => {
  const folder = lockFolder(t)
  const holder = new Holder(t, folder)
  assert.equal(await holder.outcome(), 'open')
  await holder.kill()
  const lock = await FolderLock.acquire(folder, NEVER)
  assert.equal(lock.tookOver, false)
  lock.release()
})

test('one owner: a dead process that nobody waited for holds nothing', async t => {
  const folder = lockFolder(t)
  // The shell begins the holder and becomes a program that never waits for it.
  const program = fileURLToPath(new URL('hold-lock.js', import.meta.url))
  const script = 'sleep 100 | "$@" & echo $!; exec sleep 100'
  const parent = spawn('sh', ['-c', script, 'sh', process.execPath, program, folder], { detached: true })
  t.after(() => process.kill(-parent.pid!, 'SIGKILL'))
  let said = ''
  parent.stdout.setEncoding('utf8').on('data', text => {
    said += text
  })
  while (!said.includes('open')) await once(parent.stdout, 'data')
  const pid = Number(said.split('\n', 1)[0])
  process.kill(pid, 'SIGKILL')
  while (!/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))) await wait(5)
  const lock = await FolderLock.acquire(folder, NEVER)
  assert.equal(lock.tookOver, false)
  lock.release()
})

const CONTAINERS: readonly [string, readonly string[], readonly string[]][] = [
  ['two containers', IN_CONTAINER, IN_CONTAINER],
  ['a container, and the machine it runs on', IN_CONTAINER, []],
  ['a machine, and a container on it', [], IN_CONTAINER],
  ['a newcomer to whom /proc hides the owner', [], HIDDEN],
  ['a newcomer without /proc', [], WITHOUT_PROC],
]

for (const [words, first, second] of CONTAINERS) {
  test(`one owner: of ${words}, the second is refused`, { skip: whyNot(first) || whyNot(second) }, async t => {
    const folder = lockFolder(t)
    const holder = new Holder(t, folder, first)
    assert.equal(await holder.outcome(), 'open')
    const newcomer = new Holder(t, folder, second)
    assert.equal(await newcomer.outcome(), 'FOLDER_LOCKED')
    assert.ok(newcomer.hasWaited)
    await holder.end()
    // The owner's last word is seen from everywhere.
    const next = new Holder(t, folder, second)
    assert.equal(await next.outcome(), 'open')
    assert.ok(!next.hasWaited)
  })
}

test('ours: a container that is gone gives way to others after a while', { skip: NO_CONTAINER }, async t => {
  const folder = lockFolder(t)
  const dead = new Holder(t, folder, IN_CONTAINER)
  assert.equal(await dead.outcome(), 'open')
  await dead.kill()
  const said: string[] = []
  const lock = await FolderLock.acquire(folder, { ...TIMES, onWait: message => said.push(message) })
  assert.equal(lock.tookOver, true)
  assert.equal(said.length, 1)
  assert.match(said[0]!, /can't be seen from here; waiting 2 s/)
  lock.check()
  lock.release()
  const next = await FolderLock.acquire(folder, NEVER)
  assert.equal(next.tookOver, false)
  next.release()
})

test('ours: who comes after one that took over and crashed knows of the first', { skip: NO_CONTAINER }, async t => {
  const folder = lockFolder(t)
  const silent = new Holder(t, folder, IN_CONTAINER)
  assert.equal(await silent.outcome(), 'open')
  await silent.kill()
  const crashed = new Holder(t, folder)
  assert.equal(await crashed.outcome(), 'took over')
  await crashed.kill()
  const lock = await FolderLock.acquire(folder, NEVER)
  assert.equal(lock.tookOver, true)
  lock.release()
})

test('one owner: an owner that was frozen is fenced off, and writes nothing any more', {
  skip: NO_CONTAINER,
}, async t => {
  const folder = lockFolder(t)
  const log = join(folder, 'log')
  const first = new Holder(t, folder, [], '0', log)
  assert.equal(await first.outcome(), 'open')
  // A file is there before its first line is.
  while ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) === 0) await wait(5)
  first.child.kill('SIGSTOP')
  const second = new Holder(t, folder, IN_CONTAINER)
  assert.equal(await second.outcome(), 'took over')
  const before = readFileSync(log, 'utf8')
  assert.ok(before.length > 0)
  first.child.kill('SIGCONT')
  await first.says('FOLDER_LOST')
  // It may have been frozen between a check and the write after it.
  const late = readFileSync(log, 'utf8').slice(before.length).split('\n').length - 1
  assert.ok(late <= 1, `${late} lines were written after the folder was lost`)
  await second.end()
})

test('ours: the owner notices at the next check that its lock is gone or another', async t => {
  const folder = lockFolder(t)
  const lost = { code: 'FOLDER_LOST', message: /has taken over .* has written nothing since/ }
  for (const putInItsPlace of [false, true]) {
    const lock = await FolderLock.acquire(folder, NEVER)
    lock.check()
    const path = join(folder, readdirSync(folder)[0]!)
    const text = readFileSync(path)
    rmSync(path)
    if (putInItsPlace) writeFileSync(path, text)
    assert.throws(lock.check, lost)
    assert.throws(lock.check, lost)
    lock.release()
    rmSync(path, { force: true })
  }
  const lock = await FolderLock.acquire(folder, { ...NEVER, codes: 'CRAWL' })
  for (const name of readdirSync(folder)) rmSync(join(folder, name))
  assert.throws(lock.check, { code: 'CRAWL_LOST' })
})

test('ours: an owner that has no time for its timers beats when it checks', async t => {
  const folder = lockFolder(t)
  const lock = await FolderLock.acquire(folder, { ...TIMES, beatMs: 1 })
  const path = join(folder, readdirSync(folder)[0]!)
  const before = readFileSync(path, 'utf8')
  let after = before
  // No timer runs in here.
  for (const start = performance.now(); after === before && performance.now() - start < 2000; ) {
    lock.check()
    after = readFileSync(path, 'utf8')
  }
  lock.release()
  assert.notEqual(after, before)
  assert.equal(after.length, before.length)
})

test('ours: of 20 processes that come at once after a crash, exactly one gets the folder', async t => {
  const rounds = 2
  for (let round = 0; round < rounds; round++) {
    const folder = lockFolder(t)
    // In the second round nobody sees whether the first owner lives, and half of the others don't see each other.
    const isUnseen = round === 1 && NO_CONTAINER === false
    const first = new Holder(t, folder, isUnseen ? IN_CONTAINER : [])
    assert.equal(await first.outcome(), 'open')
    await first.kill()
    const atMs = Date.now() + 1500
    const holders = Array.from({ length: 20 }, (_, n) => {
      return new Holder(t, folder, isUnseen && n % 2 === 0 ? IN_CONTAINER : [], String(atMs))
    })
    const said = await Promise.all(holders.map(holder => holder.outcome()))
    const winner = isUnseen ? 'took over' : 'open'
    assert.deepEqual(said.toSorted(), [...Array(19).fill('FOLDER_LOCKED'), winner], `round ${round}`)
    await Promise.all(holders.map(holder => holder.end()))
  }
  t.diagnostic(`${rounds} rounds of 20 processes`)
})

const NO_STRACE = spawnSync('strace', ['-f', '-o', '/dev/null', 'true']).status !== 0

/** The calls by which a lock can change hands. */
const CALLS = '?link,?linkat,?rename,?renameat,?renameat2,?unlink,?unlinkat,?symlink,?symlinkat,?ftruncate,?truncate'

/** Slows these calls down, so that another process comes in between. */
function slowly(where: 'enter' | 'exit'): string[] {
  const inject = `inject=${CALLS}:delay_${where}=700000`
  return ['strace', '-f', '-qq', '-o', '/dev/null', '-e', `trace=${CALLS}`, '-e', inject]
}

for (const where of ['enter', 'exit'] as const) {
  test(`ours: a process that is slow when it takes the lock of a dead one does not share the folder (${where})`, {
    skip: NO_STRACE && 'strace is needed to slow a process down',
  }, async t => {
    const folder = lockFolder(t)
    const dead = new Holder(t, folder)
    assert.equal(await dead.outcome(), 'open')
    await dead.kill()
    const slow = new Holder(t, folder, slowly(where))
    await wait(500)
    const quick = new Holder(t, folder)
    const said = [await slow.outcome(), await quick.outcome()]
    assert.deepEqual(said.toSorted(), ['FOLDER_LOCKED', 'open'], `the slow one and the quick one said ${said}`)
    await Promise.all([slow.end(), quick.end()])
  })
}
