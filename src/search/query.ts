import { EscalonaError } from '../base/errors.ts'
import { TokenReader } from './tokens.ts'

/** What to look for. */
export interface SearchQuestion {
  /** Words, all of which a page must have; phrases in quotes; `site:example.org`, `since:2026-01-31`, `until:2026-01-31`. */
  readonly q: string
  /** Only pages of this host, or of hosts in this domain; with a port, of that port. */
  readonly host?: string | undefined
  /** Only visits from this day or moment on, and up to this day or moment: `2026-01-31`, `2026-01-31T12:00Z`. */
  readonly since?: string | undefined
  readonly until?: string | undefined
}

/** A question that was understood. */
export interface Query {
  /** The different words, as they are in the index. */
  readonly terms: readonly Uint8Array[]
  /** What a page must have: a word, or several in a row; as places in `terms`. */
  readonly clauses: readonly (readonly number[])[]
  readonly host: string | undefined
  /** Unix time in seconds. */
  readonly since: number
  readonly until: number
}

export const MOST_TERMS = 64
const MOST_CHARS = 1000
const FILTER = /^(site|host|since|until):(.+)$/i
const DAY = /^\d{4}-\d{2}-\d{2}$/
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?$/
const DAY_MS = 86_400_000

/** Throws `SEARCH_BAD_QUERY` when there is nothing to look for, too much, or a date that is none. */
export function parseQuery(question: SearchQuestion): Query {
  const terms: Uint8Array[] = []
  const known = new Map<string, number>()
  const clauses: number[][] = []
  const filters: Record<string, string | undefined> = {
    host: question.host,
    since: question.since,
    until: question.until,
  }
  const reader = new TokenReader()
  const asked = question.q.slice(0, MOST_CHARS).replace(/[“”„«»]/g, '"')
  for (const [, phrase, word = ''] of asked.matchAll(/"([^"]*)"?|([^\s"]+)/g)) {
    const [, name, value] = FILTER.exec(word) ?? []
    if (name !== undefined) {
      filters[name.toLowerCase().replace('site', 'host')] = value
      continue
    }
    const clause: number[] = []
    reader.read(phrase ?? word)
    while (reader.next()) {
      const term = Buffer.from(reader.bytes.subarray(0, reader.length))
      const text = term.toString('latin1')
      if (!known.has(text)) known.set(text, terms.push(term) - 1)
      clause.push(known.get(text)!)
    }
    if (clause.length > 0) clauses.push(clause)
  }
  if (terms.length === 0) throw new EscalonaError('SEARCH_BAD_QUERY/no-words')
  if (terms.length > MOST_TERMS) throw new EscalonaError('SEARCH_BAD_QUERY/too-many-words', { most: MOST_TERMS })
  return {
    terms,
    clauses,
    host: filters.host === undefined ? undefined : hostIn(filters.host),
    since: filters.since === undefined ? -Infinity : momentOf(filters.since, 'since'),
    until: filters.until === undefined ? Infinity : momentOf(filters.until, 'until'),
  }
}

/** Whether some words must follow each other. */
export function hasPhrases({ clauses }: Query): boolean {
  return clauses.some(clause => clause.length > 1)
}

/** A host as the index has it; people may paste a URL, or write `*.example.org`. */
function hostIn(text: string): string {
  const bare = text.trim().replace(/^(?:[a-z][a-z0-9+.-]*:\/\/|\*?\.)/i, '')
  const host = bare.replace(/[/?#].*$/s, '')
  try {
    return new URL(`http://${host}`).host
  } catch {
    return host.toLowerCase()
  }
}

/** Unix time in seconds. A day counts from its beginning or to its end, in UTC. */
function momentOf(text: string, which: 'since' | 'until'): number {
  const ms = DAY.test(text) || MOMENT.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(ms)) throw new EscalonaError('SEARCH_BAD_QUERY/date', { text })
  return Math.floor((DAY.test(text) && which === 'until' ? ms + DAY_MS - 1 : ms) / 1000)
}
