/** Milliseconds that never go back. Handed in wherever time matters, so tests never sleep. */
export type Clock = () => number

/** Milliseconds since an arbitrary start. */
export const systemClock: Clock = () => performance.now()

/** Milliseconds since 1970, the same in every thread. */
export const unixClock: Clock = () => performance.timeOrigin + performance.now()

/** Calls back once after this many milliseconds; returns a function that cancels it. Handed in like a clock. */
export type Timer = (ms: number, then: () => void) => () => void

export const systemTimer: Timer = (ms, then) => {
  const timeout = setTimeout(then, ms)
  return () => clearTimeout(timeout)
}

/**
 * The computer's own clock: since 1970, and it may jump. Unlike the others it keeps going while the computer sleeps; use it
 * only to notice that.
 */
export const wallClock: Clock = () => Date.now()
