import { decodeHTMLAttribute } from 'entities/decode'
import type { TagReader } from '../../extract/tag-reader.ts'

/** Attributes of a start tag in their order: names in lower case, values as text without references. */
export type Attributes = ReadonlyMap<string, string>

const MOST_ATTRIBUTES = 200
const MOST_NAME_BYTES = 40
const NAME = /^[a-z][a-z\d:_.-]*$/

/** The name of the tag that was begun, in lower case; undefined for one that no element has. */
export function elementName({ at }: TagReader, start: number, bytes: Buffer): string | undefined {
  return nameIn(bytes, start, at)
}

/** Reads the tag to its end. Of attributes with the same name, the first counts. */
export function attributesOf(tag: TagReader, bytes: Buffer): Attributes {
  const found = new Map<string, string>()
  while (tag.next()) {
    const name = found.size < MOST_ATTRIBUTES ? nameIn(bytes, tag.nameStart, tag.nameEnd) : undefined
    if (name !== undefined && !found.has(name))
      found.set(name, textOf(bytes.toString('utf8', tag.valueStart, tag.valueEnd)))
  }
  return found
}

function nameIn(bytes: Buffer, start: number, end: number): string | undefined {
  if (end - start > MOST_NAME_BYTES) return undefined
  const name = bytes.toString('latin1', start, end).toLowerCase()
  return NAME.test(name) ? name : undefined
}

function textOf(value: string): string {
  const text = value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value
  return text.includes('&') ? decodeHTMLAttribute(text) : text
}
