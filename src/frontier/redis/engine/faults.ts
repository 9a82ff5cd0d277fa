import { ErrorReply } from '@redis/client'
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
