import type { FrontierViews, HostView } from '../../frontier/frontier.ts'

const AT_ONCE = 2000

/** Iterates over all hosts that a frontier knows, page by page. */
export async function* allHosts(frontier: Pick<FrontierViews, 'hosts'>): AsyncGenerator<HostView> {
  let after: string | undefined
  do {
    const page = await frontier.hosts({ ...(after !== undefined && { after }), limit: AT_ONCE })
    yield* page.items
    after = page.next
  } while (after !== undefined)
}
