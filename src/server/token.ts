import { createHash, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../base/clock.ts'

/** A token shorter than this could be guessed by trying. */
const LONG_ENOUGH = 16
/** How many wrong tokens are accepted at once, and how many more per second, while the token could be guessed. */
const BURST = 20
const PER_SECOND = 5

/** Compares without revealing by its time where texts differ, nor how long the secret is. */
export function isSame(given: string, secret: string): boolean {
  return timingSafeEqual(digest(given), digest(secret))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/**
 * The token, and the cookie that stands for it. The cookie has its own secret, so that guesses at a short token can be slowed
 * down for everyone without locking out the browsers that are in already.
 */
export class Token {
  private readonly token: string
  private readonly clock: Clock
  /** The value of the cookie. */
  readonly cookie: string
  private guesses = BURST
  private countedAtMs: number

  constructor(token: string, cookie: string, clock: Clock) {
    this.token = token
    this.cookie = cookie
    this.clock = clock
    this.countedAtMs = clock()
  }

  /** `slow down`: too many wrong ones came lately. */
  judge(given: string): 'right' | 'wrong' | 'slow down' {
    const isGuessable = this.token.length < LONG_ENOUGH
    if (isGuessable && !this.mayGuess()) return 'slow down'
    if (isSame(given, this.token)) return 'right'
    if (isGuessable) this.guesses--
    return 'wrong'
  }

  isCookie(given: string): boolean {
    return isSame(given, this.cookie)
  }

  private mayGuess(): boolean {
    const nowMs = this.clock()
    this.guesses = Math.min(BURST, this.guesses + ((nowMs - this.countedAtMs) / 1000) * PER_SECOND)
    this.countedAtMs = nowMs
    return this.guesses >= 1
  }
}
