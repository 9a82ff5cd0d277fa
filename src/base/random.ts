import { randomBytes, randomInt } from 'node:crypto'

/** A seed that nobody can guess, as two 32-bit numbers: keeps hash tables safe from inputs made to collide. */
export function unpredictableSeed(): [number, number] {
  return [randomInt(0x1_0000_0000) | 0, randomInt(0x1_0000_0000) | 0]
}

/** A short name that no other file has. */
export function uniqueName(): string {
  return randomBytes(6).toString('hex')
}
