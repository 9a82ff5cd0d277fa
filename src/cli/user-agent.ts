import { readCrawlFile } from '../crawl/crawl-file.ts'
import { crawlWords } from './crawl-words.ts'
import { wrongUse } from './wrong-use.ts'

/** The default contact: it leads to the makers of Escalona, not to whoever runs the crawl. */
const OUR_CONTACT = /\(\+https:\/\/github\.com\/escalona\/escalona\)$/

/**
 * The User-Agent made of `--user-agent` and `--contact`; undefined when neither was given. A contact is always added, never
 * dropped. Without `--user-agent` it replaces the contact in the User-Agent kept in the folder.
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

/** Whether the User-Agent says whom the people who run a host can write to. */
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

/** Throws unless the text can be sent in a header and begins with a product name. */
function checked(userAgent: string): string {
  if (/^[A-Za-z_-]+[\x20-\x7e]*$/.test(userAgent) && userAgent.length <= 500) return userAgent
  throw wrongUse(crawlWords().agent, 'escalona crawl --help')
}
