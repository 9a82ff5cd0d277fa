import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { systemTimer } from '../../src/base/clock.ts'
import type { Commit } from '../../src/decide/decision.ts'
import type { FailureLine } from '../../src/folder/failures-file.ts'
import type { SeedLine } from '../../src/folder/seeds-file.ts'
import type { Link, Settlement } from '../../src/frontier/frontier.ts'
import { Committer } from '../../src/run/committer.ts'

/** Deps that write down what is asked of them, in order; the disk is as slow as the test wants. */
function deps() {
  const log: string[] = []
  let failure: Error | undefined
  const syncs: (() => void)[] = []
  let file = 1
  const archive = {
    append(batch: readonly unknown[]) {
      log.push(`append ${batch.length}`)
      return batch.map((_, offset) => ({ file: `f${file}`, offset, length: 1 }))
    },
    async sync() {
      await new Promise<void>(resolve => syncs.push(resolve))
      if (failure !== undefined) throw failure
      log.push('synced')
    },
  }
  const pages = {
    append: (batch: readonly unknown[]) => void log.push(`lines ${batch.length}`),
    sync: async () => void log.push('lines synced'),
  }
  const told = (what: string) => async () => {
    await turn()
    log.push(what)
  }
  let settling = Promise.resolve()
  const frontier = {
    async offer(links: readonly Link[]) {
      await turn()
      log.push(`offer ${links.length}`)
      return links.length
    },
    async settle(settlements: readonly Settlement[]) {
      log.push(`settle ${settlements.map(({ ticketId, links }) => `${ticketId}:${links.length}`).join(' ')}`)
      await settling
      const late = settlements.filter(({ ticketId }) => ticketId === 99).map(({ ticketId }) => ticketId)
      return { fresh: settlements.map(({ links }) => links.length), late }
    },
    giveBack: async (ids: readonly number[]) => void log.push(`give back ${ids.join(' ')}`),
    setDelay: told('delay'),
    hold: told('hold'),
    note: told('note'),
    /** Two pages of two links. */
    async waiting(host: string, { after }: { readonly after?: string }) {
      const items = [1, 2].map(n => ({
        url: `http://${host}/${after ?? 'first'}/${n}`,
        note: '{"from":"http://x.com/"}',
      }))
      return { items, next: after === undefined ? 'second' : undefined }
    },
  }
  const failures = {
    append: (lines: readonly FailureLine[]) => void log.push(...lines.map(({ url }) => `failed ${url}`)),
  }
  const seeds = { append: (lines: readonly SeedLine[]) => void log.push(...lines.map(({ url }) => `seed ${url}`)) }
  const paths = { ahead: async (links: readonly (readonly Link[])[]) => links }
  const gate = { learn: () => void log.push('learned') }
  const sitemaps = { look: (name: string) => void log.push(`read ${name}`) }
  const earlier = { learn() {} }
  const timer = systemTimer
  const committer = new Committer({
    archive,
    pages,
    failures,
    seeds,
    frontier,
    paths,
    gate,
    sitemaps,
    earlier,
    timer,
  } as never)
  const syncAll = async () => {
    for (let n = 0; n < 10; n++) {
      await turn()
      for (const sync of syncs.splice(0)) sync()
    }
  }
  return {
    log,
    committer,
    syncAll,
    fail: (error: Error) => (failure = error),
    nextFile: () => file++,
    /** From now on settling takes until the function that this returns is called. */
    holdSettling: () => {
      let letGo = () => {}
      settling = new Promise(resolve => (letGo = resolve))
      return letGo
    },
  }
}

const RECORDS = {
  bytes: new Uint8Array(1000),
  kind: 'response' as const,
  responseBytes: 1,
  isPage: true,
  recordId: 'urn:uuid:1',
  date: '',
  cdx: '',
  payloadDigest: '',
}
const CLOSING = { outcome: { kind: 'done', isPage: true }, shown: 'answer', delayMs: 0 } as const

