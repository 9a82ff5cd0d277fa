/** Milliseconds that never go back, from an arbitrary start. Handed in wherever time matters, so tests never sleep. */
export type Clock = () => number

export const systemClock: Clock = () => performance.now()
