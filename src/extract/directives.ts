import { productToken } from '../robots/groups.ts'

/** The strictest wins. */
export class Directives {
  noindex = false
  nofollow = false
  noarchive = false
  private readonly agent: string

  /** `agent`: the User-Agent, of which the product token counts. */
  constructor(agent: string) {
    this.agent = productToken(agent).toLowerCase()
  }

  readMeta(name: string, content: string): void {
    const whom = name.trim().toLowerCase()
    if (whom === 'robots' || (whom === this.agent && whom !== '')) this.read(content)
  }

  /** `noindex, nofollow` for everybody, `name: noindex, nofollow` for one crawler up to the next name. */
  readHeader(value: string): void {
    let isForUs = true
    for (const part of value.split(',')) {
      const [, name, rest] = ADDRESSED.exec(part) ?? []
      if (name === undefined || WITH_VALUE.test(name)) {
        if (isForUs) this.read(part)
        continue
      }
      isForUs = name === '*' || name.toLowerCase() === this.agent
      if (isForUs) this.read(rest!)
    }
  }

  private read(list: string): void {
    for (const word of list.toLowerCase().split(/[\s,]+/)) {
      if (word === 'noindex' || word === 'none') this.noindex = true
      if (word === 'nofollow' || word === 'none') this.nofollow = true
      if (word === 'noarchive') this.noarchive = true
    }
  }
}

const ADDRESSED = /^\s*([^\s:]+)\s*:(.*)$/s
/** Directives that have a colon themselves. */
const WITH_VALUE = /^(?:unavailable_after|max-(?:snippet|image-preview|video-preview))$/i

const REFRESH =
  /^[\t\n\f\r ]*[\d.]+(?=[\t\n\f\r ;,])[\t\n\f\r ]*[;,]?[\t\n\f\r ]*(?:url[\t\n\f\r ]*=[\t\n\f\r ]*)?(?:"([^"]*)|'([^']*)|(.*))/is

/** HTML standard, 4.2.5.3, shared declarative refresh steps; also for a `Refresh` header. */
export function refreshTarget(content: string): string | undefined {
  const [, doublyQuoted, quoted, bare] = REFRESH.exec(content) ?? []
  const target = doublyQuoted ?? quoted ?? bare
  return target === '' ? undefined : target
}

/** RFC 8288 3: a target in angle brackets, and its parameters. */
const LINK = /<([^<>]*)>([^<>]*)/g
const REL = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]*))/i

/** RFC 6596. */
export function canonicalTarget(linkHeaders: readonly string[]): string | undefined {
  for (const header of linkHeaders) {
    for (const [, target, parameters] of header.matchAll(LINK)) {
      const [, quoted, bare] = REL.exec(parameters!) ?? []
      const words = (quoted ?? bare ?? '').toLowerCase().split(/\s+/)
      // Headers are bytes; beyond ASCII they are UTF-8, as for browsers.
      if (words.includes('canonical')) return Buffer.from(target!, 'latin1').toString()
    }
  }
  return undefined
}

const HTML_LANG = /<html\b[^>]*?\s(?:xml:)?lang\s*=\s*["']?\s*([A-Za-z0-9-]{1,35})/i
const LOOKED_AT_BYTES = 2048
/** BCP 47, as far as it says something about the language: `pt-BR`, `zh-Hant`. */
const TAG = /^[a-z]{2,3}(?:-[a-z0-9]{2,8})?(?![a-z0-9])/

/** ISO 639-2: not determined, several, none, and any that has no code. */
const NO_LANGUAGE = /^(?:und|mul|zxx|mis)\b/

/** `pt-br`: from `<html lang>`, or else `Content-Language`; the first that names a language. */
export function languageOfPage(body: Uint8Array, contentLanguage: string | undefined): string | undefined {
  const start = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, LOOKED_AT_BYTES)).toString('latin1')
  return languageIn(HTML_LANG.exec(start)?.[1]) ?? languageIn(contentLanguage?.trim())
}

function languageIn(text = ''): string | undefined {
  const tag = TAG.exec(text.toLowerCase())?.[0]
  return tag === undefined || NO_LANGUAGE.test(tag) ? undefined : tag
}
