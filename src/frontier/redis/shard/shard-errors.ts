import { EscalonaError } from '../../../base/errors.ts'

/** What lies in Redis, or what it answered, is not what a shard writes. */
export function strange(what: string, cause?: unknown): EscalonaError {
  return new EscalonaError('FRONTIER_DAMAGED/strange', { what }, { cause })
}

/** What the calls of a crawler meet after others have fenced it. */
export const FENCED = 'FRONTIER_FENCED'

export function fenced(): EscalonaError {
  return new EscalonaError(FENCED)
}

/** The engine has forgotten calls of one who cannot recover them. */
export function lost(): EscalonaError {
  return new EscalonaError('FRONTIER_LOST/engine')
}

/** Reads what came from Redis; what can't be read is strange. */
export function reading<Value>(what: string, read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) throw strange(what, error)
    throw error
  }
}
