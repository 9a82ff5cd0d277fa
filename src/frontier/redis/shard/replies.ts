import { EscalonaError } from '../../../base/errors.ts'
import type { Reply } from '../engine/engine.ts'

// What comes from the engine is read here: a reply of another shape is an error, never a wrong number.

export function numberOf(reply: Reply | undefined): number {
  if (typeof reply === 'number') return reply
  if (reply instanceof Buffer) {
    const number = Number(reply.toString('latin1'))
    if (reply.length > 0 && !Number.isNaN(number)) return number
  }
  throw strangeReply()
}

export function textOf(reply: Reply | undefined): string {
  if (reply instanceof Buffer) return reply.toString()
  throw strangeReply()
}

/** A text that may be missing. */
export function textIn(reply: Reply | undefined): string | undefined {
  return reply === null ? undefined : textOf(reply)
}

export function listOf(reply: Reply | undefined): readonly Reply[] {
  if (Array.isArray(reply)) return reply
  throw strangeReply()
}

/** Names and values in turns. */
export function fieldsOf(reply: Reply | undefined): Map<string, Buffer> {
  const list = listOf(reply)
  const fields = new Map<string, Buffer>()
  for (let i = 0; i + 1 < list.length; i += 2) fields.set(textOf(list[i]), list[i + 1] as Buffer)
  return fields
}

function strangeReply(): EscalonaError {
  return new EscalonaError('FRONTIER_STRANGE_REPLY')
}

/** Reads what came from Redis; what can't be read is damaged. */
export function reading<Value>(what: string, read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) throw damaged(what, error)
    throw error
  }
}

/** What is in Redis, or what it answered, is not what a shard writes. */
export function damaged(what: string, cause?: unknown): EscalonaError {
  return new EscalonaError('FRONTIER_DAMAGED/strange', { what }, { cause })
}

/** The code of what calls of a crawler meet after others have fenced it. */
export const FENCED = 'FRONTIER_FENCED'

export function fenced(): EscalonaError {
  return new EscalonaError(FENCED)
}

/** The engine has forgotten calls of a client that cannot recover them. */
export function lost(): EscalonaError {
  return new EscalonaError('FRONTIER_LOST/engine')
}
