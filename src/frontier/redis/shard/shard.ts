import type { TicketId } from '../../frontier.ts'
import { SHARD_SCRIPTS as SCRIPTS } from '../engine/scripts.ts'
import type { HostShard } from './host-shards.ts'
import { endingOf, fingerprintBytes, readPage, readTickets } from './link-text.ts'
import {
  LEASE_KINDS,
  type LostLease,
  type OfferedLink,
  type OpenTicket,
  type ReturnedTicket,
  type ShardAsk,
  type ShardOffered,
  type ShardSettled,
  type ShardSettlement,
  type ShardTaken,
  type ShardVisit,
  type Woken,
} from './moves.ts'
import { type MsgpackValue, Packer } from './pack.ts'
import { type LinkContext, notesOf, numberIn, packBlocks } from './pack-links.ts'
import { reading } from './replies.ts'
import { bytesOf, listOf, numberOf, numbersOf, textOf, textsOf } from './shard-calls.ts'
import { packAgain, ShardPlans } from './shard-plans.ts'
import { wokenOf } from './shard-servers.ts'

/** The most links and tickets in one call: no call may hold up the others for long. */
const MOST_LINKS = 256
const MOST_TICKETS = 128
const NOTES_AT_ONCE = 256
const REVIVED_AT_ONCE = 128
const SHOWN = { answer: 1, trouble: 2, silence: 3, gone: 4 } as const

/**
 * The moves of one shard, each of them atomic. Calls that write take effect in the order in which they were made, and may
 * be repeated by the engine. Without `nowMs` the engine's clock counts.
 */
export class Shard extends ShardPlans {
  /** Numbers of notes that are reserved for this client. */
  private nextNote = 0
  private lastNote = -1
  /** Visits again that are leased or due here, perhaps by a crawler that is gone. */
  private again = Number.POSITIVE_INFINITY

  async offer(links: readonly OfferedLink[], nowMs?: number): Promise<ShardOffered> {
    const fresh: number[] = []
    const became: string[] = []
    for (let from = 0; from < links.length; from += MOST_LINKS) {
      const some = links.slice(from, from + MOST_LINKS)
      const groups = some.at(-1)!.group + 1
      const offered = await this.writeLinks(SCRIPTS.offer, groups, notesOf(some), nowMs, (out, context) =>
        packBlocks(out, some, context),
      )
      addTo(fresh, numbersOf(offered[0]))
      became.push(...textsOf(offered[1]))
    }
    return { fresh, became }
  }

  async take({ max, pages, unproven, auxiliaries, firstId }: ShardAsk, nowMs?: number): Promise<ShardTaken> {
    const most = Math.min(Math.floor(max), MOST_TICKETS)
    const input = new Packer(64).list(5).numbers(most, pages, unproven, auxiliaries, firstId).done()
    const [tickets, noted, notes, waitMs, expired, wake, left, joined, clearings, isToLook, visits] = await this.write(
      this.rules.recrawl || this.again > 0 ? SCRIPTS.takeAgain : SCRIPTS.take,
      input,
      nowMs,
    )
    for (const number of numbersOf(clearings)) await this.refuseAside(number, nowMs)
    const [known, waiting, down, leased, openAuxiliaries] = numbersOf(left)
    const [ofAuxiliaries, proven, others] = numbersOf(joined)
    const [all, due, downDue, revisiting, full, hosts] = numbersOf(visits)
    this.again = revisiting! + due!
    return {
      tickets: reading('tickets', () => {
        const noteOf = new Map(numbersOf(noted).map((place, k) => [place, listOf(notes)[k]]))
        return readTickets(bytesOf(tickets), firstId, this.rules.leaseMs, noteOf)
      }),
      waitMs: numberOf(waitMs) < 0 ? undefined : numberOf(waitMs),
      expired: lostOf(listOf(expired)),
      wake: wokenOf(wake),
      left: {
        ...{ known: known!, waiting: waiting!, down: down!, leased: leased!, auxiliaries: openAuxiliaries! },
        ...{ planned: all! - revisiting!, due: due!, downDue: downDue!, revisiting: revisiting!, hasCome: false },
      },
      full: full!,
      hosts: hosts!,
      joined: { auxiliaries: ofAuxiliaries!, proven: proven!, unproven: others! },
      isToLook: isToLook === 1,
    }
  }

