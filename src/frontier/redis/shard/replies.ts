import { EscalonaError } from '../../../base/errors.ts'
import type { Reply } from '../engine/engine.ts'

// What comes from the engine is read here: a reply of another shape is an error, never a wrong number.

export function numberOf(reply: Reply | undefined): number {
  if (typeof reply === 'number') return reply
  if (reply instanceof Buffer) {
    const number = Number(reply.toString('latin1'))
    if (reply.length > 0 && !Number.isNaN(number)) return number
  }
  throw strange()
}

export function textOf(reply: Reply | undefined): string {
  if (reply instanceof Buffer) return reply.toString()
  throw strange()
}

/** A text that may be missing. */
export function textIn(reply: Reply | undefined): string | undefined {
  return reply === null ? undefined : textOf(reply)
}

export function listOf(reply: Reply | undefined): readonly Reply[] {
  if (Array.isArray(reply)) return reply
  throw strange()
}

function strange(): EscalonaError {
  return new EscalonaError('FRONTIER_STRANGE_REPLY')
}
