// A folder is exported and imported again: nothing is lost, and it continues as if nothing had happened.
import assert from 'node:assert/strict'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type DoneLink, DoneLinks, type DumpRecord, recordIn } from '../../src/frontier/dump.ts'
import { openDump, writeDump } from '../../src/frontier/dump-files.ts'
import { dumpLocal } from '../../src/frontier/local/dump/dump.ts'
import { restoreLocal } from '../../src/frontier/local/dump/restore.ts'
import { openLocal } from '../../src/frontier/local/open.ts'
import { openLocalReadOnly } from '../../src/frontier/local/read-only.ts'
import { HandClock } from '../contract/hand-clock.ts'
import { removeFrontier, temporaryFrontier } from '../contract/maker.ts'
import { randomOptions } from '../contract/operations.ts'
import { FRONTIER_STRATEGIES } from '../model/frontier-oracle.ts'
import { RandomSource, seeds } from '../model/random-source.ts'
import { allOf, continuesAlike, type Dumped, lived, streamOf, temporaryFolder, textOf } from './dump-help.ts'

test('dump: a folder that was exported and imported gives the same export, and leases the same from then on', async t => {
  for (const seed of seeds(t, 4, 4)) {
    const random = new RandomSource(seed)
    const options = randomOptions(random, FRONTIER_STRATEGIES[seed % FRONTIER_STRATEGIES.length]!, true)
    const clock = new HandClock()
    const folder = temporaryFrontier()
    const restored = temporaryFrontier()
    const dumps = temporaryFolder(t)
    try {
      await lived(folder, options, random, clock, true)
      const from = { ...options, clock: clock.read }
      await writeDump({ folder: join(dumps, 'a'), clock: clock.read }, await dumpLocal({ ...from, folder }))
      const dump = await openDump(join(dumps, 'a'))
      await restoreLocal({ folder: restored, dump: dump.folder, clock: clock.read }, dump)
      await writeDump({ folder: join(dumps, 'b'), clock: clock.read }, await dumpLocal({ ...from, folder: restored }))
      assert.equal(textOf(join(dumps, 'b')), textOf(join(dumps, 'a')), `ESCALONA_SEED=${seed}`)
      await continuesAlike([folder, restored], options, random, clock.nowMs, { seed, revisits: true })
    } finally {
      removeFrontier(folder)
      removeFrontier(restored)
    }
  }
})

/** A small frontier with something of everything, and its dump. */
async function someDump(folder: string): Promise<Dumped> {
  const clock = new HandClock()
  const frontier = await openLocal({ folder, clock: clock.read })
  const link = { rank: 1, hops: 0 }
  await frontier.offer([
    { ...link, url: 'http://a.example/1' },
    { ...link, url: 'http://a.example/2', note: 'found' },
    { ...link, url: 'http://b.example/1', refused: 'scope' },
    { ...link, url: 'http://c.example/1' },
    { ...link, url: 'http://b.example/robots.txt', kind: 'robots' },
  ])
  const ticket = (await frontier.take(2)).tickets.find(one => one.kind === 'page')!
  await frontier.place(ticket.id, '192.0.2.1')
  const outcome = { kind: 'done', isPage: true, again: { afterMs: 60_000, gain: 1 } } as const
  await frontier.settle([{ ticketId: ticket.id, outcome, links: [], shown: 'answer', delayMs: 5 }])
  await frontier.settleFormer([{ url: 'http://c.example/1', isPage: true, links: [] }])
  await frontier.close()
  return allOf(dumpLocal({ folder, clock: clock.read }))
}

test('dump: a damaged, truncated or unfinished export is an error that says so, before anything is imported', async t => {
  const dumps = temporaryFolder(t)
  const dumped = await someDump(join(dumps, 'frontier'))
  const whole = join(dumps, 'whole')
  await writeDump({ folder: whole }, streamOf(dumped))
  await openDump(whole)
  const spoilt = async (code: string, spoil: (folder: string) => void) => {
    const folder = join(dumps, 'spoilt')
    rmSync(folder, { recursive: true, force: true })
    cpSync(whole, folder, { recursive: true })
    spoil(folder)
    await assert.rejects(openDump(folder), { code })
  }
  for (const name of readdirSync(whole)) {
    const path = join(whole, name)
    const bytes = readFileSync(path)
    for (const at of [0, 12, bytes.length >> 1, bytes.length - 2]) {
      const other = Buffer.from(bytes)
      other[at]! ^= 4
      await spoilt('DUMP_DAMAGED', folder => writeFileSync(join(folder, name), other))
    }
    await spoilt('DUMP_DAMAGED', folder => truncateSync(join(folder, name), bytes.length - 3))
    await spoilt(name === 'dump.json' ? 'DUMP_MISSING' : 'DUMP_DAMAGED', folder => rmSync(join(folder, name)))
  }
  for (const [other, code] of [
    ['"version": 3', 'DUMP_OTHER_FORMAT'],
    ['"version": 5', 'DUMP_OTHER_FORMAT'],
    ['"version": {}', 'DUMP_DAMAGED'],
  ] as const) {
    await spoilt(code, folder => {
      const text = readFileSync(join(folder, 'dump.json'), 'utf8')
      writeFileSync(join(folder, 'dump.json'), text.replace('"version": 4', other))
    })
  }
})

