import { GRAM_HASHES, hashed, STAR } from './block.ts'

/** In octets and rules looked at: less than a millisecond. */
const MOST_STEPS = 200_000
/** For each octet of the path, so that a path is not refused for its length alone. */
const STEPS_PER_OCTET = 8
/** Up to this many wildcards are compared faster than the sieve is filled. */
const FEW = 4

/** One instance serves one path after the other. */
export class PathOctets {
  octets = new Uint8Array(4096)
  length = 0
  private stepsLeft = 0
  private questions = 0
  private isSieved = false
  /** By the hash of a piece: the path has it when the number is `stamp`. */
  private readonly seen = new Uint8Array(GRAM_HASHES)
  private stamp = 0

  /** One character per octet. */
  load(path: string): void {
    const { length } = path
    if (this.octets.length < length) this.octets = new Uint8Array(2 * length)
    for (let i = 0; i < length; i++) this.octets[i] = path.charCodeAt(i)
    this.length = length
    this.stepsLeft = MOST_STEPS + STEPS_PER_OCTET * length
    this.questions = 0
    this.isSieved = false
  }

  get isOverBudget(): boolean {
    return this.stepsLeft < 0
  }

  /** Prepares for more calls of {@link mayHave}, where that pays off. */
  expect(questions: number): void {
    this.questions += questions
    if (this.isSieved || this.questions <= FEW) return
    this.isSieved = true
    if (++this.stamp === 256) {
      this.seen.fill(0)
      this.stamp = 1
    }
    const { octets, length, seen, stamp } = this
    /** The latest one highest. */
    let window = 0
    for (let at = 0; at < length; at++) {
      window = (window >>> 8) | (octets[at]! << 24)
      seen[hashed(window >>> 24)] = seen[hashed(window >>> 16)] = seen[hashed(window)] = stamp
    }
  }

  /** False when the path surely has no piece of this hash. */
  mayHave(gram: number): boolean {
    this.stepsLeft--
    return !this.isSieved || this.seen[gram] === this.stamp
  }

  /** `from`: how many are known to be the same. */
  commonWith(text: Uint8Array, start: number, length: number, from: number): number {
    const most = Math.min(this.length, length)
    let same = from
    while (same < most && this.octets[same] === text[start + same]) same++
    return same
  }

  /**
   * Whether the parts of `text` between its stars come in the path in this order; with `isWhole`, the last one at the end. The first match of a
   * part is as good as any later one. False as well when the budget ends: see {@link isOverBudget}.
   */
  hasParts(text: Uint8Array, start: number, end: number, from: number, isWhole: boolean): boolean {
    let at = from
    for (let part = start; part < end; ) {
      let partEnd = part
      while (partEnd < end && text[partEnd] !== STAR) partEnd++
      const length = partEnd - part
      this.stepsLeft -= length
      if (isWhole && partEnd === end) {
        const last = this.length - length
        return last >= at && this.isAt(last, text, part, length)
      }
      at = this.endOf(text, part, length, at)
      if (at === -1) return false
      part = partEnd + 1
    }
    return true
  }

  /** -1 when the part isn't found. */
  private endOf(text: Uint8Array, part: number, length: number, from: number): number {
    const { octets } = this
    const last = this.length - length
    const first = text[part]
    for (let at = from; at <= last; at++) {
      if (octets[at] === first && this.isAt(at, text, part, length)) {
        this.stepsLeft -= at - from
        return at + length
      }
      if (this.stepsLeft < at - from) break
    }
    this.stepsLeft -= Math.max(0, last + 1 - from)
    return -1
  }

  private isAt(at: number, text: Uint8Array, part: number, length: number): boolean {
    let same = 0
    while (same < length && this.octets[at + same] === text[part + same]) same++
    this.stepsLeft -= same
    return same === length
  }
}

/**
 * RFC 9309 2.2.2: rules and URLs are compared octet by octet. What no URI may contain is percent-encoded, in upper case; letters, digits and `-._~`
 * are decoded; reserved characters stay as written, so `%2F` isn't `/`.
 */
const TO_REWRITE = /%[\da-f]{2}|[^\w\-.~:/?#[\]@!$&'()*+,;=%]/gi
const UNRESERVED = /[\w\-.~]/

/** `text` has one character per byte. */
export function sameOctets(text: string): string {
  return text.replace(TO_REWRITE, part => {
    if (part.length === 1) return encoded(part.charCodeAt(0))
    const code = Number.parseInt(part.slice(1), 16)
    const char = String.fromCharCode(code)
    return UNRESERVED.test(char) ? char : encoded(code)
  })
}

function encoded(byte: number): string {
  return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
}

const BEFORE_PATH = /^(?:[^/?;#]*:\/\/|\/\/)?[^/?;#]*/
/** Written as rules are. */
const COMMON = /^\/[\w\-.~:/?[\]@!&'()+,;=]*$/

/** As rules are written, one character per byte; a star or a dollar sign in it is only that. */
export function pathOf(url: string): string {
  const fragment = url.indexOf('#')
  const start = BEFORE_PATH.exec(url)![0].length
  const path = url.slice(start, fragment === -1 ? url.length : fragment)
  if (COMMON.test(path)) return path
  const bytes = Buffer.from(path.startsWith('/') ? path : `/${path}`).toString('latin1')
  return sameOctets(bytes).replaceAll('*', '%2A').replaceAll('$', '%24')
}
