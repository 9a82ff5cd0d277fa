import type { ArchiveWriter } from '../archive/archive-writer.ts'
import type { PageLine, PagesFile } from '../archive/pages-file.ts'
import type { Records } from '../archive/records.ts'
import type { Place } from '../archive/scan.ts'
import type { Clock } from '../base/clock.ts'
import type { Frontier, Link, Settlement } from '../frontier/frontier.ts'

/** What is to be kept of one visit, in one step. */
export interface Entry {
  readonly records?: Records
  /** Of a page, besides its records: its line, but for the place. */
  readonly page?: Omit<PageLine, keyof Place>
  /** Of a page: its first words. */
  readonly opening?: string
  /** How the ticket is closed: settled, or given back. */
  readonly closing: Settlement | { readonly giveBack: number }
  /** What the frontier learns about hosts before the ticket is closed. */
  readonly delay?: { readonly host: string; readonly ms: number }
  readonly block?: { readonly host: string; readonly untilMs: number }
  /** Links to offer besides those of a settlement. */
  readonly offer?: readonly Link[]
}

export interface LedgerRooms {
  readonly archive: ArchiveWriter
  readonly pages: PagesFile
  readonly frontier: Frontier
  readonly clock: Clock
  /** A page is kept. */
  onPage(line: PageLine, opening: string): void
  /** A round of entries is kept. */
  onKept(): void
  onFailure(error: unknown): void
}

/**
 * Keeps what visits brought, in the one order that loses nothing: first the record is on disk, then the line of the page is
 * written and the frontier hears of it. A crash in between costs nothing: what is archived and not settled is found at the next
 * start. Entries that come while the disk is busy wait, and are kept together in the next round.
 */
export class Ledger {
  /** Of records and links that are not kept yet, about. */
  waitingBytes = 0
  private readonly rooms: LedgerRooms
  private waiting: Entry[] = []
  private isKeeping = false
  private lastFile = ''

  constructor(rooms: LedgerRooms) {
    this.rooms = rooms
  }

  get isIdle(): boolean {
    return !this.isKeeping && this.waiting.length === 0
  }

  add(entry: Entry): void {
    this.waiting.push(entry)
    this.waitingBytes += bytesOf(entry)
    if (!this.isKeeping) void this.keepAll()
  }

  /** While the frontier hears of one round, the next is archived already. */
  private async keepAll(): Promise<void> {
    this.isKeeping = true
    let settling = Promise.resolve()
    try {
      while (this.waiting.length > 0) {
        const round = this.waiting
        this.waiting = []
        const [lines] = await Promise.all([this.archive(round), settling])
        settling = this.finish(round, lines)
        if (this.waiting.length === 0) await settling
      }
      this.isKeeping = false
      this.rooms.onKept()
    } catch (error) {
      this.rooms.onFailure(error)
    }
  }

  private async finish(round: readonly Entry[], lines: readonly (PageLine | undefined)[]): Promise<void> {
    await this.settle(round)
    for (const entry of round) this.waitingBytes -= bytesOf(entry)
    for (const [i, line] of lines.entries()) if (line !== undefined) this.rooms.onPage(line, round[i]!.opening ?? '')
    this.rooms.onKept()
  }

  /** Appends records and lines, and waits until they are safe. Returns the lines, at the places of their entries. */
  private async archive(round: readonly Entry[]): Promise<(PageLine | undefined)[]> {
    const { archive, pages } = this.rooms
    const records = round.flatMap(entry => entry.records ?? [])
    const places = records.length > 0 ? archive.append(records) : []
    if (records.length > 0) await archive.sync()
    let next = 0
    const lines = round.map(({ page, records }) => {
      const place = records === undefined ? undefined : places[next++]!
      return page === undefined ? undefined : { ...page, ...place! }
    })
    const fresh = lines.filter(line => line !== undefined)
    if (fresh.length > 0) pages.append(fresh)
    // A line can be made again from its record as long as this is in the newest files, which are read at every start.
    const file = places.at(-1)?.file
    if (file !== undefined && file !== this.lastFile) {
      this.lastFile = file
      await pages.sync()
    }
    return lines
  }

  private async settle(round: readonly Entry[]): Promise<void> {
    const { frontier } = this.rooms
    const nowMs = this.rooms.clock()
    const settlements: Settlement[] = []
    const givenBack: number[] = []
    const told: Promise<unknown>[] = []
    for (const { delay, block, closing, offer } of round) {
      if (offer !== undefined) told.push(frontier.offer(offer))
      if (delay !== undefined) told.push(frontier.setDelay(delay.host, delay.ms))
      if (block !== undefined && block.untilMs > nowMs) told.push(frontier.blockUntil(block.host, block.untilMs))
      if ('giveBack' in closing) givenBack.push(closing.giveBack)
      else settlements.push(closing)
    }
    if (givenBack.length > 0) told.push(frontier.giveBack(givenBack))
    if (settlements.length > 0) told.push(frontier.settle(settlements, nowMs))
    await Promise.all(told)
  }
}

const BYTES_A_LINK = 200

function bytesOf({ records, closing }: Entry): number {
  const links = 'links' in closing ? closing.links.length : 0
  return (records?.bytes.length ?? 0) + links * BYTES_A_LINK
}
