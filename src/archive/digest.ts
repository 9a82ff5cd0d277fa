import { hash } from 'node:crypto'

/** Two UUIDs made from a name (version 8 of RFC 9562: ours to fill): the same name gives the same two, and no other does. */
export function uuidsOf(name: string): readonly [string, string] {
  const hex = hash('sha256', name, 'hex')
  return [uuid(hex, 0), uuid(hex, 32)]
}

function uuid(hex: string, at: number): string {
  const variant = '89ab'[Number.parseInt(hex[at + 16]!, 16) & 3]!
  const third = `8${hex.slice(at + 13, at + 16)}`
  const fourth = variant + hex.slice(at + 17, at + 20)
  return `${hex.slice(at, at + 8)}-${hex.slice(at + 8, at + 12)}-${third}-${fourth}-${hex.slice(at + 20, at + 32)}`
}
