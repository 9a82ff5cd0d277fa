import { getDomain } from 'tldts'

/** An address, or a name without a suffix, is its own domain. */
export function registrableDomain(host: string): string {
  const name = host.replace(/:\d*$/, '')
  return getDomain(name) ?? name
}
