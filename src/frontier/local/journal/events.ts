import { LINK_KINDS } from '../../frontier.ts'
/**
 * What happens to a frontier, as the journal records it: a kind, then the fields below. An event is applied the same way
 * when it happens and when it is replayed. All numbers are varints from 0 up unless a unit says otherwise; times are
 * doubles, milliseconds since 1970; durations are doubles, milliseconds.
 *
 * | kind | fields |
 * |---|---|
 * | OFFERED | what is new |
 * | LEASED | time, due time, gap of servers; how many ran out, each: ticket; then, to the end: host, link (0: an auxiliary link) |
 * | PLACED | time, gap of servers, ticket, whether there is room (a byte), server; a text if it is the first one unknown |
 * | SETTLED | time, how many; each: ticket (0: it was closed); if it was open, end (a byte), reason (a text, of a refused one), pause of the host (a duration; only when it was asked), next visit (of one that is planned); what is new |
 * | SETTLED_FORMER | time, how many; each: link (0: nothing changed); if it was settled, host, bits (a byte): whether it is a page, and whether it is planned; next visit (of one that is planned), what is new |
 * | PLANNED | time; then, to the end: link, host, next visit |
 * | HINTED | time; then, to the end: link, when it is due |
 * | GIVEN_BACK | how many; each: ticket |
 * | RENEWED | time, due time, how many; each: ticket |
 * | DELAYED | host (a text), delay (a duration) |
 * | HELD | host (a text), time, how long (a duration) |
 * | HOST_CLEARED | host (a text) |
 * | FIRST_CLEARED | host (a text), how many of its first links |
 * | CLEARED | |
 * | OPENED | time, delay (a duration), retries (a double) |
 * | REQUEUED | how many; each: link, host, rank (a byte) |
 * | HELD_ANEW | host (a text), time, how long (a duration) |
 * | NEW_TURNS | |
 * | SEEN | the latest time that was seen |
 *
 * End: three bits of outcome, then three bits of what was shown; see {@link OUTCOMES}, {@link SHOWN}.
 *
 * Next visit: when the link was visited and when it is due (times), gain (a double), and its text as in `written-link.ts`.
 *
 * What is new: a byte of bits that say which of these follow: links, in their order (how many, 32 bits; each as in
 * `written-link.ts`; if some are auxiliary links or refused, each after a byte that says its kind, and a refused one after its
 * reason: a number, and a text if it is the first one unknown); how many links each bound turned away (three numbers); what was given to
 * hosts (how many, each: host, importance (a double)).
 */
export const EVENT = {
  OFFERED: 17,
  LEASED: 18,
  PLACED: 19,
  SETTLED: 20,
  GIVEN_BACK: 22,
  RENEWED: 23,
  DELAYED: 24,
  HELD: 25,
  HOST_CLEARED: 26,
  CLEARED: 27,
  OPENED: 28,
  SEEN: 29,
  REQUEUED: 31,
  /** Another strategy chooses from now on. */
  NEW_TURNS: 33,
  HELD_ANEW: 34,
  FIRST_CLEARED: 35,
  SETTLED_FORMER: 36,
  PLANNED: 37,
  HINTED: 38,
} as const

/** The reason of links whose host was cleared. */
export const CLEARED_REASON = 'cleared'

export const OUTCOMES = ['done', 'page', 'refused', 'again', 'done and planned', 'page and planned'] as const
export type WrittenOutcome = (typeof OUTCOMES)[number]
export const SHOWN = [undefined, 'answer', 'trouble', 'silence', 'gone'] as const
export const SHOWN_SHIFT = 3
export const OUTCOME_BITS = 7

/** The bits of a former visit. */
export const FORMER_PAGE = 1
export const FORMER_PLANNED = 2

/** What is new: which parts of it follow, and whether the links are of several kinds. */
export const NEW_LINKS = 1
export const OF_ALL_KINDS = 2
export const TURNED_AWAY = 4
export const GIVEN = 8

/** A link's kind, as a byte; a page link that is refused has one of its own. */
export const KINDS = [...LINK_KINDS, 'refused'] as const
