import { ErrorReply } from '@redis/client'
import { systemClock } from '../../../base/clock.ts'
import { said } from '../../../base/messages/message.ts'
import { LostConnection } from './connection.ts'

/** Why a call could not be answered now and is asked again later. */
export type Fault = 'away' | 'down' | 'full' | 'noDisk' | 'loading' | 'moving' | 'replicas' | 'busy'

/** Error replies after which a call is repeated, by their first word. */
const FAULTS: Readonly<Record<string, Fault>> = {
  MOVED: 'moving',
  ASK: 'moving',
  TRYAGAIN: 'moving',
  READONLY: 'down',
  CLUSTERDOWN: 'down',
  MASTERDOWN: 'down',
  UNBLOCKED: 'down',
  LOADING: 'loading',
  OOM: 'full',
  MISCONF: 'noDisk',
  BUSY: 'busy',
  NOREPLICAS: 'replicas',
}
const REFUSALS = ['NOAUTH', 'WRONGPASS', 'NOPERM']

/** The fault behind an error, or undefined when repeating would not help. */
export function faultOf(error: unknown): Fault | undefined {
  if (error instanceof LostConnection) return 'away'
  return error instanceof ErrorReply ? FAULTS[firstWord(error)] : undefined
}

/** The process refuses us: wrong password, no permission. */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof ErrorReply)) return false
  // A password for a server that has none: its reply has no word of its own.
  return REFUSALS.includes(firstWord(error)) || /^ERR AUTH\b/.test(error.message)
}

/** The process does not have this script, because it restarted or was a replica until now. */
export function isNoScript(error: unknown): boolean {
  return error instanceof ErrorReply && firstWord(error) === 'NOSCRIPT'
}

/** Where a slot is now, as `MOVED SLOT HOST:PORT` says; the host is empty when it is the one that was asked. */
export function movedTo(error: unknown): { readonly host: string; readonly port: number } | undefined {
  const match = error instanceof ErrorReply ? /^MOVED \d+ (.*):(\d+)$/.exec(error.message) : null
  return match === null ? undefined : { host: match[1]!, port: Number(match[2]) }
}

function firstWord(error: ErrorReply): string {
  return /^\S+/.exec(error.message)?.[0] ?? ''
}

/** What is repeated for longer than this is trouble that people are told about; a slot that moves usually takes less. */
export const WORTH_SAYING_MS = 1_000

/** What people are told once: a primary that is away soon becomes a cluster that is down, and then one that is starting. */
type Topic = 'absent' | 'full' | 'moving' | 'replicas' | 'busy'
const TOPICS: Readonly<Record<Fault, Topic>> = {
  away: 'absent',
  down: 'absent',
  loading: 'absent',
  full: 'full',
  noDisk: 'full',
  moving: 'moving',
  replicas: 'replicas',
  busy: 'busy',
}

/** What happens to one call that is being repeated. */
export interface RepeatedCall {
  /** It has failed, again. */
  readonly failed: (fault: Fault, node: string) => void
  /** It was answered, or given up. */
  readonly over: () => void
}

/** Counts the calls that are being repeated, and says once when that begins to matter, per topic, and once when it is over. */
export class Trouble {
  private readonly say: (message: string) => void
  private readonly said = new Set<Topic>()
  private repeated = 0
  private sinceMs = 0
  private isQuit = false

  constructor(say: (message: string) => void) {
    this.say = say
  }

  get isSaid(): boolean {
    return this.said.size > 0
  }

  get isThere(): boolean {
    return this.repeated > 0
  }

  /** A call that was asked at `sinceMs` has failed for the first time. */
  begin(sinceMs: number): RepeatedCall {
    this.sinceMs = this.repeated++ === 0 ? sinceMs : Math.min(sinceMs, this.sinceMs)
    return {
      failed: (fault, node) => {
        const topic = TOPICS[fault]
        if (this.isQuit || this.said.has(topic) || systemClock() - sinceMs < WORTH_SAYING_MS) return
        this.said.add(topic)
        this.say(said(`redis/${fault}`, { node }))
      },
      over: () => this.end(),
    }
  }

  /** Nothing is said from now on. */
  quit(): void {
    this.isQuit = true
  }

  private end(): void {
    if (--this.repeated > 0 || this.said.size === 0) return
    this.said.clear()
    if (!this.isQuit) this.say(said('redis/over', { seconds: secondsSince(this.sinceMs) }))
  }
}

export function secondsSince(sinceMs: number): string {
  return ((systemClock() - sinceMs) / 1_000).toFixed(1)
}
