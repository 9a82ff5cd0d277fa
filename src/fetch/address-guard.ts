import { isIP } from 'node:net'
import { addressBytes, isInside, parseNetwork } from './network.ts'

/** The ranges in the IANA registry of special-purpose IPv4 addresses, multicast, and the reserved end. */
const SPECIAL_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
].map(parseNetwork)

/** All public IPv6 addresses are in here; loopback, private, link-local and multicast ones are not. */
const GLOBAL_V6 = parseNetwork('2000::/3')

/** The special ranges in it: protocol assignments (with Teredo), documentation, and 6to4, which hides an IPv4 address. */
const SPECIAL_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map(parseNetwork)

/** IPv6 addresses that end in the IPv4 address they stand for: mapped ones, and those translated by NAT64. */
const WRAPPED_V4 = ['::ffff:0:0/96', '64:ff9b::/96'].map(parseNetwork)

/**
 * Names that the public DNS does not have: a single label (RFC 7085), those reserved by RFC 6762, RFC 8375 and ICANN, and those that
 * private networks use instead (RFC 6762 G, and `svc` of Kubernetes), none of which is a top-level domain.
 */
const PRIVATE_NAME = /^[^.]*$|\.(?:local|internal|home\.arpa|localdomain|lan|corp|home|intranet|private|svc)$/

/** Which addresses may be connected to: the public ones, and those in networks that the user allowed. */
export class AddressGuard {
  private readonly allowed

  constructor(allowNetworks: readonly string[] = []) {
    this.allowed = allowNetworks.map(parseNetwork)
  }

  /** Whether this address may be connected to; false for a text that is not an address. */
  isAllowed(ip: string): boolean {
    const bytes = addressBytes(ip)
    if (bytes === undefined) return false
    if (this.allowed.some(network => isInside(bytes, network))) return true
    if (bytes.length === 4) return this.isAllowedV4(bytes)
    if (WRAPPED_V4.some(network => isInside(bytes, network))) return this.isAllowedV4(bytes.subarray(12))
    return isInside(bytes, GLOBAL_V6) && !SPECIAL_V6.some(network => isInside(bytes, network))
  }

  /**
   * Whether a host may be asked through a proxy, which looks the name up itself, so only the name can be judged. A name that
   * only a private network can know is allowed if the user allowed any network, since there is no telling which one it is in.
   */
  isNameAllowed(name: string): boolean {
    const bare = name.replace(/^\[|\]$|\.$/g, '')
    if (isIP(bare) !== 0) return this.isAllowed(bare)
    if (bare === 'localhost' || bare.endsWith('.localhost')) return this.isAllowed('127.0.0.1')
    return this.allowed.length > 0 || !PRIVATE_NAME.test(bare)
  }

  private isAllowedV4(bytes: Uint8Array): boolean {
    if (this.allowed.some(network => isInside(bytes, network))) return true
    return !SPECIAL_V4.some(network => isInside(bytes, network))
  }
}
