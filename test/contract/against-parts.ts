// The same operations on a frontier that divides its hosts and on one oracle for each part, step by step. A difference is
// shortened and printed.
import assert from 'node:assert/strict'
import type { FrontierOptions, HostView, Link, LinkView } from '../../src/frontier/frontier.ts'
import { hostOf } from '../../src/url/host-of.ts'
import type { PartOracle } from '../model/part-oracle.ts'
import { PartedOracle } from '../model/parted-oracle.ts'
import { shortened, shown } from './against-oracle.ts'
import { HandClock } from './hand-clock.ts'
import { lacks, type Maker, type PartedFrontier, type Subject } from './maker.ts'
import type { Operation } from './operations.ts'
import { type Deed, everyPage, listed, Player, plain } from './player.ts'

export async function agreesByParts(
  maker: Maker,
  options: FrontierOptions,
  operations: readonly Operation[],
  seed: number,
): Promise<void> {
  const found = await firstComplaint(maker, options, operations)
  if (!found) return
  const differs = (list: readonly Operation[]) => firstComplaint(maker, options, list)
  const few = await shortened(operations.slice(0, found.at + 1), differs)
  const complaint = (await differs(few)) ?? found
  const where = `ESCALONA_SEED=${seed}, ${maker.name}, ${JSON.stringify(options)}, shortened to\n${shown(few)}`
  throw new Error(`${where}\n${complaint.error}`, { cause: complaint.error })
}

interface Complaint {
  /** The place of the operation after which it was made. */
  readonly at: number
  readonly error: unknown
}

async function firstComplaint(
  maker: Maker,
  options: FrontierOptions,
  operations: readonly Operation[],
): Promise<Complaint | undefined> {
  const clock = new HandClock()
  const subject = await maker.make(options, clock)
  const partOf = (host: string) => frontierOf(subject).partOf(host)
  const oracle = new PartedOracle(maker.parts ?? 1, partOf, options, clock.read, !lacks(maker, 'knownOrder'))
  const deeds: Deed[] = []
  const player = new Player(subject, clock, options.leaseMs, deed => deeds.push(deed))
  try {
    for (const [at, operation] of operations.entries()) {
      try {
        await player.play(operation)
        for (const deed of deeds.splice(0)) await told(oracle, deed, clock.nowMs)
        if (operation.do === 'note') await noted(oracle, operation, clock.nowMs)
        // After a take, the hosts show which parts it has asked; the counts are those of all of them.
        if (operation.do === 'look' || operation.do === 'take') await hostsAgree(subject, oracle, clock.nowMs)
        await countsAgree(subject, oracle)
        if (operation.do === 'look') await viewsAgree(subject, oracle, operation.urls, clock.nowMs)
      } catch (error) {
        return { at, error }
      }
    }
    return undefined
  } finally {
    await subject.end()
  }
}

function frontierOf(subject: Subject): PartedFrontier {
  return subject.frontier as PartedFrontier
}

async function told(oracle: PartedOracle, deed: Deed, nowMs: number): Promise<void> {
  switch (deed.deed) {
    case 'offered':
      return oracle.offered(deed.links, deed.fresh)
    case 'leased':
      return oracle.taken(deed, deed.max, deed.nowMs)
    case 'settled':
      return oracle.settled(deed.settlements, deed.nowMs, deed)
    case 'formerly visited':
      return oracle.formerly(deed.visits, nowMs, deed.fresh)
    case 'planned':
      return oracle.planned(deed.visits, 'plan', nowMs, deed.count)
    case 'replanned':
      return oracle.planned(deed.visits, 'replan', nowMs, deed.count)
    case 'hinted':
      return oracle.hinted(deed.hints, deed.nowMs, deed.count)
    case 'given back':
      return oracle.givenBack(deed.ids)
    case 'renewed':
      return oracle.renewed(deed.ids, deed.late, deed.nowMs)
    case 'delay set':
      return oracle.host(deed.host, state => state.setDelay(deed.host, deed.delayMs))
    case 'held':
      return oracle.host(deed.host, state => state.hold(deed.host, deed, deed.nowMs))
    case 'requeued':
      return oracle.requeued(deed.links, deed.count)
    case 'cleared':
      if (deed.host === undefined) return oracle.everyPart(state => state.clear())
      return oracle.host(deed.host, state => state.clear(deed.host))
    case 'reopened':
      return oracle.everyPart(state => state.reopen())
    case 'placed':
      throw new Error('where hosts are placed, one part decides about another')
  }
}

async function noted(oracle: PartedOracle, operation: Operation & { do: 'note' }, nowMs: number): Promise<void> {
  const { host, text, forMs } = operation
  await oracle.host(host, state => state.note(host, 'key', Buffer.from(text), forMs, nowMs))
}

