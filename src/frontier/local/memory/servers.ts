import { SplitIndex } from '../../../base/structures/hash-index.ts'
import type { HostId, QueueClass } from './hosts.ts'
import type { LookupKey } from './lookup-key.ts'
import { NameTable } from './names.ts'
import { Rows } from './rows.ts'

/** A known server's number, from 1 up; 0 means "none". */
export type ServerId = number

const NAME = 0
/** Its open tickets. */
const OPEN = 1
const READY = 1
const LAST_FAILURE = 2
const FAILURES = 6
const FLAGS = 7
/** Page links and auxiliary links that wait at those of its hosts that are not down themselves. */
const WAITING = 8
const AUXILIARIES = 9
/** The last of each line, which is a ring: the first comes after it. */
const LINES = 10
/** How many of its hosts that are not down themselves have waiting page links. */
const HOSTS = 13
/** Done links that are due at those of its hosts that are not down themselves. */
const DUE = 14
const SERVER_WORDS = 16
const SERVER_BITS = 12

const ADMITTING = 1
const QUEUED = 2

/** The known servers: what is at them, and when they may be asked. */
export class ServerTable {
  known: ServerId = 0
  rows = new Rows(SERVER_WORDS, SERVER_BITS)
  names = new NameTable()
  private index = new SplitIndex()

  find({ hostHash, view, hostStart, hostLength }: LookupKey): ServerId {
    const part = this.index.part(hostHash)
    let place = part.search(hostHash)
    while (place >= 0 && !this.names.is(this.rows.get(part.id(place), NAME) >>> 0, view, hostStart, hostLength)) {
      place = part.searchOn(place, hostHash)
    }
    return place >= 0 ? part.id(place) : 0
  }

  add({ hostHash, view, hostStart, hostLength }: LookupKey): ServerId {
    const server = ++this.known
    this.rows.reach(server)
    this.rows.set(server, NAME, this.names.add(view, hostStart, hostLength))
    this.index.add(hostHash, server)
    return server
  }

  text(server: ServerId): string {
    return this.names.textOf(this.rows.get(server, NAME) >>> 0)
  }

  open(server: ServerId): number {
    return this.rows.get(server, OPEN)
  }

  setOpen(server: ServerId, open: number): void {
    this.rows.set(server, OPEN, open)
  }

  readyAtMs(server: ServerId): number {
    return this.rows.getDouble(server, READY)
  }

  setReadyAtMs(server: ServerId, atMs: number): void {
    this.rows.setDouble(server, READY, atMs)
  }

  lastFailureMs(server: ServerId): number {
    return this.rows.getDouble(server, LAST_FAILURE)
  }

  setLastFailureMs(server: ServerId, atMs: number): void {
    this.rows.setDouble(server, LAST_FAILURE, atMs)
  }

  failures(server: ServerId): number {
    return this.rows.get(server, FAILURES)
  }

  setFailures(server: ServerId, failures: number): void {
    this.rows.set(server, FAILURES, failures)
  }

  waiting(server: ServerId): number {
    return this.rows.get(server, WAITING)
  }

  addWaiting(server: ServerId, change: number): void {
    this.rows.set(server, WAITING, this.waiting(server) + change)
  }

  waitingHosts(server: ServerId): number {
    return this.rows.get(server, HOSTS)
  }

  addWaitingHosts(server: ServerId, change: number): void {
    this.rows.set(server, HOSTS, this.waitingHosts(server) + change)
  }

  auxiliaries(server: ServerId): number {
    return this.rows.get(server, AUXILIARIES)
  }

  addAuxiliaries(server: ServerId, change: number): void {
    this.rows.set(server, AUXILIARIES, this.auxiliaries(server) + change)
  }

  due(server: ServerId): number {
    return this.rows.get(server, DUE)
  }

  addDue(server: ServerId, change: number): void {
    this.rows.set(server, DUE, this.due(server) + change)
  }

  /** Whether the first host of each of its lines is a candidate. */
  isAdmitting(server: ServerId): boolean {
    return (this.rows.get(server, FLAGS) & ADMITTING) !== 0
  }

  setAdmitting(server: ServerId, isAdmitting: boolean): void {
    this.setFlag(server, ADMITTING, isAdmitting)
  }

  /** Whether it waits for its time, to admit hosts then. */
  isQueued(server: ServerId): boolean {
    return (this.rows.get(server, FLAGS) & QUEUED) !== 0
  }

  setQueued(server: ServerId, isQueued: boolean): void {
    this.setFlag(server, QUEUED, isQueued)
  }

  /** The last of a line, or 0. */
  lastInLine(server: ServerId, hostClass: QueueClass): HostId {
    return this.rows.get(server, LINES + hostClass)
  }

  setLastInLine(server: ServerId, hostClass: QueueClass, host: HostId): void {
    this.rows.set(server, LINES + hostClass, host)
  }

  clear(): void {
    this.known = 0
    this.rows = new Rows(SERVER_WORDS, SERVER_BITS)
    this.names = new NameTable()
    this.index = new SplitIndex()
  }

  /** What a snapshot needs, as it is now; call `letGo` when it is written. */
  keep(): KeptServers {
    const { known, names } = this
    const live = this.rows
    const rows = live.keep()
    return {
      known,
      letGo: server => live.letGo(server),
      text: server => names.textOf(rows.get(server, NAME) >>> 0),
      readyAtMs: server => rows.getDouble(server, READY),
      lastFailureMs: server => rows.getDouble(server, LAST_FAILURE),
      failures: server => rows.get(server, FAILURES),
    }
  }

  private setFlag(server: ServerId, flag: number, isSet: boolean): void {
    const flags = this.rows.get(server, FLAGS)
    this.rows.set(server, FLAGS, isSet ? flags | flag : flags & ~flag)
  }
}

/** The servers as they were, to be written to a snapshot while they change. */
export interface KeptServers {
  readonly known: ServerId
  /** See {@link Rows.letGo}. */
  letGo(server: ServerId): void
  text(server: ServerId): string
  readyAtMs(server: ServerId): number
  lastFailureMs(server: ServerId): number
  failures(server: ServerId): number
}
