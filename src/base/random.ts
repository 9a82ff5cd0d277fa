import { randomBytes, randomInt } from 'node:crypto'

/** A 32-bit seed that nobody can guess: keeps hash tables safe from inputs made to collide. */
export function unpredictableSeed(): number {
  return randomInt(0x1_0000_0000) | 0
}

/** A short name that no other file has. */
export function uniqueName(): string {
  return randomBytes(6).toString('hex')
}
