// One process at a time has a frontier's folder.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openLocal } from '../../src/frontier/local/open.ts'
import { removeFrontier, temporaryFrontier } from '../contract/maker.ts'

const HOLDER = fileURLToPath(new URL('hold-folder.js', import.meta.url))

/** A process that opens a folder at a given time and keeps it; tells `open` or the code of the error. */
class Holder {
  readonly child: ChildProcess
  private said = ''

  /** `before` stands in front of the command, for example to slow down some of its calls. */
  constructor(folder: string, atMs = 0, before: readonly string[] = []) {
    const [file = '', ...args] = [...before, process.execPath, HOLDER, folder, String(atMs)]
    this.child = spawn(file, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    this.child.stdout!.setEncoding('utf8').on('data', text => {
      this.said += text
    })
  }

  async said1(): Promise<string> {
    while (!this.said.includes('\n')) await once(this.child.stdout!, 'data')
    return this.said.split('\n')[0]!
  }

  /** Lets it go in peace: it closes the frontier. */
  async end(): Promise<void> {
    const ended = once(this.child, 'close')
    this.child.stdin!.end()
    if (this.child.exitCode === null) await ended
  }

  async kill(): Promise<void> {
    const ended = once(this.child, 'close')
    this.child.kill('SIGKILL')
    await ended
  }
}

test('ours: a second opening in the same process is refused, and names the process', async () => {
  const folder = temporaryFrontier()
  const frontier = await openLocal({ folder })
  try {
    const locked = { code: 'FRONTIER_LOCKED', message: new RegExp(`\\b${process.pid}\\b`) }
    await assert.rejects(openLocal({ folder }), locked)
    await assert.rejects(openLocal({ folder }), locked)
    assert.equal(await frontier.offer([{ url: 'http://a.com/', pathDepth: 0, hops: 0 }]), 1)
    await frontier.close()
    const second = await openLocal({ folder })
    assert.equal((await second.counts()).known, 1)
    await second.close()
  } finally {
    removeFrontier(folder)
  }
})

test('ours: a second process is refused, and the message names the first', async () => {
  const folder = temporaryFrontier()
  const holder = new Holder(folder)
  try {
    assert.equal(await holder.said1(), 'open')
    const message = new RegExp(`\\b${holder.child.pid}\\b`)
    await assert.rejects(openLocal({ folder }), { code: 'FRONTIER_LOCKED', message })
    await holder.end()
    await (await openLocal({ folder })).close()
  } finally {
    await holder.end()
    removeFrontier(folder)
  }
})

test('ours: a process that was killed holds nothing', async () => {
  const folder = temporaryFrontier()
  const holder = new Holder(folder)
  try {
    assert.equal(await holder.said1(), 'open')
    await holder.kill()
    await (await openLocal({ folder })).close()
  } finally {
    removeFrontier(folder)
  }
})

test('ours: of many processes that come at once after a crash, exactly one gets the folder', async t => {
  const rounds = 4
  for (let round = 0; round < rounds; round++) {
    const folder = temporaryFrontier()
    const first = new Holder(folder)
    assert.equal(await first.said1(), 'open')
    await first.kill()
    const atMs = Date.now() + 400
    const holders = Array.from({ length: 6 }, () => new Holder(folder, atMs))
    try {
      const said = await Promise.all(holders.map(holder => holder.said1()))
      assert.deepEqual(said.toSorted(), [...Array(5).fill('FRONTIER_LOCKED'), 'open'], `round ${round}`)
    } finally {
      await Promise.all(holders.map(holder => holder.end()))
      removeFrontier(folder)
    }
  }
  t.diagnostic(`${rounds} rounds of 6 processes`)
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
  }, async () => {
    const folder = temporaryFrontier()
    const dead = new Holder(folder)
    assert.equal(await dead.said1(), 'open')
    await dead.kill()
    const slow = new Holder(folder, 0, slowly(where))
    await wait(500)
    const quick = new Holder(folder)
    try {
      const said = [await slow.said1(), await quick.said1()]
      assert.deepEqual(said.toSorted(), ['FRONTIER_LOCKED', 'open'], `the slow one and the quick one said ${said}`)
    } finally {
      await Promise.all([slow.end(), quick.end()])
      removeFrontier(folder)
    }
  })
}

test('ours: a failed opening leaves the folder free', async () => {
  const folder = temporaryFrontier()
  try {
    await (await openLocal({ folder })).close()
    const { writeFileSync, renameSync, readdirSync } = await import('node:fs')
    const journal = readdirSync(folder).find(name => name.startsWith('journal'))!
    renameSync(`${folder}/${journal}`, `${folder}/kept`)
    writeFileSync(`${folder}/${journal}`, 'this is no journal, and longer than a header')
    for (let n = 0; n < 3; n++) await assert.rejects(openLocal({ folder }), { code: 'FRONTIER_DAMAGED' })
    renameSync(`${folder}/kept`, `${folder}/${journal}`)
    await (await openLocal({ folder })).close()
  } finally {
    removeFrontier(folder)
  }
})
