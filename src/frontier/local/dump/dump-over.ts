import { domainHash } from '../../domain-hash.ts'
import type { DumpOver } from '../../dump.ts'
import { OverLinks } from '../../over-records.ts'
import { DONE, FORGOTTEN, type LinkId, PAGE } from '../memory/links.ts'
import type { FrontierState } from '../state/state.ts'
import { GroupedLinks } from './grouped-links.ts'
import type { LinkHomes } from './link-homes.ts'

/** The links of which only the fingerprint is left, by part. */
export function* dumpOver(state: FrontierState, homes: LinkHomes): Generator<DumpOver> {
  const { links, hosts, parts } = state
  const over = new GroupedLinks(state, homes, link => isOnlyFingerprint(links.state(link)))
  const partOf = new Float64Array(hosts.known + 1)
  for (let host = 1; host <= hosts.known; host++) partOf[host] = domainHash(hosts.text(host)) % parts
  const byPart = Int32Array.from({ length: hosts.known }, (_, n) => n + 1).sort((a, b) => partOf[a]! - partOf[b]!)
  for (let from = 0; from < byPart.length; ) {
    const part = partOf[byPart[from]!]!
    const group = new OverLinks()
    for (; from < byPart.length && partOf[byPart[from]!] === part; from++) {
      for (const link of over.of(byPart[from]!)) group.add(endOf(state, link), homes.low(link), homes.high(link))
    }
    yield* group.records(part)
  }
}

function isOnlyFingerprint(state: number): boolean {
  return state === PAGE || state === DONE || state === FORGOTTEN
}

const IS_PAGE = { done: 'page' } as const
const IS_OTHER = { done: 'other' } as const

function endOf({ links, refusals }: FrontierState, link: LinkId): DumpOver['end'] {
  switch (links.state(link)) {
    case PAGE:
      return IS_PAGE
    case DONE:
      return IS_OTHER
    default:
      return { refused: refusals.reasons[links.reason(link)]! }
  }
}
