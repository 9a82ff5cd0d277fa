import type { HostId, QueueClass } from './hosts.ts'
import { NamedRows } from './names.ts'

/** A known server's number, from 1 up; 0 means "none". */
export type ServerId = number

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
export class ServerTable extends NamedRows {
  constructor() {
    super(SERVER_WORDS, SERVER_BITS)
  }

  keep(): ServerTable {
    return this.keepIn(new ServerTable())
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
    this.setBits(server, FLAGS, ADMITTING, isAdmitting)
  }

  /** Whether it waits for its time, to admit hosts then. */
  isQueued(server: ServerId): boolean {
    return (this.rows.get(server, FLAGS) & QUEUED) !== 0
  }

  setQueued(server: ServerId, isQueued: boolean): void {
    this.setBits(server, FLAGS, QUEUED, isQueued)
  }

  /** The last of a line, or 0. */
  lastInLine(server: ServerId, hostClass: QueueClass): HostId {
    return this.rows.get(server, LINES + hostClass)
  }

  setLastInLine(server: ServerId, hostClass: QueueClass, host: HostId): void {
    this.rows.set(server, LINES + hostClass, host)
  }
}
