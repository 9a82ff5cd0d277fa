import type { FrontierCounts } from '../../src/frontier/frontier.ts'
import type { Server } from './servers.ts'

/** What the keys of a crawl hold, counted one by one. */
export interface Audit {
  /** Fields of all fingerprint buckets. */
  readonly fingerprints: number
  /** Of these, by their state. */
  readonly open: number
  readonly done: number
  readonly refused: number
  /** Texts of page links in the lists of hosts, and in what is being cleared. */
  readonly texts: number
  /** Open tickets, by the times at which they expire; those of auxiliary links too. */
  readonly leases: number
}

/** Reads the keys of all shards of a crawl at the primaries. Nobody may be changing them. */
export async function audit(name: string, servers: readonly Server[]): Promise<Audit> {
  const sum = { fingerprints: 0, open: 0, done: 0, refused: 0, texts: 0, leases: 0 }
  for (const server of servers) {
    const [role] = (await server.ask('ROLE')) as [string]
    if (role !== 'master') continue
    for (const key of await keysOf(server, `{${name}:*`)) {
      const rest = key.toString('latin1').replace(/^\{[^}]*\}/, '')
      if (rest.startsWith('s:')) {
        for (const state of (await server.raw('HVALS', key)).map(Number)) {
          sum.fingerprints++
          if (state === 0) sum.open++
          else if (state < 3) sum.done++
          else sum.refused++
        }
      } else if (/^q:.{4}:.$/s.test(rest) || /^z:\d+:\d+$/.test(rest)) {
        sum.texts += Number(await server.ask('LLEN', key))
      } else if (rest === 'e') {
        sum.leases += Number(await server.ask('ZCARD', key))
      }
    }
  }
  return sum
}

/** What does not fit: known = waiting + leased + done + refused = fingerprints, and waiting = texts. */
export function tears(counts: FrontierCounts, found: Audit): string[] {
  const { known, waiting, leased, done, refused } = counts
  const pairs = {
    'known, and the sum of the others': [known, waiting + leased + done + refused],
    'known, and fingerprints': [known, found.fingerprints],
    'waiting and leased, and open fingerprints': [waiting + leased, found.open],
    'done, and done fingerprints': [done, found.done],
    'refused, and refused fingerprints': [refused, found.refused],
    'waiting, and texts': [waiting, found.texts],
    'leased, and leases': [leased, found.leases],
  }
  return Object.entries(pairs).flatMap(([what, [a, b]]) => (a === b ? [] : `${what}: ${a}, ${b}`))
}

async function keysOf(server: Server, pattern: string): Promise<Buffer[]> {
  const keys = new Map<string, Buffer>()
  for (let cursor = '0'; ; ) {
    const [next, some] = (await server.raw('SCAN', cursor, 'MATCH', pattern, 'COUNT', '5000')) as unknown as [
      Buffer,
      readonly Buffer[],
    ]
    for (const key of some) keys.set(key.toString('latin1'), key)
    cursor = next.toString()
    if (cursor === '0') return [...keys.values()]
  }
}
