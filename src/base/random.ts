/** A seed that nobody can guess, as two 32-bit numbers: keeps hash tables safe from inputs made to collide. */
export function unpredictableSeed(): [number, number] {
  return [Math.floor(Math.random() * 2 ** 32) | 0, Math.floor(Math.random() * 2 ** 32) | 0]
}

/** A short name that no other file has. */
export function uniqueName(): string {
  return Math.floor(Math.random() * 2 ** 52).toString(36)
}
