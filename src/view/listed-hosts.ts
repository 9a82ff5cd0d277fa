import type { HostFilter, ListedHost } from './questions/host-shapes.ts'
import type { Source } from './questions/questions.ts'

const HOSTS_AT_ONCE = 500

/** The known hosts, page by page. `check` is called before each page. */
export async function* hostsOf(
  source: Source,
  { host }: HostFilter,
  check: () => void = () => {},
): AsyncGenerator<ListedHost> {
  for (let after: string | undefined; ; ) {
    check()
    const page = await source.ask('listHosts', { page: { after, limit: HOSTS_AT_ONCE }, host })
    yield* page.items
    after = page.next
    if (after === undefined) return
  }
}
