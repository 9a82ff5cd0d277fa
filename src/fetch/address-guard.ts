import { isIP, isIPv4, isIPv6 } from 'node:net'
import { EscalonaError } from '../base/errors.ts'

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

/** Names that the public DNS doesn't have: single labels (RFC 7085), reserved ones (RFC 6762, RFC 8375, ICANN), and those that private networks use instead. */
const PRIVATE_NAME = /^[^.]*$|\.(?:local|internal|home\.arpa|localdomain|lan|corp|home|intranet|private|svc)$/

/** Which addresses may be connected to: public ones, and those in networks that the user allowed. */
export class AddressGuard {
  private readonly allowed

  constructor(allowNetworks: readonly string[] = []) {
    this.allowed = allowNetworks.map(parseNetwork)
  }

  /** False for a text that isn't an address. */
  isAllowed(ip: string): boolean {
    const bytes = addressBytes(ip)
    if (bytes === undefined) return false
    if (this.allowed.some(network => isInside(bytes, network))) return true
    if (bytes.length === 4) return this.isAllowedV4(bytes)
    if (WRAPPED_V4.some(network => isInside(bytes, network))) return this.isAllowedV4(bytes.subarray(12))
    return isInside(bytes, GLOBAL_V6) && !SPECIAL_V6.some(network => isInside(bytes, network))
  }

  /**
   * Through a proxy, which looks the name up itself, only the name can be judged. A name of private networks is allowed if the user allowed any
   * network, since there is no telling which one it is in.
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

/** A range of addresses: all that begin with the first `bits` bits of `bytes` (4 of them for IPv4, 16 for IPv6). */
export interface Network {
  readonly bytes: Uint8Array
  readonly bits: number
}

/** Parses `10.0.0.0/8`, `fd00::/8`, or a bare address, which means itself alone. Bits after the prefix are ignored. */
export function parseNetwork(text: string): Network {
  const [address = '', bits, ...rest] = text.trim().split('/')
  const bytes = addressBytes(address)
  if (bytes === undefined || rest.length > 0) throw badNetwork(text)
  if (bits === undefined) return { bytes, bits: bytes.length * 8 }
  if (!/^\d{1,3}$/.test(bits) || Number(bits) > bytes.length * 8) throw badNetwork(text)
  return { bytes, bits: Number(bits) }
}

export function isInside(bytes: Uint8Array, network: Network): boolean {
  if (bytes.length !== network.bytes.length) return false
  const whole = network.bits >> 3
  for (let i = 0; i < whole; i++) if (bytes[i] !== network.bytes[i]) return false
  const mask = (0xff00 >> (network.bits & 7)) & 0xff
  return mask === 0 || ((bytes[whole]! ^ network.bytes[whole]!) & mask) === 0
}

/** The 4 or 16 bytes of an address in text form; undefined when it is not one. A zone (`%eth0`) is ignored. */
export function addressBytes(text: string): Uint8Array | undefined {
  if (isIPv4(text)) return Uint8Array.from(text.split('.'), Number)
  if (!isIPv6(text)) return undefined
  const plain = withHexTail(text.split('%', 1)[0]!)
  const [head = '', tail] = plain.split('::')
  const front = groupsOf(head)
  const back = groupsOf(tail ?? '')
  const groups = [...front, ...Array<number>(8 - front.length - back.length).fill(0), ...back]
  return Uint8Array.from(groups.flatMap(group => [group >> 8, group & 0xff]))
}

function groupsOf(text: string): number[] {
  return text === '' ? [] : text.split(':').map(group => Number.parseInt(group, 16))
}

/** `::ffff:1.2.3.4` as `::ffff:102:304`. */
function withHexTail(text: string): string {
  if (!text.includes('.')) return text
  const colon = text.lastIndexOf(':')
  const [a = 0, b = 0, c = 0, d = 0] = text
    .slice(colon + 1)
    .split('.')
    .map(Number)
  return `${text.slice(0, colon + 1)}${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
}

function badNetwork(text: string): EscalonaError {
  return new EscalonaError('FETCH_BAD_NETWORK', { text: text.slice(0, 60) })
}
