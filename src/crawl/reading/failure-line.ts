/** A line of `failures.jsonl`: a link that ended without a page. */
export interface FailureLine {
  readonly url: string
  /** The page on which it was found; undefined for a seed. */
  readonly from?: string
  /** The name of the reason: `status-404`, `robots`, `timeout` … */
  readonly reason: string
  readonly attempts: number
  /** The last HTTP status, if there was an answer. */
  readonly status?: number
  /** When it ended, in milliseconds since 1970. */
  readonly atMs: number
}

/** A line as it was read; `undefined` when it is not one of ours, or not whole. */
export function parseFailureLine(text: string): FailureLine | undefined {
  try {
    const line = JSON.parse(text) as FailureLine
    return typeof line.url === 'string' && typeof line.reason === 'string' ? line : undefined
  } catch {
    return undefined
  }
}
