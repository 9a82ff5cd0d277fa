/** Of locks in tests. A busy machine may hold a process up for longer than a few beats. */
export const BEAT_MS = 40
export const WAIT_MS = 1200