function page(ticketId: number, more: Partial<Commit> = {}): Commit {
  return { records: RECORDS, page: { url: `u${ticketId}` } as never, settlement: { ticketId, ...CLOSING }, ...more }
}

function links(count: number): Link[] {
  return Array.from({ length: count }, (_, n) => ({ url: `http://a.com/${n}`, rank: 1, hops: 1 }))
}

test('ours: the record is on disk before its line is written and the frontier hears of it', async () => {
  const { committer, log, syncAll } = deps()
  const kept = committer.keep(page(1))
  await turn()
  assert.deepEqual(log, ['append 1'])
  await syncAll()
  assert.deepEqual(log, ['append 1', 'synced', 'lines 1', 'lines synced', 'settle 1:0'])
  assert.deepEqual(await kept, {
    line: { url: 'u1', file: 'f1', offset: 0, length: 1 },
    fresh: 0,
    isLate: false,
    goneLinks: 0,
  })
})

test('committer: lines of failures, and what seeds redirected to, are written before the frontier hears of it', async () => {
  const { committer, log } = deps()
  const failure = { url: 'http://a.com/', reason: 'timeout', attempts: 4, atMs: 1 }
  const seed = { url: 'http://www.a.com/', from: 'http://a.com/' }
  const refused = { outcome: { kind: 'refused', reason: 'timeout' }, shown: 'silence', delayMs: 0 } as const
  await committer.keep({ failure, seed, settlement: { ticketId: 1, ...refused } })
  assert.deepEqual(log, ['seed http://www.a.com/', 'failed http://a.com/', 'settle 1:0'])
})

test('committer: all that waits at a host that is gone gets a line, and is counted', async () => {
  const { committer, log } = deps()
  const gone = { host: 'a.com', reason: 'dns', atMs: 1 }
  const refused = { outcome: { kind: 'refused', reason: 'dns' }, shown: 'gone', delayMs: 0 } as const
  const { goneLinks } = await committer.keep({ gone, settlement: { ticketId: 1, ...refused } })
  assert.equal(goneLinks, 4)
  const lines = ['first/1', 'first/2', 'second/1', 'second/2'].map(path => `failed http://a.com/${path}`)
  assert.deepEqual(log, [...lines, 'settle 1:0'])
})

test('committer: a host that is gone is settled before the links to it that its round brings; each entry hears of its own', async () => {
  const { committer, log, syncAll } = deps()
  const gone = { host: 'a.com', reason: 'dns', atMs: 1 }
  const refused = { outcome: { kind: 'refused', reason: 'dns' }, shown: 'gone', delayMs: 0 } as const
  const first = committer.keep(page(1))
  const linking = committer.keep(page(2, { links: [links(1)] }))
  const ending = committer.keep({ gone, settlement: { ticketId: 3, ...refused } })
  await syncAll()
  await first
  assert.deepEqual([(await linking).fresh, (await ending).fresh, (await ending).goneLinks], [1, 0, 4])
  assert.equal(
    log.findLast(line => line.startsWith('settle')),
    'settle 3:0 2:1',
  )
})

test('ours: what comes while the disk is busy is kept together in the next round', async () => {
  const { committer, log, syncAll } = deps()
  const all = [1, 2, 3, 4].map(id => committer.keep(page(id)))
  await syncAll()
  await Promise.all(all)
  assert.deepEqual(
    log.filter(line => /append|settle/.test(line)),
    ['append 1', 'append 3', 'settle 1:0', 'settle 2:0 3:0 4:0'],
  )
})

test('ours: lines are synced when a new WARC file begins, and only then', async () => {
  const { committer, log, syncAll, nextFile } = deps()
  for (const id of [1, 2, 3]) {
    const kept = committer.keep(page(id))
    await syncAll()
    await kept
    if (id === 2) nextFile()
  }
  assert.equal(log.filter(line => line === 'lines synced').length, 2)
})

