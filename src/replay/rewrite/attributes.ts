import { decodeHTMLAttribute } from 'entities/decode'
import type { TagReader } from '../../extract/tag-reader.ts'
import type { Addresses } from './addresses.ts'
import type { AddressUse } from './at-path.ts'
import { rewriteCss } from './css.ts'
import { escaped } from './page-output.ts'

/** Never written, like all that begin with `on`: they run, lead away, load, or no longer apply. */
const LEFT_OUT: ReadonlySet<string> = new Set(
  (
    'action archive attributionsrc autofocus autoplay cite classid code codebase crossorigin csp data download dynsrc ' +
    'formaction formmethod formtarget imagesrcset imagesizes integrity is itemid itemtype longdesc lowsrc manifest method nonce ' +
    'ping popovertarget poster profile referrerpolicy shadowrootmode slot srcdoc srclang target xml:base xmlns accesskey loading'
  ).split(' '),
)

/** They may look like an address, but nothing ever follows them. */
const TEXTS: ReadonlySet<string> = new Set(
  'abbr alt class content datetime for headers id label name placeholder summary title value'.split(' '),
)

/** What could be an address. Tabs and line ends in it don't count. */
const NAMES_A_PLACE = /[/\\][\t\n\r]*[/\\]|^[\0- ]*[a-z][a-z\d+.\t\n\r-]*:/i

/** Elements whose `href` is a link; elsewhere in SVG, it names a thing in the same document. */
const LINKS: ReadonlySet<string> = new Set(['a', 'area'])
const PICTURES: ReadonlySet<string> = new Set(['image', 'feimage', 'use'])

/** Undefined: it is left out. */
export function writtenAttribute(
  element: string,
  name: string,
  value: string,
  addresses: Addresses,
): string | undefined {
  if (name.startsWith('on') || LEFT_OUT.has(name)) return undefined
  if (name === 'style') return attribute(name, rewriteCss(value, addresses))
  if (name === 'srcset') return attribute(name, archivedSources(value, addresses))
  const use = useOf(element, name)
  if (use !== undefined) {
    const path = use === 'none' ? undefined : addresses.archived(value, use)
    return path === undefined ? undefined : attribute(name, path)
  }
  if (TEXTS.has(name) || name.startsWith('aria-')) return attribute(name, value)
  const plain = /[\\(]/.test(value) ? rewriteCss(value, addresses) : value
  return NAMES_A_PLACE.test(plain) ? undefined : attribute(name, plain)
}

/** `none`: it isn't shown; undefined: it isn't an address. */
function useOf(element: string, name: string): AddressUse | 'none' | undefined {
  switch (name) {
    case 'href':
    case 'xlink:href':
      if (LINKS.has(element)) return 'page'
      return element === 'link' ? 'style' : PICTURES.has(element) ? 'image' : 'none'
    case 'src':
      return element === 'img' || element === 'input' ? 'image' : 'none'
    case 'background':
      return 'image'
    default:
      return undefined
  }
}

export function attribute(name: string, value: string): string {
  return ` ${name}="${escaped(value)}"`
}

const MOST_SOURCES = 100

/** HTML standard, parse a srcset attribute: addresses without blanks, each with an optional descriptor, divided by commas. */
function archivedSources(value: string, addresses: Addresses): string {
  const sources: string[] = []
  const pattern = /[\s,]*([^\s,]\S*)([^,]*)/y
  for (let found = pattern.exec(value); found !== null && sources.length < MOST_SOURCES; found = pattern.exec(value)) {
    const [, address = '', rest = ''] = found
    const bare = address.replace(/,+$/, '')
    // A comma at its end is where the next one begins.
    if (bare !== address) pattern.lastIndex -= rest.length
    const path = addresses.archived(bare, 'image')
    const size = bare === address ? (/^\s*(\d+(?:\.\d+)?[wx])\s*$/.exec(rest)?.[1] ?? '') : ''
    if (path !== undefined && !path.startsWith('#')) sources.push(`${path} ${size}`.trim())
  }
  return sources.join(', ')
}

/** In their order: names in lower case, values without references. */
export type Attributes = ReadonlyMap<string, string>

const MOST_ATTRIBUTES = 200
const MOST_NAME_BYTES = 40
const NAME = /^[a-z][a-z\d:_.-]*$/

/** Undefined for a name that no element has. */
export function elementName({ at }: TagReader, start: number, bytes: Buffer): string | undefined {
  return nameIn(bytes, start, at)
}

/** The first attribute of a name counts. */
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
