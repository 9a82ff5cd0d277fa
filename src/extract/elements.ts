import { GREATER, SLASH } from './markup-bytes.ts'

/** What element names mean for links, title, words and text; 0 for a name in no list. */

/** Its start and its end divide words: what the standard's style sheet shows as a block, a line break or a box. */
export const SEPARATES = 1
/** Of those: what begins and ends on a line of its own. */
export const ON_OWN_LINE = 8
/** Its start ends an `<svg>` that was left open (the standard's "any other start tag" of foreign content). */
export const BREAKS_OUT = 2
/** Only its own end tag ends it. */
export const RAW = 4
/** Which of the elements that are handled one by one. */
export const WHICH = ~15

/** Their attributes are read: for links, and then for anchors and canonical URLs only. */
export const LINK = 1 << 4
export const AREA = 2 << 4
export const FRAME = 3 << 4
export const BASE = 4 << 4
export const META = 5 << 4
export const RELATION = 6 << 4
export const IMAGE = 7 << 4
export const TITLE = 8 << 4
export const SCRIPT = 9 << 4
export const PLAINTEXT = 10 << 4
/** Change what their content means: for links, and then for anchors only. */
export const SVG = 11 << 4
export const TEMPLATE = 12 << 4
export const NOSCRIPT = 13 << 4
export const TABLE = 14 << 4
export const TABLE_PART = 15 << 4

const ON_OWN_LINES =
  'address article aside blockquote body br caption center dd details dialog dir div dl dt fieldset figcaption figure ' +
  'footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li listing main menu nav noscript ol ' +
  'optgroup option p plaintext pre search section summary table tbody tfoot thead title tr ul xmp'
const WITHIN_LINES = 'button iframe input select td textarea th'
const BREAKING_OUT =
  'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta ' +
  'nobr ol p pre ruby s small span strong strike sub sup table tt u ul var'
const RAW_NAMES = 'script style title textarea xmp iframe noembed noframes'
const HANDLED: Readonly<Record<string, number>> = {
  a: LINK,
  area: AREA,
  frame: FRAME,
  iframe: FRAME,
  base: BASE,
  meta: META,
  title: TITLE,
  script: SCRIPT,
  plaintext: PLAINTEXT,
  svg: SVG,
  template: TEMPLATE,
  noscript: NOSCRIPT,
  link: RELATION,
  img: IMAGE,
  table: TABLE,
  caption: TABLE_PART,
  tbody: TABLE_PART,
  td: TABLE_PART,
  tfoot: TABLE_PART,
  th: TABLE_PART,
  thead: TABLE_PART,
  tr: TABLE_PART,
}

/** A letter or digit of a name in 6 bits; what no known name contains; what ends a name. */
const UNKNOWN = 63
export const NAME_ENDS = 64
export const CODES = new Uint8Array(256).fill(UNKNOWN)
for (let digit = 0; digit < 10; digit++) CODES[0x30 + digit] = 27 + digit
for (let letter = 0; letter < 26; letter++) CODES[0x41 + letter] = CODES[0x61 + letter] = 1 + letter
for (const byte of [0x09, 0x0a, 0x0c, 0x0d, 0x20, SLASH, GREATER]) CODES[byte] = NAME_ENDS

/** A name is two words of five characters. Open addressing, at most a quarter full. */
export const HALF_NAME = 5
const SLOTS = 512
const FIRST = new Int32Array(SLOTS)
const SECOND = new Int32Array(SLOTS)
const MEANINGS = new Int32Array(SLOTS)

function slotOf(first: number, second: number): number {
  let slot = (Math.imul(first ^ Math.imul(second, 0x9e3779b1), 0x85ebca6b) >>> 23) & (SLOTS - 1)
  while (FIRST[slot] !== 0 && (FIRST[slot] !== first || SECOND[slot] !== second)) slot = (slot + 1) & (SLOTS - 1)
  return slot
}

function learn(names: Iterable<string>, meaningOf: (name: string) => number): void {
  for (const name of names) {
    const halves = [0, 0]
    for (let i = 0; i < name.length; i++)
      halves[i < HALF_NAME ? 0 : 1] = (halves[i < HALF_NAME ? 0 : 1]! << 6) | CODES[name.charCodeAt(i)]!
    const slot = slotOf(halves[0]!, halves[1]!)
    FIRST[slot] = halves[0]!
    SECOND[slot] = halves[1]!
    MEANINGS[slot]! |= meaningOf(name)
  }
}
learn(ON_OWN_LINES.split(' '), () => SEPARATES | ON_OWN_LINE)
learn(WITHIN_LINES.split(' '), () => SEPARATES)
learn(BREAKING_OUT.split(' '), () => BREAKS_OUT)
learn(RAW_NAMES.split(' '), () => RAW)
learn(Object.keys(HANDLED), name => HANDLED[name]!)

/** Given the first and the second five characters in codes. */
export function meaningOf(first: number, second: number): number {
  return MEANINGS[slotOf(first, second)]!
}
