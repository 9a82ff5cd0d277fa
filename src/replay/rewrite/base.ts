import { BANG, DASH, isLetter, LESS } from '../../extract/markup-bytes.ts'
import { commentEnd, rawTextEnd, scriptEnd } from '../../extract/raw-text.ts'
import { TagReader } from '../../extract/tag-reader.ts'
import { attributesOf, elementName } from './tag-attributes.ts'

const RAW: ReadonlySet<string | undefined> = new Set(['style', 'textarea', 'title'])

/**
 * What the first `<base>` with an `href` says: it holds for the whole page, also for what stands before it. Looked for in the head
 * only: a page with one further down is as if it had none.
 */
export function baseIn(bytes: Buffer, isXml: boolean): string | undefined {
  const tag = new TagReader(bytes)
  let at = bytes.indexOf(LESS)
  while (at !== -1) {
    const nameStart = at + 1
    if (isLetter(bytes[nameStart])) {
      tag.begin(nameStart)
      const name = elementName(tag, nameStart, bytes)
      const href = name === 'base' ? attributesOf(tag, bytes).get('href') : undefined
      if (name !== 'base') tag.skip()
      if (tag.isCut || name === 'body') return undefined
      if (href !== undefined) return href
      at = tag.at
      if (name === 'script' && !isXml) at = scriptEnd(bytes, at)
      else if (RAW.has(name)) at = rawTextEnd(bytes, at, Buffer.from(name!))
    } else at = isComment(bytes, nameStart) ? commentEnd(bytes, nameStart + 3) : nameStart
    at = bytes.indexOf(LESS, at)
  }
  return undefined
}

function isComment(bytes: Buffer, at: number): boolean {
  return bytes[at] === BANG && bytes[at + 1] === DASH && bytes[at + 2] === DASH
}
