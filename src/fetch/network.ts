import { isIPv4, isIPv6 } from 'node:net'
import { EscalonaError } from '../base/errors.ts'

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
