import type { Clock } from '../../base/clock.ts'
import type { Frontier, FrontierOptions } from '../frontier.ts'

/** What can be seen of a frontier. */
export type FrontierView = Pick<
  Frontier,
  'counts' | 'backlog' | 'explain' | 'host' | 'hosts' | 'link' | 'waiting' | 'links' | 'outlook' | 'noted' | 'close'
>

/** `retries` and `delayMs` as its owner has them: they decide who counts as down, and the delays of the backlog. */
export interface ReadOnlyOptions extends Pick<FrontierOptions, 'retries' | 'delayMs'> {
  readonly folder: string
  /** Now, in milliseconds since 1970; the machine's clock when nothing is said. */
  readonly clock?: Clock
}

/**
 * Reads a frontier's folder as it is now, without its lock and without changing anything, also while another process writes
 * it. What that process does afterwards is not seen: open it again. Notes are not kept in the folder, so `noted` finds nothing.
 */
export async function openLocalReadOnly(_options: ReadOnlyOptions): Promise<FrontierView> {
  throw new Error('being built')
}
