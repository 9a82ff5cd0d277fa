// What a person changes about a host, on a frontier in a folder from which somebody takes all the time.
import assert from 'node:assert/strict'
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { CrawlFrontier } from '../../src/frontier/frontier.ts'
import { openLocal } from '../../src/frontier/local/open.ts'
import { applyBlock, applyDelay, keptBlocks, Rests } from '../../src/run/rests.ts'

const T = 1_700_000_000_000
const HOST = 'a.test'
const RESULT = {}

/** `close`: what is to be closed before the folder is removed. */
function folderFor(t: TestContext, close?: () => Promise<void>): string {
  const folder = mkdtempSync(join(tmpdir(), 'escalona-host-change-'))
  t.after(async () => {
    await close?.()
    rmSync(folder, { recursive: true, force: true })
  })
  return folder
}

/** A host with something waiting that was asked at T, and is to wait for a minute. */
async function askedAtT(t: TestContext) {
  let nowMs = T
  const folder = folderFor(t, () => frontier.close())
  const frontier = await openLocal({ folder, clock: () => nowMs })
  await frontier.offer(['/1', '/2'].map(path => ({ url: `http://${HOST}${path}`, rank: 1, hops: 0 })))
  const [ticket] = (await frontier.take(1)).tickets
  const outcome = { kind: 'done', isPage: true } as const
  await frontier.settle([{ ticketId: ticket!.id, outcome, links: [], shown: 'answer', delayMs: 60_000 }])
  const pass = (ms: number) => void (nowMs += ms)
  return { frontier, pass, clock: () => nowMs }
}

/** What is leased while this is done. */
async function leasedDuring(frontier: CrawlFrontier, change: () => Promise<void>): Promise<number> {
  let isDone = false
  const changing = change().finally(() => (isDone = true))
  let leased = 0
  do leased += (await frontier.take(1)).tickets.length
  while (!isDone)
  await changing
  return leased
}

function blocked(untilMs: number | null) {
  return { kind: 'change host', host: HOST, change: { blockedUntilMs: untilMs } } as const
}

test('steering: a host whose delay becomes shorter is not asked before the new one has passed', async t => {
  const { frontier, pass, clock } = await askedAtT(t)
  pass(5000)
  const view = (await frontier.host(HOST))!
  const former = { nowMs: clock(), delayMs: () => 60_000, rest: () => undefined }
  assert.equal(await leasedDuring(frontier, () => applyDelay(frontier, view, former, 30_000)), 0)
  assert.equal((await frontier.host(HOST))!.readyInMs, 25_000)
  pass(25_000)
  assert.equal((await frontier.take(1)).tickets.length, 1)
})

test('steering: a block that becomes shorter lets nothing through; the delay and a Retry-After still hold', async t => {
  const { frontier, pass, clock } = await askedAtT(t)
  const rests = new Rests()
  const block = async (forMs: number) => {
    const view = (await frontier.host(HOST))!
    const untilMs = clock() + forMs
    await applyBlock(frontier, view, { nowMs: clock(), delayMs: () => 60_000, rests }, untilMs)
    rests.hear({ kind: 'action', action: blocked(untilMs), result: RESULT }, clock())
  }
  const readyInMs = async () => (await frontier.host(HOST))!.readyInMs
  await block(86_400_000)
  pass(5000)
  assert.equal(await leasedDuring(frontier, () => block(3_600_000)), 0)
  assert.equal(await readyInMs(), 3_600_000)
  await block(1000)
  assert.equal(await readyInMs(), 60_000, 'its delay')
  rests.hear(
    { kind: 'answered', url: `http://${HOST}/`, status: 429, wireBytes: 1, tookMs: 1, retryAfterMs: 900_000 },
    clock(),
  )
  await block(86_400_000)
  await block(1000)
  assert.equal(await readyInMs(), 900_000, 'what the host asked for')
  await block(0)
  assert.equal(await readyInMs(), 0, 'a block that has ended ends all waiting')
})

test('steering: a block is remembered after a restart, however many seeds were added since', t => {
  const folder = folderFor(t)
  const lines = [
    { ...blocked(T + 5000), atMs: T, result: RESULT },
    ...Array.from({ length: 500 }, () => ({ kind: 'add seeds', urls: ['x'.repeat(10_000)], atMs: T, result: RESULT })),
  ]
  appendFileSync(join(folder, 'actions.jsonl'), lines.map(line => `${JSON.stringify(line)}\n`).join(''))
  assert.equal(keptBlocks(folder).blockedUntilMs(HOST, T), T + 5000)
})
