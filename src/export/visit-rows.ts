import { mimeOf } from '../archive/cdx-line.ts'
import { surt } from '../archive/surt.ts'
import { hostOf } from '../url/host-of.ts'
import { registrableDomain } from '../url/registrable-domain.ts'
import type { ReadVisit } from './read-visit.ts'
import type { TableRow } from './tables.ts'

/** Counts of a host in the order of {@link COUNTED}. */
type Counts = number[]
const COUNTED = ['pages', 'links_in', 'links_out', 'links_internal'] as const
const [PAGES, LINKS_IN, LINKS_OUT, LINKS_INTERNAL] = [0, 1, 2, 3]

/** Counts by host: of hosts that have pages, and of those that pages link to. Memory grows with the hosts, not with the pages. */
export class HostCounts {
  private readonly hosts = new Map<string, Counts>()

  /** Counts a page and its links. */
  add({ visit, extracted }: ReadVisit): void {
    const host = hostOf(visit.url)
    const own = this.of(host)
    own[PAGES]!++
    for (const { url } of extracted.anchors ?? []) {
      if (url.host === host) own[LINKS_INTERNAL]!++
      else {
        own[LINKS_OUT]!++
        this.of(url.host)[LINKS_IN]!++
      }
    }
  }

  /** Adds what another thread has counted. */
  merge(counted: ReadonlyMap<string, readonly number[]>): void {
    for (const [host, more] of counted) {
      const counts = this.of(host)
      for (const [at, count] of more.entries()) counts[at]! += count
    }
  }

  /** Hands over what was counted since the last call. */
  take(): Map<string, Counts> {
    const taken = new Map(this.hosts)
    this.hosts.clear()
    return taken
  }

  /** The rows of the table, hosts with the most pages first. */
  *rows(): Generator<TableRow, void, undefined> {
    const sorted = [...this.hosts].sort(
      ([a, one], [b, other]) => other[PAGES]! - one[PAGES]! || other[LINKS_IN]! - one[LINKS_IN]! || (a < b ? -1 : 1),
    )
    for (const [host, counts] of sorted) {
      const numbers = Object.fromEntries(COUNTED.map((name, at) => [name, counts[at]!]))
      yield { host, domain: registrableDomain(host), ...numbers }
    }
  }

  private of(host: string): Counts {
    let counts = this.hosts.get(host)
    if (counts === undefined) this.hosts.set(host, (counts = [0, 0, 0, 0]))
    return counts
  }
}

/** The row of a visit in the table of pages. */
export function pageRow({ visit, record, original = record, message, extracted }: ReadVisit): TableRow {
  const { url } = visit
  const host = hostOf(url)
  return {
    url,
    url_surtkey: surt(url),
    url_host_name: host.replace(/:\d+$/, ''),
    url_host_registered_domain: registrableDomain(host),
    fetch_time: visit.dateMs,
    fetch_status: visit.status,
    content_digest: (record.fields.get('warc-payload-digest') ?? '').replace('sha1:', ''),
    content_mime_type: mimeOf(message.headers),
    content_charset: extracted.charset,
    content_truncated: original.fields.get('warc-truncated') ?? null,
    warc_filename: visit.file,
    warc_record_offset: visit.offset,
    warc_record_length: visit.length,
    title: extracted.title,
    text: extracted.text ?? null,
    hops: visit.hops,
    text_digest: extracted.textDigest ?? '',
    simhash: extracted.fingerprint?.simhash ?? null,
    lang: visit.language ?? extracted.language ?? null,
    change: visit.change,
  }
}

/** The rows of a page in the table of links: one for each link on it, in document order. */
export function* linkRows({ visit, extracted }: ReadVisit): Generator<TableRow, void, undefined> {
  const { url: from } = visit
  const host = hostOf(from)
  for (const { url, text, rel } of extracted.anchors ?? [])
    yield { from, to: url.href, anchor: text, rel, internal: url.host === host }
}
