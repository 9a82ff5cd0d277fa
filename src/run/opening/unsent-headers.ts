import { OwnHeaders } from '../../fetch/own-headers.ts'
import { type HostSettings, hostHeaders } from '../../settings/host-settings.ts'

/** A header of a host's settings that no seed gets. */
export interface UnsentHeader {
  readonly name: string
  /** As it was given. */
  readonly host: string
  /** The origin of a seed with that host name but another port or over http; undefined: no seed is on that host. */
  readonly origin: string | undefined
  /** How to name the host so that this origin gets the header. */
  readonly instead: string | undefined
}

/** The headers that no seed gets, because no seed is on their host, its port differs, or it is asked over http. */
export function unsentHeaders(all: readonly HostSettings[], seeds: readonly string[]): UnsentHeader[] {
  const given = hostHeaders(all)
  if (given.length === 0) return []
  const origins = [...new Set(seeds.map(seed => new URL(seed).origin))]
  return given.flatMap(one => {
    const own = new OwnHeaders([one])
    const sent = new Set(origins.flatMap(origin => own.of(origin)))
    const near = origins.find(origin => isOn(origin, one.host))
    const instead = near && namedAs(near, one.host)
    const unsent = Object.keys(one.headers).filter(name => !sent.has(name))
    return unsent.map(name => ({ name, host: one.host, origin: near, instead }))
  })
}

/** Whether an origin has the host name, whatever its scheme and port. */
function isOn(origin: string, host: string): boolean {
  const { hostname } = new URL(origin)
  const name = bareName(host)
  return isWildcard(host) ? hostname.endsWith(`.${name}`) : hostname === name
}

function namedAs(origin: string, host: string): string {
  if (!isWildcard(host)) return origin
  const { protocol, port } = new URL(origin)
  return `${protocol}//*.${bareName(host)}${port === '' ? '' : `:${port}`}`
}

function isWildcard(host: string): boolean {
  return /^\s*(?:https?:\/\/)?\*\./i.test(host)
}

/** The host name in lower case, without scheme, wildcard and port. */
function bareName(host: string): string {
  const rest = host.trim().replace(/^(?:https?:\/\/)?(?:\*\.)?/i, '')
  return new URL(`http://${rest}`).hostname
}
