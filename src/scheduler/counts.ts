import type { Refusal } from '../url/classic.ts'

/** What has happened to the URLs so far. */
export interface Counts {
  /** Texts that were to be added: the sum of accepted, duplicates and refused. */
  read: number
  accepted: number
  duplicates: number
  refused: Record<Refusal, number>
  scheduled: number
  /** Hosts that became known, those that were forgotten later included. */
  hosts: number
}

export function newCounts(): Counts {
  const refused = { protocol: 0, malformed: 0, extension: 0 }
  return { read: 0, accepted: 0, duplicates: 0, refused, scheduled: 0, hosts: 0 }
}
