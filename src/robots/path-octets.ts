import { GRAM_HASHES, hashed, STAR } from './block.ts'

/** What comparing one path with wildcards may cost, in octets and rules looked at: less than a millisecond. */
const MOST_STEPS = 200_000
/** And for each octet of the path, so that a long path alone is no reason to refuse it. */
const STEPS_PER_OCTET = 8
/** Up to this many wildcards are compared faster than the sieve is filled. */
const FEW = 4

/** The octets of a path that is being judged. One instance serves one path after the other. */
export class PathOctets {
  octets = new Uint8Array(4096)
  length = 0
  private stepsLeft = 0
  private questions = 0
  private isSieved = false
  /** By the hash of a piece: whether the path has it, which is so when the number is `stamp`. */
  private readonly seen = new Uint8Array(GRAM_HASHES)
  private stamp = 0

  /** Continues with another path, one character per octet. */
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

  /** Prepares for this many more calls of {@link mayHave}, where that pays off. */
  expect(questions: number): void {
    this.questions += questions
    if (this.isSieved || this.questions <= FEW) return
    this.isSieved = true
    if (++this.stamp === 256) {
      this.seen.fill(0)
      this.stamp = 1
    }
    const { octets, length, seen, stamp } = this
    /** The last four octets, the latest one highest. */
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

  /** How many octets the path and `text` share, from octet `from` on, which are known to be the same up to there. */
  commonWith(text: Uint8Array, start: number, length: number, from: number): number {
    const most = Math.min(this.length, length)
    let same = from
    while (same < most && this.octets[same] === text[start + same]) same++
    return same
  }

  /**
   * Whether the parts of `text` between its stars come in the path in this order, from octet `from` on; with `isWhole`,
   * the last one at the very end. The first place where a part stands is as good as any later one, so no choice is ever
   * taken back. False as well when the budget ends: see {@link isOverBudget}.
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

  /** Where the part ends that is looked for from octet `from` on; -1 when it is nowhere. */
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
 * RFC 9309 2.2.2: rules and URLs are compared octet by octet, after both were written in the same way. Here that is: what
 * no URI may contain as it is, is percent-encoded, with upper-case digits; what needs no encoding (letters, digits,
 * `-._~`) is decoded; reserved characters stay as they were written, so `%2F` is not `/`.
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

/** Scheme and host of a URL, both of which may be missing. */
const BEFORE_PATH = /^(?:[^/?;#]*:\/\/|\/\/)?[^/?;#]*/
/** A path and query that are written as rules are. */
const COMMON = /^\/[\w\-.~:/?[\]@!&'()+,;=]*$/

/** The path and query of a URL, as rules are written, one character per byte; a star or a dollar sign in it is only that. */
export function pathOf(url: string): string {
  const fragment = url.indexOf('#')
  const start = BEFORE_PATH.exec(url)![0].length
  const path = url.slice(start, fragment === -1 ? url.length : fragment)
  if (COMMON.test(path)) return path
  const bytes = Buffer.from(path.startsWith('/') ? path : `/${path}`).toString('latin1')
  return sameOctets(bytes).replaceAll('*', '%2A').replaceAll('$', '%24')
}
