/** Milliseconds that never go back. Handed in wherever time matters, so tests never sleep. */
export type Clock = () => number

/** From an arbitrary start. */
export const systemClock: Clock = () => performance.now()

/** Since 1970, and in every thread the same. */
export const unixClock: Clock = () => performance.timeOrigin + performance.now()

/** Calls back once after so many milliseconds; returns the means to call it off. Handed in like a clock. */
export type Timer = (ms: number, then: () => void) => () => void

export const systemTimer: Timer = (ms, then) => {
  const timeout = setTimeout(then, ms)
  return () => clearTimeout(timeout)
}

/**
 * The computer's own clock: since 1970, and it may jump. Unlike the others it goes on while the computer sleeps; use it
 * only to notice that.
 */
export const wallClock: Clock = () => Date.now()