test('ours: no more pages are archived and not settled than a restart recognises', async () => {
  const { committer, log, syncAll } = deps()
  const all = Array.from({ length: 1300 }, (_, id) => committer.keep(page(id)))
  for (let n = 0; n < 10; n++) await syncAll()
  await Promise.all(all)
  let open = 0
  let most = 0
  for (const line of log) {
    open += Number(/^append (\d+)/.exec(line)?.[1] ?? 0)
    most = Math.max(most, open)
    if (line.startsWith('settle')) open -= line.split(' ').length - 1
  }
  assert.equal(open, 0)
  assert.ok(most <= 500, `${most} pages were open`)
})

test('ours: while the frontier is slow, one round is archived and no more', async () => {
  const { committer, log, syncAll, holdSettling } = deps()
  const letGo = holdSettling()
  const all = Array.from({ length: 1300 }, (_, id) => committer.keep(page(id)))
  for (let n = 0; n < 10; n++) await syncAll()
  const archived = log.reduce((sum, line) => sum + Number(/^append (\d+)/.exec(line)?.[1] ?? 0), 0)
  assert.ok(archived > 200 && archived <= 500, `${archived} pages were archived`)
  assert.equal(log.filter(line => line.startsWith('settle')).length, 1)
  letGo()
  for (let n = 0; n < 10; n++) await syncAll()
  await Promise.all(all)
})

test('ours: of very many links all but the last batch are offered before the page is kept, and all count', async () => {
  const { committer, log, syncAll } = deps()
  const kept = committer.keep(page(1, { links: [links(1000), links(1000), links(7)] }))
  await syncAll()
  assert.equal((await kept).fresh, 2007)
  assert.deepEqual(log.slice(0, 2), ['offer 1000', 'offer 1000'])
  assert.equal(log.at(-1), 'settle 1:7')
})

test('ours: what is learned of a host, and the link to its robots.txt, comes before its ticket is closed', async () => {
  const { committer, log } = deps()
  await committer.keep({ links: [links(1)], block: { host: 'a', ms: 1 }, settlement: { giveBack: 7 } })
  assert.deepEqual(log, ['hold', 'offer 1', 'give back 7'])
  const note = { host: 'a', key: 'k', bytes: new Uint8Array(1), forMs: 1 }
  const robots = { origin: 'http://a', rules: 'robots-unavailable', atMs: 1 } as const
  const sitemapRead = { name: 'sitemap:x', atMs: 1 }
  await committer.keep({
    note,
    delay: { host: 'a', ms: 1 },
    robots,
    sitemapRead,
    settlement: { ticketId: 8, ...CLOSING },
  })
  assert.deepEqual(log.slice(3), ['delay', 'note', 'learned', 'read sitemap:x', 'settle 8:0'])
})

test('ours: a ticket that came too late is told apart, and its page has a line', async () => {
  const { committer, syncAll } = deps()
  const both = [committer.keep(page(1)), committer.keep(page(99))]
  await syncAll()
  const [first, second] = await Promise.all(both)
  assert.deepEqual([first!.isLate, second!.isLate, second!.line?.url], [false, true, 'u99'])
})

test('ours: a disk that fails fails every entry that was not safe, and settles none of them', async () => {
  const { committer, log, syncAll, fail } = deps()
  fail(new Error('disk'))
  const both = [committer.keep(page(1)), committer.keep(page(2))]
  const ends = Promise.allSettled(both)
  await syncAll()
  assert.deepEqual(
    (await ends).map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.deepEqual(
    log.filter(line => /settle|lines/.test(line)),
    [],
  )
})

test('ours: it says how much waits for the disk', async () => {
  const { committer, syncAll } = deps()
  const kept = committer.keep(page(1, { links: [links(1)], linksBytes: 500 }))
  assert.equal(committer.waitingBytes, 1500)
  await syncAll()
  await kept
  assert.equal(committer.waitingBytes, 0)
})
