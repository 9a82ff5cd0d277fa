import type { Link, LinkView } from '../../frontier/frontier.ts'
import { canonicalForms } from '../files/canonical-forms.ts'
import type { HostDetails, HostRow } from '../questions/host-shapes.ts'
import type { PageDetails } from '../questions/page-shapes.ts'
import type { Source } from '../questions/questions.ts'
import { AnswerIndex } from './answer-index.ts'
import { HostIndex } from './host-index.ts'
import type { HostQuery } from './host-table.ts'
import { LinkLists, type LinkQuery, type ListLinks } from './link-list.ts'
import { type HostOutcome, OutcomeIndex, type PageQuery } from './outcome-index.ts'
import { pageDetails } from './page-details.ts'
import { ArchivedRobots, robotsFile, robotsUrls } from './robots-file.ts'

/** A host, with more about it, for readers of either language. */
export type KnownHost = Omit<HostDetails, 'outcomes' | 'turn'> & { readonly outcomes: readonly HostOutcome[] }

/** What the indexes of a crawl answer: about its hosts, its pages, and how its links ended. */
export type Indexes = ReturnType<typeof openIndexes>

const MOST_WAITING = 100
const MOST_OUTCOMES = 100

/**
 * Opens the indexes of a crawl's folder, and begins to read its files in the background, a few milliseconds at a time. Its hosts are
 * read from the source while there are questions about them. `list`: lists links.
 */
export function openIndexes(folder: string, source: Source, list: ListLinks) {
  const outcomes = new OutcomeIndex(folder)
  const failedOf = (host: string) => outcomes.failedOf(host)
  const hosts = new HostIndex(async page => {
    await outcomes.readFailures()
    return source.ask('hostColumns', page)
  }, failedOf)
  const answers = new AnswerIndex(folder)
  const answerOf = (url: string) => answers.find(url)
  const robots = new ArchivedRobots(folder, answerOf)

  const links = new LinkLists(list)

  async function robotsFiles(host: string, agent: string): Promise<KnownHost['robotsFiles']> {
    const files = robotsUrls(host).map(async url => {
      const place = await answerOf(url)
      return place && robotsFile(url, place, folder, agent)
    })
    return (await Promise.all(files)).filter(file => file !== undefined)
  }

  return {
    hosts: (query: HostQuery) => hosts.find(query),
    /** How many links of a host ended by an error or by its refusal. */
    failedOf,
    /** What the archived robots.txt of hosts says, in their order; `unknown` also for those that take too long. */
    robotsStates: (names: readonly string[], agent: string) => robots.states(names, agent),
    /** `total`: how many links the query chooses, if the frontier counts them. */
    links: (query: LinkQuery, total: number | undefined) => links.find(query, total),
    pages: (query: PageQuery) => outcomes.find(query),
    changes: (query: PageQuery) => outcomes.changes(query),
    pageLineOf: (url: string) => outcomes.pageLineOf(url),
    failureLineOf: (url: string) => outcomes.failureLineOf(url),
    answerOf,
    /** More about a host. `agent`: the product token that robots.txt rules are matched against. */
    hostDetails: async (row: HostRow, agent: string): Promise<KnownHost> => {
      const [{ items }, files, latest] = await Promise.all([
        source.ask('listLinks', { which: { state: 'waiting', host: row.host }, page: { limit: MOST_WAITING } }),
        robotsFiles(row.host, agent),
        outcomes.latest(row.host, MOST_OUTCOMES),
      ])
      return { ...row, queue: items.map(linkOf), robotsFiles: files, outcomes: latest }
    },
    /** The newest archived page of a URL as people write it; undefined when there is none. Throws `CRAWL_PAGE_MISSING`. */
    pageDetails: async (url: string): Promise<PageDetails | undefined> => {
      for (const form of canonicalForms(url)) {
        const line = await outcomes.pageLineOf(form)
        if (line !== undefined) return pageDetails(line, folder)
      }
      return undefined
    },
    close: async () => {
      outcomes.close()
      links.close()
      await Promise.all([hosts.close(), answers.close()])
    },
  }
}

function linkOf({ url, rank, hops, note }: LinkView): Link {
  return { url, rank, hops, ...(note !== undefined && { note }) }
}