  /** False: the ticket is no longer open. */
  async placeAt({ id, hostId }: OpenTicket, server: string, nowMs?: number): Promise<boolean> {
    const input = new Packer(64).list(3).raw(hostId).number(id).text(server).done()
    const [isOpen] = await this.write(SCRIPTS.placeAt, input, nowMs)
    return isOpen === 1
  }

  /** Each settlement with its own links in one step, or, if it has more than fit, some of them before. */
  async settle(list: readonly ShardSettlement[], nowMs?: number): Promise<ShardSettled> {
    const fresh = list.map(() => 0)
    const became: string[] = []
    const late: number[] = []
    for (let from = 0; from < list.length; ) {
      const some: ShardSettlement[] = []
      for (let links = 0; from + some.length < list.length && some.length < MOST_TICKETS; ) {
        const next = list[from + some.length]!
        links += next.links.length
        if (links > MOST_LINKS && some.length > 0) break
        some.push(next)
      }
      const spare = some[0]!.links.length - MOST_LINKS
      if (spare > 0) {
        const before = await this.offer(
          some[0]!.links.slice(0, spare).map(link => ({ ...link, group: 0 })),
          nowMs,
        )
        addTo(fresh, before.fresh, from)
        became.push(...before.became)
        some[0] = { ...some[0]!, links: some[0]!.links.slice(spare) }
      }
      const settled = await this.settleSome(some, nowMs)
      addTo(fresh, settled.fresh, from)
      became.push(...settled.became)
      late.push(...settled.late.map(place => from + place))
      from += some.length
    }
    return { fresh, became, late }
  }

  /** Waiting links are settled as done, and their links offered. */
  async settleFormer(
    visits: readonly ShardVisit[],
    nowMs?: number,
  ): Promise<ShardOffered & { readonly pages: number }> {
    const fresh = visits.map(() => 0)
    const became: string[] = []
    let pages = 0
    for (const [place, visit] of visits.entries()) {
      const { url, host, isPage, dateMs, again, links } = visit
      const some = links.slice(0, MOST_LINKS)
      const [count, made, done, missing] = await this.writeLinks(
        SCRIPTS.settleFormer,
        1,
        notesOf(some),
        nowMs,
        (out, context) => {
          const { scheme, ending } = endingOf(url, host.name)
          out.list(8).text(host.name).raw(fingerprintBytes(url, context.seed)).text(ending).number(scheme)
          out.number(isPage ? 1 : 0)
          packBlocks(out, some, context, 0)
          packAgain(dateMs === undefined ? out.no() : out.number(dateMs), again)
          context.hosts.add(host.name)
        },
      )
      addTo(fresh, numbersOf(count), place)
      became.push(...textsOf(made))
      pages += numberOf(done)
      if (listOf(missing).length === 0 && links.length > MOST_LINKS) {
        const rest = links.slice(MOST_LINKS).map(link => ({ ...link, group: 0 }))
        const offered = await this.offer(rest, nowMs)
        addTo(fresh, offered.fresh, place)
        became.push(...offered.became)
      }
    }
    return { fresh, became, pages }
  }

  async giveBack(list: readonly ReturnedTicket[], nowMs?: number): Promise<void> {
    const pack = (out: Packer, { ticket, how }: ReturnedTicket) => {
      out.raw(ticket.hostId).number(ticket.id)
      if (how === 'as it was') out.numbers(-1, 0, 0)
      else out.numbers(how.parkedMs, Number(how.isServerDown), Number(how.isUnseen ?? false))
    }
    await this.writeList(SCRIPTS.giveBack, list, 5, pack, nowMs)
  }

  /** Hosts that are parked join again after `inMs`; those that are leased will not be parked. All learn about their server. */
  async wake(hosts: readonly Omit<Woken, 'hostShard'>[], nowMs?: number): Promise<void> {
    const pack = (out: Packer, { host, inMs, isServerDown }: Omit<Woken, 'hostShard'>) =>
      out.text(host).number(inMs).number(Number(isServerDown))
    await this.writeList(SCRIPTS.wake, hosts, 3, pack, nowMs)
  }

