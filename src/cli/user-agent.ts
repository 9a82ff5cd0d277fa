import { readCrawlFile } from '../crawl/crawl-file.ts'
import { crawlWords } from './crawl-words.ts'
import { wrongUse } from './wrong-use.ts'

/** The contact in a User-Agent that nobody gave a better one: it leads to us, not to who runs the crawl. */
const OUR_CONTACT = /\(\+https:\/\/github\.com\/escalona\/escalona\)$/

/**
 * The User-Agent that `--user-agent` and `--contact` ask for; undefined: neither was given. A contact is added, never
 * dropped; alone, it is added to the User-Agent of the crawl in the folder, in the place of its former contact.
 */
export function userAgentOf(
  given: { readonly userAgent: string | undefined; readonly contact: string | undefined },
  folder: string,
  version: string,
): string | undefined {
  const { userAgent, contact } = given
  if (contact === undefined) return userAgent === undefined ? undefined : checked(userAgent)
  const whole = userAgent ?? withoutContact(formerAgent(folder) ?? `escalona/${version}`)
  return checked(whole.includes(contact) ? whole : `${whole} (+${contact})`)
}

/** Whether the people who run a host can find out whom to write to. */
export function namesContact(userAgent: string): boolean {
  return /@|https?:\/\/|\bwww\./i.test(userAgent) && !OUR_CONTACT.test(userAgent)
}

function formerAgent(folder: string): string | undefined {
  const agent = readCrawlFile(folder)?.runs.at(-1)?.settings['user-agent']
  return typeof agent === 'string' ? agent : undefined
}

function withoutContact(userAgent: string): string {
  return userAgent.replace(/ \(\+[^()]*\)$/, '')
}

/** What can't be sent in a header can't be a name either. */
function checked(userAgent: string): string {
  if (/^[A-Za-z_-]+[\x20-\x7e]*$/.test(userAgent) && userAgent.length <= 500) return userAgent
  throw wrongUse(crawlWords().agent, 'escalona crawl --help')
}
