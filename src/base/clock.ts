/** Never goes back. Handed in wherever time matters, so tests never sleep. */
export type Clock = () => number

export const systemClock: Clock = () => performance.now()

/** Milliseconds since 1970, the same in every thread. */
export const unixClock: Clock = () => performance.timeOrigin + performance.now()

/** Returns a function that cancels it. 0 ms: in the next turn of the event loop. Handed in like a clock. */
export type Timer = (ms: number, then: () => void) => () => void

export const systemTimer: Timer = (ms, then) => {
  if (ms === 0) {
    const immediate = setImmediate(then)
    return () => clearImmediate(immediate)
  }
  const timeout = setTimeout(then, ms)
  return () => clearTimeout(timeout)
}

/** Since 1970, may jump, and keeps going while the computer sleeps; use it only to notice that. */
export const wallClock: Clock = () => Date.now()
