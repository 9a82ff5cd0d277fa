import { setImmediate as turn } from 'node:timers/promises'
import type { Commit } from '../decide/decision.ts'
import { foundOn } from '../decide/link-note.ts'
import type { FailureLine } from '../folder/failures-file.ts'
import type { FrontierViews, Link } from '../frontier/frontier.ts'

const AT_ONCE = 1000

/**
 * Writes a line for each link waiting at a host; the frontier is about to refuse them all. Returns how many there were. The host
 * must have an open ticket, so that nothing is leased meanwhile.
 */
export async function keepEndOfQueue(
  { host, reason, atMs }: NonNullable<Commit['gone']>,
  deps: {
    readonly frontier: FrontierViews
    readonly failures: { append(lines: readonly FailureLine[]): void }
  },
): Promise<number> {
  let links = 0
  let after: string | undefined
  do {
    const page = await deps.frontier.waiting(host, { ...(after !== undefined && { after }), limit: AT_ONCE })
    deps.failures.append(linesOfEnded(page.items, reason, atMs))
    links += page.items.length
    after = page.next
    // A frontier on this machine has it all in memory, and would keep the event loop busy.
    if (after !== undefined) await turn()
  } while (after !== undefined)
  return links
}

/** The lines of links that ended without having been asked for. */
export function linesOfEnded(links: readonly Link[], reason: string, atMs: number): FailureLine[] {
  return links.map(({ url, note }) => ({ url, ...fromOf(note), reason, atMs }))
}

function fromOf(note: string | undefined): { readonly from?: string } {
  const from = foundOn(note)
  return from === undefined ? {} : { from }
}