  /** Returns the indexes of those that are no longer open. */
  async renew(tickets: readonly OpenTicket[], nowMs?: number): Promise<number[]> {
    const pack = (out: Packer, { hostId, id }: OpenTicket) => out.raw(hostId).number(id)
    const replies = await this.writeList(SCRIPTS.renew, tickets, 2, pack, nowMs)
    return replies.flatMap(({ from, reply }) => numbersOf(reply[0]).map(at => from + at))
  }

  /**
   * Leases of this crawler from before this opening come back, and calls of its runs before are answered with
   * FRONTIER_FENCED from now on. `pages`: how many pages it has ever settled here.
   */
  former(crawler: string, opening: number, nowMs?: number): Promise<{ released: LostLease[]; pages: number }> {
    return this.comeBack(crawler, opening * 2 ** 32, [], nowMs)
  }

  /** The leases of this crawler come back but for these: it has settled the others, and the engine has forgotten that. */
  async dropLeases(but: readonly TicketId[], nowMs?: number): Promise<LostLease[]> {
    return (await this.comeBack(this.owner.id, Number.POSITIVE_INFINITY, but, nowMs)).released
  }

  private async comeBack(
    crawler: string,
    first: number,
    open: readonly TicketId[],
    nowMs: number | undefined,
  ): Promise<{ released: LostLease[]; pages: number }> {
    const out = new Packer(64).list(2 + open.length).text(crawler)
    const input = out.numbers(first, ...open).done()
    const released: LostLease[] = []
    for (;;) {
      const [lost, pages, isMore] = await this.write(SCRIPTS.former, input, nowMs)
      released.push(...lostOf(listOf(lost)))
      if (isMore !== 1) return { released, pages: numberOf(pages) }
    }
  }

  /** The crawl was opened by a first crawler: no host has joined, what is parked tries again, hosts that are down get one more try. */
  async revive(nowMs?: number): Promise<void> {
    while (await this.reviveSome('all', nowMs));
  }

  /** Everything parked tries again; what others park meanwhile need not. */
  async wakeAll(nowMs?: number): Promise<void> {
    const parked = Number(await this.ask(['ZCARD', `${this.tag}p`]))
    for (let woken = 0; woken < parked; woken += REVIVED_AT_ONCE) await this.reviveSome('parked', nowMs)
  }

  async requeue(links: readonly { readonly url: string; readonly host: HostShard }[], nowMs?: number): Promise<number> {
    const pack = (out: Packer, { url, host }: { readonly url: string; readonly host: HostShard }) =>
      out.raw(fingerprintBytes(url, this.rules.fingerprintSeed)).text(host.name)
    const replies = await this.writeList(SCRIPTS.requeue, links, 2, pack, nowMs, MOST_LINKS)
    return replies.reduce((total, { reply }) => total + numberOf(reply[0]), 0)
  }

  /** Refuses all that waits at a host, as `cleared`, and plans nothing there any more. */
  async clearHost(host: string, nowMs?: number): Promise<void> {
    await this.unplan(host, nowMs)
    await this.refuseInSteps(new Packer(64).list(2).text(host).text('cleared').done(), nowMs)
  }

  /** Forgets everything; clients that call this shard meanwhile help. */
  async clearAll(): Promise<void> {
    await this.wipeInLine()
  }

  private async settleSome(some: readonly ShardSettlement[], nowMs: number | undefined): Promise<ShardSettled> {
    const notes = new Set<string>()
    for (const { links } of some) if (links.length > 0) notesOf(links, notes)
    const [fresh, became, late, clearings] = await this.writeLinks(
      some.some(isAgain) ? SCRIPTS.settleAgain : SCRIPTS.settle,
      some.length,
      notes,
      nowMs,
      (out, context) => {
        out.list(some.length * 8)
        for (const [place, settlement] of some.entries()) packSettlement(out, settlement, place, context)
      },
    )
    for (const number of numbersOf(clearings)) await this.refuseAside(number, nowMs)
    return { fresh: numbersOf(fresh), became: textsOf(became), late: numbersOf(late) }
  }

