import { answer, choice, count, flag, list, optional, pair, type TypeOf, text, time } from './shape.ts'

/** Where an answer is in the archive. */
export const place = {
  file: text('The WARC file.'),
  offset: count('Where its record begins, in bytes.'),
  length: count('Compressed length of the record in bytes.'),
}

export const PageLine = answer('PageLine', 'An archived page.', {
  ...place,
  url: text('Canonical.'),
  status: count('HTTP status.'),
  title: text('As the page has it; may be empty.'),
  bytes: count('Size of the stored body.'),
  tokens: count('Number of words.'),
  hops: count('Links from a seed.'),
  linksOut: count('Links found on it.'),
  language: optional(text('As the page names it: pt-br.')),
  dateMs: time('When it was requested.'),
  from: optional(text('The page on which its link was first found; missing for a seed.')),
  change: choice(['new', 'changed', 'same', 'gone'], 'What this visit found, compared with the one before.'),
  etag: optional(text('As received.')),
  lastModified: optional(text('As received.')),
  digest: optional(text('SHA-1 of the stored body, base32.')),
  textDigest: optional(text('SHA-1 of the visible text, base32; only when the crawl revisits.')),
  original: optional(answer('OriginalPlace', 'Of a revisit: where the record with the body is.', place)),
})

export const ListedPages = answer('PageList', 'Part of the archived pages, newest first.', {
  items: list(PageLine, 'Newest first.'),
  total: count('All archived pages.'),
  nextOffset: optional(
    count('Where to continue: a search stops after a short time. Missing: all pages have been searched.'),
  ),
})
export type ListedPages = TypeOf<typeof ListedPages>

const fields = (description: string) => list(pair, description)

export const PageDetails = answer(
  'PageDetails',
  'An archived page with everything in its record. Nothing of it is safe to run.',
  {
    page: PageLine,
    warc: fields('The fields of the WARC record: pairs of name and value, in their order.'),
    statusLine: text('As it came.'),
    headers: fields('The header fields of the answer: pairs of name and value, in their order.'),
    links: list(text(''), 'The links found on it; at most 1,000.'),
    html: text('The page as text, at most 1 MiB.'),
    isCut: flag('There is more than is shown.'),
  },
)
export type PageDetails = TypeOf<typeof PageDetails>