async function countsAgree(subject: Subject, oracle: PartedOracle): Promise<void> {
  const parts = await Promise.all(oracle.likely.map(state => state.counts()))
  const { refusedFor, turnedAway, ...counts } = await subject.frontier.counts()
  for (const key of Object.keys(counts) as (keyof typeof counts)[]) {
    assert.equal(counts[key], total(parts.map(one => one[key])), `counts().${key}`)
  }
  const keys = new Set([refusedFor, ...parts.map(one => one.refusedFor)].flatMap(one => Object.keys(one)))
  for (const key of keys) {
    const of = (record: Readonly<Record<string, number>>) => (Object.hasOwn(record, key) ? record[key]! : 0)
    assert.equal(of(refusedFor), total(parts.map(one => of(one.refusedFor))), `counts().refusedFor: ${key}`)
  }
  for (const key of Object.keys(turnedAway) as (keyof typeof turnedAway)[]) {
    assert.equal(turnedAway[key], total(parts.map(one => one.turnedAway[key])), `counts().turnedAway: ${key}`)
  }
}

/** The hosts of a part, in the order in which they became known. */
async function hostsAgree(subject: Subject, oracle: PartedOracle, nowMs: number): Promise<void> {
  const { partOf, views } = await hostsOf(subject, nowMs)
  for (let part = 0; part < oracle.count; part++) {
    const here = views.filter(({ host }) => partOf(host) === part)
    const expected = (state: PartOracle) => everyPage<HostView>(cursor => state.hosts(cursor, nowMs))
    await oracle.keep(part, async state => (await expected(state)).map(plain), here)
  }
}

async function hostsOf(subject: Subject, nowMs: number) {
  const frontier = frontierOf(subject)
  const views = (await everyPage<HostView>(cursor => frontier.hosts(cursor, nowMs), 50)).map(plain)
  return { partOf: (host: string) => frontier.partOf(host), views }
}

async function viewsAgree(
  subject: Subject,
  oracle: PartedOracle,
  urls: readonly string[],
  nowMs: number,
): Promise<void> {
  const frontier = frontierOf(subject)
  for (let part = 0; part < oracle.count; part++) {
    const here = urls.filter(url => frontier.partOf(hostOf(url)) === part)
    const isHere = ({ host }: LinkView) => frontier.partOf(host) === part
    const actual = await lookOf(frontier, here, isHere, nowMs)
    await oracle.keep(part, state => lookOf(state, here, isHere, nowMs), actual)
  }
  const outlooks = await Promise.all(oracle.likely.map(state => state.outlook(nowMs)))
  const { ready, resting, down, next, againInMs } = await frontier.outlook(nowMs)
  const sums = { ready: 0, resting: 0, down: 0 }
  for (const one of outlooks) for (const key of ['ready', 'resting', 'down'] as const) sums[key] += one[key]
  assert.deepEqual({ ready, resting, down }, sums)
  const waits = outlooks.flatMap(one => one.next?.readyInMs ?? [])
  const visits = outlooks.flatMap(one => one.againInMs ?? [])
  assert.equal(againInMs, visits.length === 0 ? undefined : Math.min(...visits))
  assert.equal(next?.readyInMs, waits.length === 0 ? undefined : Math.min(...waits))
}

/** What can be seen of some URLs and their hosts, and of all links; these in any order. */
async function lookOf(
  frontier: PartedFrontier | PartOracle,
  urls: readonly string[],
  isHere: (view: LinkView) => boolean,
  nowMs: number,
): Promise<unknown> {
  const hosts = [...new Set(urls.map(hostOf))]
  const lists = await Promise.all(hosts.map(host => everyPage<Link>(cursor => frontier.waiting(host, cursor), 7)))
  const links = await listed(frontier, hosts)
  const explained = await frontier.explain(urls, nowMs)
  const notes = await Promise.all(hosts.map(host => frontier.noted(host, 'key', nowMs)))
  const single = await Promise.all(urls.map(url => frontier.link(url)))
  return {
    lists: lists.map(list => list.map(link => ({ ...plain(link), kind: link.kind ?? 'page' }))),
    links: links.map(list => list.filter(isHere).sort((a, b) => (a.url < b.url ? -1 : 1))),
    // The numbers of tickets are their own.
    explained: explained.map(one => plain('ticketId' in one ? { ...one, ticketId: 0 } : one)),
    single: single.map(link => link && plain(link)),
    hosts: (await Promise.all(hosts.map(host => frontier.host(host, nowMs)))).map(view => view && plain(view)),
    notes: notes.map(note => note && Buffer.from(note).toString()),
  }
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0)
}
