import { answer, choice, count, flag, list, number, optional, pair, type TypeOf, text, time } from './shape.ts'

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
  simhash: optional(text('Of the visible words, 16 hexadecimal digits.')),
  repeats: optional(text('The earlier page of its host that it nearly repeats.')),
  original: optional(answer('OriginalPlace', 'Of a revisit: where the record with the body is.', place)),
})

export const ListedPages = answer('PageList', 'Part of the archived pages or visits, newest first.', {
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

const FoundPage = answer('FoundPage', 'An archived page that a search found.', {
  url: text('Canonical.'),
  title: text('As the page has it; may be empty.'),
  dateMs: time('When it was requested.'),
  status: count('HTTP status of this visit.'),
  language: optional(text('As the page names it: pt-br.')),
  score: number('BM25: higher is better; comparable only within one search.'),
  snippet: list(
    answer('SnippetPiece', 'Part of the text of a page.', {
      text: text('As it is in the page, without line ends.'),
      isMatch: flag('It is what was searched for.'),
    }),
    'The part of its text with the most of what was searched for; empty when the archive no longer has it.',
  ),
})

export const FoundPages = answer('FoundPages', 'What a search of the text of all archived pages found.', {
  items: list(FoundPage, 'The best first.'),
  total: count('Pages that were found.'),
  isEstimate: flag('Some of the pages that are counted may have the words, but not the phrase.'),
  isCut: flag('There was no time to find all pages that were asked for.'),
  indexed: count('Pages in the index.'),
  isIndexing: flag('The index is being brought up to date; ask again for more.'),
})
export type FoundPages = TypeOf<typeof FoundPages>
