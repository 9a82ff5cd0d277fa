import type { Link, LinkView } from '../../frontier/frontier.ts'
import { canonicalForms } from '../explanation.ts'
import type { Places } from '../files/lines-of.ts'
import type { Desk } from '../questions/facts.ts'
import type {
  HostQuery,
  HostRow,
  HostStory,
  PageList,
  PageQuery,
  PageStory,
  RobotsState,
} from '../questions/front-desk.ts'
import { AnswerIndex } from './answer-index.ts'
import { ArchivedRobots } from './archived-robots.ts'
import { type FoundHosts, HostIndex } from './host-index.ts'
import { OutcomeIndex } from './outcome-index.ts'
import { pageStory } from './page-details.ts'
import { robotsFile, robotsUrls } from './robots-file.ts'

export type { FoundHosts } from './host-index.ts'

/** What the indexes of a crawl answer: about its hosts, its pages, and how its links ended. */
export interface Indexes extends Places {
  readonly hosts: {
    /** The names of the hosts that a query finds. */
    find(query: HostQuery): Promise<FoundHosts>
  }
  /** How many links of a host ended by an error or by its refusal. */
  failedOf(host: string): number
  /** What the archived robots.txt of hosts says, in their order; `unknown` also for those that take too long. */
  robotsStates(hosts: readonly string[], agent: string): Promise<readonly RobotsState[]>
  pages(query: PageQuery): Promise<PageList>
  /** More about a host. `agent`: the product token that robots.txt rules are matched against. */
  hostStory(row: HostRow, agent: string): Promise<HostStory>
  /** The newest archived page of a URL as people write it; undefined when there is none. Throws `CRAWL_PAGE_MISSING`. */
  pageStory(url: string): Promise<PageStory | undefined>
  close(): Promise<void>
}

const MOST_WAITING = 100
const MOST_OUTCOMES = 100

/**
 * Opens the indexes of a crawl's folder, and begins to read its files in the background, a few milliseconds at a time. Its hosts are
 * read through the desk while somebody asks for them.
 */
export function openIndexes(folder: string, desk: Pick<Desk, 'rows' | 'links'>): Indexes {
  const outcomes = new OutcomeIndex(folder)
  const failedOf = (host: string) => outcomes.failedOf(host)
  const rows: Desk['rows'] = async page => {
    await outcomes.readFailures()
    return desk.rows(page)
  }
  const hosts = new HostIndex({ rows }, failedOf)
  const answers = new AnswerIndex(folder)
  const answerOf = (url: string) => answers.find(url)
  const robots = new ArchivedRobots(folder, answerOf)

  async function robotsFiles(host: string, agent: string): Promise<HostStory['robotsFiles']> {
    const files = robotsUrls(host).map(async url => {
      const place = await answerOf(url)
      return place && robotsFile(url, place, folder, agent)
    })
    return (await Promise.all(files)).filter(file => file !== undefined)
  }

  return {
    hosts,
    failedOf,
    robotsStates: (names, agent) => robots.states(names, agent),
    pages: query => outcomes.find(query),
    pageLineOf: url => outcomes.pageLineOf(url),
    failureLineOf: url => outcomes.failureLineOf(url),
    answerOf,
    hostStory: async (row, agent) => {
      const [{ items }, files, latest] = await Promise.all([
        desk.links({ state: 'waiting', host: row.host }, { limit: MOST_WAITING }),
        robotsFiles(row.host, agent),
        outcomes.latest(row.host, MOST_OUTCOMES),
      ])
      return { ...row, queue: items.map(linkOf), robotsFiles: files, outcomes: latest }
    },
    pageStory: async url => {
      for (const form of canonicalForms(url)) {
        const line = await outcomes.pageLineOf(form)
        if (line !== undefined) return pageStory(line, folder)
      }
      return undefined
    },
    close: async () => {
      outcomes.close()
      await Promise.all([hosts.close(), answers.close()])
    },
  }
}

function linkOf({ url, pathDepth, hops, note }: LinkView): Link {
  return { url, pathDepth, hops, ...(note !== undefined && { note }) }
}