  /** Runs a move with links: groups, reasons, notes, what `packList` writes, and the names of hosts. */
  private async writeLinks(
    script: (typeof SCRIPTS)[keyof typeof SCRIPTS],
    groups: number,
    notes: ReadonlySet<string>,
    nowMs: number | undefined,
    packList: (out: Packer, context: LinkContext) => void,
  ): Promise<readonly MsgpackValue[]> {
    const numbers = new Map<string, number>()
    for (const note of notes) numbers.set(note, await this.noteNumber())
    const { fingerprintSeed: seed } = this.rules
    const context = { reasons: new Map<string, number>(), hosts: new Set<string>(), notes: numbers, seed }
    // What comes last is known only after the links were written.
    const list = new Packer()
    packList(list, context)
    const out = new Packer(list.length + 256).list(5).number(groups)
    out.list(context.reasons.size)
    for (const reason of context.reasons.keys()) out.text(reason)
    out.list(numbers.size * 2)
    for (const [note, number] of numbers) out.number(number).text(note)
    out.append(list)
    out.list(context.hosts.size)
    for (const host of context.hosts) out.text(host)
    return this.write(script, out.done(), nowMs)
  }

  private async noteNumber(): Promise<number> {
    if (this.nextNote > this.lastNote) {
      const command = ['HINCRBY', `${this.tag}m`, 'notes', String(NOTES_AT_ONCE)]
      this.lastNote = Number(await this.engine.ask(this.tag, command, true))
      this.nextNote = this.lastNote - NOTES_AT_ONCE + 1
    }
    return this.nextNote++
  }

  /** Returns whether there may be more. */
  private async reviveSome(what: 'all' | 'parked', nowMs: number | undefined): Promise<boolean> {
    const input = new Packer(16).list(2).text(what).number(REVIVED_AT_ONCE).done()
    return (await this.write(SCRIPTS.revive, input, nowMs))[0] === 1
  }

  protected refuseAside(number: number, nowMs: number | undefined): Promise<void> {
    return this.refuseInSteps(new Packer(16).list(1).number(number).done(), nowMs)
  }

  /** The engine hands out texts, and gets back their fingerprints. */
  private async refuseInSteps(begin: Buffer, nowMs: number | undefined): Promise<void> {
    for (let input = begin; ; ) {
      const [number, rank, length, host, texts] = await this.write(SCRIPTS.clear, input, nowMs)
      if (number === undefined) return
      const list = listOf(texts)
      const out = new Packer(list.length * 10 + 32).list(4).number(numberOf(number)).number(numberOf(rank))
      out.number(numberOf(length)).list(list.length)
      for (const text of list) {
        const { url } = reading('texts', () => readPage(bytesOf(text), textOf(host)))
        out.raw(fingerprintBytes(url, this.rules.fingerprintSeed))
      }
      input = out.done()
    }
  }
}

/** Whether a settlement ends a visit again, or plans one. */
function isAgain({ ticket, outcome }: ShardSettlement): boolean {
  return ticket?.again !== undefined || (outcome.kind === 'done' && outcome.again !== undefined)
}

function packSettlement(out: Packer, settlement: ShardSettlement, place: number, context: LinkContext): void {
  const { ticket, outcome, shown, delayMs, links } = settlement
  if (ticket === undefined) out.text('').number(0).text('')
  else out.raw(ticket.hostId).number(ticket.id).raw(fingerprintBytes(ticket.url, context.seed))
  if (outcome.kind === 'again') out.number(0)
  else if (outcome.kind === 'done') out.number(outcome.isPage ? 1 : 2)
  else out.number(2 + numberIn(context.reasons, outcome.reason))
  out.number(shown === undefined ? 0 : SHOWN[shown]).number(delayMs)
  packBlocks(out, links, context, place)
  packAgain(out, outcome.kind === 'done' ? outcome.again : undefined)
}

function lostOf(list: readonly MsgpackValue[]): LostLease[] {
  const lost: LostLease[] = []
  for (let k = 0; k < list.length; k += 3) {
    const server = textOf(list[k + 2]) || undefined
    lost.push({ ticketId: numberOf(list[k]), what: LEASE_KINDS[numberOf(list[k + 1])]!, server })
  }
  return lost
}

function addTo(sums: number[], counts: readonly number[], at = 0): void {
  for (const [k, count] of counts.entries()) sums[at + k] = (sums[at + k] ?? 0) + count
}
