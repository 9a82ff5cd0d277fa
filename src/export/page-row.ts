import { mimeOf } from '../archive/cdx-line.ts'
import { surt } from '../archive/surt.ts'
import { headerOf } from '../base/words/raw-headers.ts'
import { languageOfPage } from '../extract/directives.ts'
import { registrableDomain } from '../url/registrable-domain.ts'
import type { ReadVisit } from './read-visit.ts'
import type { Row } from './tables.ts'
import { hostOf } from './url-host.ts'

/** The row of a visit in the table of pages. */
export function pageRow({ visit, record, original = record, message, extracted }: ReadVisit): Row {
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
    lang: languageOfPage(message.body, headerOf(message.headers, 'content-language')) ?? null,
    change: visit.change,
  }
}
