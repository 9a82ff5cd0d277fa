import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { WARCParser } from 'warcio'

/** A record as warcio reads it. */
export interface Seen {
  readonly fields: Readonly<Record<string, string>>
  /** First line of the HTTP message, when there is one. */
  readonly startLine: string | undefined
  readonly payload: Buffer
  readonly offset: number
  readonly length: number
}

/** All records as warcio reads them. */
export async function readByWarcio(bytes: Uint8Array): Promise<Seen[]> {
  const parser = new WARCParser([bytes] as unknown as AsyncIterable<Uint8Array>, { keepHeadersCase: true })
  const found: Omit<Seen, 'length'>[] = []
  for await (const record of parser) {
    const payload = Buffer.from(await record.readFully(false))
    found.push({
      fields: Object.fromEntries(record.warcHeaders.headers.entries()),
      startLine: record.httpHeaders?.statusline,
      payload,
      offset: parser.offset,
    })
  }
  return found.map((seen, i) => ({ ...seen, length: (found[i + 1]?.offset ?? bytes.length) - seen.offset }))
}

/** The other way to the same digest: Node's own hash, and base32 by the letter. */
export function slowSha1(bytes: Uint8Array): string {
  const bits = [...createHash('sha1').update(bytes).digest()].map(byte => byte.toString(2).padStart(8, '0')).join('')
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  return bits.replace(/.{5}/g, five => letters[Number.parseInt(five, 2)]!)
}

export function fieldOf(seen: Seen, name: string): string {
  const value = seen.fields[name]
  assert.ok(value !== undefined, `${name} is missing in ${JSON.stringify(seen.fields)}`)
  return value
}
