import type { Answer } from './job.ts'

/** An answer that takes longer than this is slow. */
export const SLOW_MS = 1000

/** Statuses by which a host says that it cannot serve now, or wants to be left alone. Any other status counts as an answer. */
export const TROUBLE: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** How long to leave a host alone after an answer: at least as long as a slow answer took. */
export function pauseAfterAnswer(delayMs: number, answer: Answer): number {
  return Math.max(delayMs, answer.retryAfterMs ?? 0, answer.tookMs > SLOW_MS ? answer.tookMs : 0)
}