test('dump: nothing is overwritten: neither by an export nor by an import', async t => {
  const dumps = temporaryFolder(t)
  const folder = join(dumps, 'frontier')
  const dumped = await someDump(folder)
  await assert.rejects(writeDump({ folder }, streamOf(dumped)), { code: 'DUMP_FOLDER_TAKEN' })
  await assert.rejects(restoreLocal({ folder, dump: 'x' }, streamOf(dumped)), { code: 'FRONTIER_NOT_EMPTY' })
  assert.deepEqual(await someCounts(folder), { known: 4, waiting: 1 })
})

test('dump: an import that was interrupted leaves a frontier that cannot be opened', async t => {
  const folder = join(temporaryFolder(t), 'restored')
  const dumped = await someDump(join(temporaryFolder(t), 'frontier'))
  const { head, records } = dumped
  for (const last of [1, 3, records.length]) {
    const stopped = async function* () {
      for (const record of records.slice(0, last)) yield [record]
      throw new Error('stopped')
    }
    await assert.rejects(restoreLocal({ folder, dump: 'x' }, { head, records: stopped() }))
    await assert.rejects(openLocal({ folder }), { code: 'FRONTIER_UNFINISHED' })
    await assert.rejects(openLocalReadOnly({ folder }), { code: 'FRONTIER_UNFINISHED' })
    await assert.rejects(restoreLocal({ folder, dump: 'x' }, streamOf(dumped)), { code: 'FRONTIER_NOT_EMPTY' })
    rmSync(folder, { recursive: true })
  }
  await restoreLocal({ folder, dump: 'x' }, streamOf(dumped))
  assert.equal(existsSync(join(folder, 'importing')), false)
  assert.deepEqual(await someCounts(folder), { known: 4, waiting: 1 })
})

test('frontier export: an export that lacks something, or has something twice or out of place, is damaged', async t => {
  const { head, records } = await someDump(join(temporaryFolder(t), 'frontier'))
  const without = (kind: DumpRecord['kind']) => records.filter(one => one.kind !== kind)
  const planned = records.find(one => one.kind === 'planned')!
  const elsewhere = { ...planned, visit: { ...planned.visit, url: 'http://x.example/' } }
  const link = records.find(one => one.kind === 'link' && one.link.kind === undefined)!
  const wrong: Record<string, readonly DumpRecord[]> = {
    'a link is missing': records.filter(one => one !== link),
    'an auxiliary link is missing': records.filter(one => one.kind !== 'link' || one.link.kind === undefined),
    'nothing is done': [...without('done').filter(one => one.kind !== 'planned')],
    'a host is missing': records.filter(one => one.kind !== 'host' || one.host !== 'b.example'),
    'a host twice': [...records.filter(one => one.kind === 'host'), ...records],
    'a link after what is done': [...records.filter(one => one !== link), link],
    'planned twice': [...records, planned],
    'planned and not done': [...without('planned'), elsewhere],
    'done in a part without hosts': [
      ...without('done').filter(one => one.kind !== 'planned'),
      ...restOf({ part: 1, low: 1, high: 1, isPage: true }),
    ],
  }
  for (const [name, some] of Object.entries(wrong)) {
    const folder = join(temporaryFolder(t), 'restored')
    const dump = streamOf({ head, records: some })
    await assert.rejects(restoreLocal({ folder, dump: 'x' }, dump), { code: 'DUMP_DAMAGED' }, name)
  }
  const folder = join(temporaryFolder(t), 'restored')
  const links = records.filter(one => one.kind === 'link')
  const others = records.filter(one => one.kind === 'done' || one.kind === 'planned')
  const twice = [
    ...records.filter(one => !links.includes(one as never) && !others.includes(one as never)),
    ...links,
    ...links,
  ]
  await restoreLocal({ folder, dump: 'x' }, streamOf({ head, records: [...twice, ...others] }))
  assert.deepEqual(await someCounts(folder), { known: 4, waiting: 1 }, 'a link twice is known once')
})

test('frontier export: a line that is not a record of an export is not read as one', () => {
  const link = { url: 'http://a.example/', rank: 1, hops: 0 }
  const wrong: unknown[] = [
    ...[
      null,
      [],
      {},
      { kind: 'x' },
      { kind: 'toString' },
      { kind: 'server' },
      { kind: 'host', host: '' },
      { kind: 'link' },
    ],
    ...[
      { kind: 'link', link: { ...link, url: 'a' } },
      { kind: 'link', link: { ...link, rank: 256 } },
    ],
    ...[
      { kind: 'link', link, attempts: -1 },
      { kind: 'link', link, attempts: 0.5 },
      { kind: 'done', fingerprints: 'AAAA' },
    ],
    ...[
      { kind: 'host', host: 'a', readyInMs: '1' },
      { kind: 'planned', visit: link },
      { kind: 'note', host: 'a', key: 'k' },
    ],
  ]
  for (const one of wrong) assert.equal(recordIn(JSON.stringify(one)), undefined, JSON.stringify(one))
  assert.equal(recordIn('{'), undefined)
  assert.deepEqual(recordIn(JSON.stringify({ kind: 'link', link })), { kind: 'link', link })
})

/** A done link as a record. */
function restOf(link: DoneLink): readonly DumpRecord[] {
  const done = new DoneLinks()
  done.add(link)
  return done.rest()
}

async function someCounts(folder: string): Promise<unknown> {
  const view = await openLocalReadOnly({ folder })
  const { known, waiting } = await view.counts()
  await view.close()
  return { known, waiting }
}
