import type { Place } from './scan.ts'

/** An answer to a request for a URL, as the index knows it. */
export interface Visit extends Place {
  readonly kind: 'response' | 'revisit'
  /** As it is in the archive. */
  readonly url: string
  /** Unix time of the request; of a finished file in whole seconds. */
  readonly dateMs: number
  /** Of the answer: 304 for one that says that nothing changed. */
  readonly status: number
  /** `warc/revisit` for a revisit. */
  readonly mime: string
}

/** All answers to requests for a URL, oldest first; of more than `most` the newest. */
export function visitsOf(_crawl: string, _url: string, _most = 10_000): Visit[] {
  return []
}
