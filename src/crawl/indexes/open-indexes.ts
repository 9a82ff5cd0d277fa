import type { Desk } from '../desk/desk.ts'
import type { HostQuery, HostRow, HostStory, PageList, PageQuery, PageStory } from '../desk/front-desk.ts'
import type { Places } from '../reading/lines-of.ts'

/** What an index answers about the hosts of a crawl, its pages and how its links ended. All of it is read in the background. */
export interface Indexes extends Places {
  readonly hosts: {
    /** The names of the hosts that a query finds. */
    find(query: HostQuery): Promise<FoundHosts>
  }
  /** How many links of a host ended by an error or by its refusal. */
  failedOf(host: string): number
  pages(query: PageQuery): Promise<PageList>
  /** More about a host. `agent`: the product token that robots.txt rules are matched against. */
  hostStory(row: HostRow, agent: string): Promise<HostStory>
  /** The newest archived page of a URL as people write it; undefined when there is none. */
  pageStory(url: string): Promise<PageStory | undefined>
  close(): Promise<void>
}

/** Names of hosts in the order of a query. */
export interface FoundHosts {
  readonly names: readonly string[]
  /** How many were found. */
  readonly total: number
  /** How old the order may be. */
  readonly ageMs: number
  /** Whether all known hosts have been read. */
  readonly isComplete: boolean
}

/** Opens the indexes of a crawl's folder, and begins to read. Nothing of it keeps the process alive. */
export function openIndexes(_folder: string, _desk: Pick<Desk, 'rows' | 'links'>): Indexes {
  throw new Error('not yet')
}
