import type { Answer } from './errand.ts'

const FIRST_PAUSE_MS = 1000
const GROWTH = 5
const LONGEST_PAUSE_MS = 10 * 60_000
/** An answer that takes longer than this is slow. */
const SLOW_MS = 1000

/** How long to wait after the n-th failure in a row: 1, 5, 25 s and so on, or longer if the host wants that. */
export function pauseAfterFailure(failures: number, answer: Answer | undefined): number {
  const pauseMs = Math.min(FIRST_PAUSE_MS * GROWTH ** (failures - 1), LONGEST_PAUSE_MS)
  return Math.max(pauseMs, answer?.retryAfterMs ?? 0)
}

/** How long to leave a host alone after an answer: a host that answers slowly is given as much time as it took. */
export function pauseAfterAnswer(delayMs: number, answer: Answer | undefined): number {
  if (answer === undefined) return delayMs
  return Math.max(delayMs, answer.retryAfterMs ?? 0, answer.tookMs > SLOW_MS ? answer.tookMs : 0)
}
