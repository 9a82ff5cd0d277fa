// What the short names in the statistics mean, in a sentence for people.
import type { LinkRefusal } from '../crawl/worker/link-rules.ts'
import type { Failure } from '../fetch/exchange.ts'
import type { WebRefusal } from '../url/web.ts'

const FAILURES: Readonly<Record<Failure, string>> = {
  dns: 'The name of the host could not be resolved.',
  connect: 'No connection could be made.',
  tls: 'The certificate or the encrypted connection was not valid.',
  timeout: 'The whole answer did not arrive in time.',
  reset: 'The host closed the connection in the middle.',
  length: 'The answer was shorter than it had announced.',
  protocol: 'The answer was not valid HTTP.',
  headers: 'The headers were too long or too many.',
  encoding: 'The answer could not be decompressed.',
  files: 'This machine was out of file descriptors, ports or memory.',
  network: 'This machine had no network.',
  proxy: 'The proxy could not be reached.',
  'proxy-login': 'The proxy asked for a user name and a password.',
  'proxy-refused': 'The proxy refused to connect to the host.',
  stopped: 'The crawl was stopped, or stood still, while the request was open.',
}

const REFUSALS: Readonly<Record<string, string>> = {
  robots: 'The robots.txt of the host does not allow it.',
  'robots-unavailable': 'The robots.txt of the host lies at another host that did not answer, so nothing is allowed.',
  type: 'It is no HTML; the body was not downloaded.',
  malformed: 'The URL is not valid.',
  address: 'The host led to an address that is not public.',
  noindex: 'The page asks not to be indexed; its links were followed.',
  noarchive: 'The page asks not to be archived; its links were followed.',
  'max-per-host': 'The host had given as many pages as it may.',
  dns: 'There is no host of this name.',
  'worker-died': 'Reading the page ended the program’s thread, twice.',
  cleared: 'Its host’s list was emptied by hand.',
}

const REFUSED_LINKS: Readonly<Record<WebRefusal | LinkRefusal, string>> = {
  protocol: 'The link is neither http nor https.',
  malformed: 'The link is no valid URL.',
  'too-long': 'The URL is longer than 2,000 bytes.',
  'too-many-segments': 'The path has more than 30 segments.',
  'repeated-segment': 'A segment occurs more than three times in the path, as in a trap.',
  scope: 'The link leads out of the scope.',
  'max-depth': 'The link is further away from a seed than allowed.',
  include: 'No pattern includes the URL.',
  exclude: 'A pattern excludes the URL.',
}

/** Those that no rule about links gives. */
const MORE_REFUSED_LINKS: Readonly<Record<string, string>> = {
  nofollow: 'The link or its page says nofollow.',
  'page-hosts': 'The page links to more hosts than are followed from one page.',
  filtered: 'The caller’s own filter refused it.',
  'redirect-to-known': 'A redirect led to a link that was known already.',
  'too-many-redirects': 'More than ten redirects came one after the other.',
}

const MEANINGS = { failed: FAILURES, refused: REFUSALS, 'links refused': { ...REFUSED_LINKS, ...MORE_REFUSED_LINKS } }

/** RFC 9110 15 */
const STATUSES: Readonly<Record<string, string>> = {
  200: 'OK',
  204: 'No Content',
  206: 'Partial Content',
  301: 'Moved Permanently',
  302: 'Found',
  303: 'See Other',
  304: 'Not Modified',
  307: 'Temporary Redirect',
  308: 'Permanent Redirect',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  410: 'Gone',
  429: 'Too Many Requests',
  451: 'Unavailable For Legal Reasons',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
}

const CLASSES: Readonly<Record<string, string>> = {
  1: 'an interim answer',
  2: 'a success',
  3: 'a redirect',
  4: 'a mistake of the request',
  5: 'a failure of the host',
}

/** What a reason means, by the kind of event that it comes with; empty for one that nobody has explained. */
export function explained(kind: keyof typeof MEANINGS, reason: string): string {
  const [, status] = /^(?:robots-)?status-(\d{3})$/.exec(reason) ?? []
  if (status !== undefined) return about(reason, `The host answered ${statusMeaning(status)}.`)
  const meanings: Readonly<Record<string, string>> = MEANINGS[kind]
  if (Object.hasOwn(meanings, reason)) return meanings[reason]!
  const failure = reason.replace(/^robots-/, '')
  return kind === 'failed' && Object.hasOwn(meanings, failure) ? about(reason, meanings[failure]!) : ''
}

/** What went wrong with a robots.txt is told as such. */
function about(reason: string, sentence: string): string {
  return reason.startsWith('robots-')
    ? `Asked for robots.txt: ${sentence[0]!.toLowerCase()}${sentence.slice(1)}`
    : sentence
}

/** `404 Not Found`, or for less usual ones what the first digit says. */
export function statusMeaning(status: string): string {
  const name = Object.hasOwn(STATUSES, status) ? STATUSES[status] : CLASSES[status[0] ?? '']
  return name === undefined ? status : `${status} ${name}`
}
