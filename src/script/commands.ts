import { said } from '../base/messages/message.ts'
import { BLANK, CR, TAB } from '../base/structures/bytes.ts'
import { closest } from '../base/words/closest.ts'
import { quoted } from '../base/words/printable.ts'

/** The command language (docs/rules.md, 2): what each command takes, and an example of it. */
const SHAPES = {
  ADD_URLS: { takes: ['<n>'], example: 'ADD_URLS 10' },
  ESCALONA_TUDO: { takes: [], example: 'ESCALONA_TUDO' },
  ESCALONA: { takes: ['<n>'], example: 'ESCALONA 10' },
  ESCALONA_HOST: { takes: ['<host>', '<n>'], example: 'ESCALONA_HOST globo.com 10' },
  VER_HOST: { takes: ['<host>'], example: 'VER_HOST globo.com' },
  LISTA_HOSTS: { takes: [], example: 'LISTA_HOSTS' },
  LIMPA_HOST: { takes: ['<host>'], example: 'LIMPA_HOST globo.com' },
  LIMPA_TUDO: { takes: [], example: 'LIMPA_TUDO' },
} as const satisfies Record<string, { takes: readonly ('<host>' | '<n>')[]; example: string }>

type CommandName = keyof typeof SHAPES

const NAMES = Object.keys(SHAPES) as CommandName[]

/** A part of a line, in the bytes that the line is in. */
export interface Word {
  readonly start: number
  readonly end: number
}

export interface ScriptCommand {
  readonly name: CommandName
  /** Where the command has no host, an empty word. */
  readonly host: Word
  /** Where the command has no number, 0. */
  readonly n: number
}

/** Reads the line from `start` to `end`: a command, or in words what is wrong; nothing for a blank line. */
export function readCommand(bytes: Buffer, start: number, end: number): ScriptCommand | string | undefined {
  const parts = partsOf(bytes, start, end > start && bytes[end - 1] === CR ? end - 1 : end)
  const first = parts[0]
  if (first === undefined) return undefined
  const name = NAMES.find(known => isText(bytes, first, known))
  if (name === undefined) return unknown(bytes.subarray(first.start, first.end))

  const { takes, example } = SHAPES[name]
  const given = parts.slice(1)
  if (given.length < takes.length)
    return said('script/needs', { name, missing: takes.slice(given.length).join(' '), example })
  const extra = given[takes.length]
  if (extra !== undefined) {
    const shown = quoted(bytes.subarray(extra.start, extra.end))
    return takes.length === 0
      ? said('script/takes-nothing', { name, extra: shown })
      : said('script/takes-only', { name, wanted: takes.join(' '), extra: shown })
  }
  let host: Word = { start, end: start }
  let n = 0
  for (const [i, kind] of takes.entries()) {
    const word = given[i]!
    if (kind === '<host>') {
      host = word
      continue
    }
    n = numberOf(bytes, word)
    if (n < 0) {
      return said('script/not-a-number', { word: quoted(bytes.subarray(word.start, word.end)), example })
    }
  }
  return { name, host, n }
}

/** Whether ADD_URLS was meant by this line, which is not a command. */
export function isUnknownAdd(line: Buffer): boolean {
  const [first] = partsOf(line, 0, line.length)
  return first !== undefined && closestTo(line.subarray(first.start, first.end)) === 'ADD_URLS'
}

export function isUrl(line: Buffer): boolean {
  return /^[ \t]*https?:\/\//i.test(line.toString('latin1', 0, 64))
}

function closestTo(word: Uint8Array): CommandName | undefined {
  return closest(Buffer.from(word.subarray(0, 64)).toString('latin1'), NAMES) as CommandName | undefined
}

function unknown(word: Uint8Array): string {
  const meant = closestTo(word)
  return meant === undefined
    ? said('script/unknown-command', { word: quoted(word), names: NAMES })
    : said('script/did-you-mean', { word: quoted(word), name: meant })
}

/** At most one word more than any command has: a line of a million words is wrong for the same reason. */
function partsOf(bytes: Buffer, start: number, end: number): Word[] {
  const parts: Word[] = []
  for (let at = start; at < end && parts.length < 4; ) {
    while (at < end && isGap(bytes[at]!)) at++
    const from = at
    while (at < end && !isGap(bytes[at]!)) at++
    if (at > from) parts.push({ start: from, end: at })
  }
  return parts
}

function isGap(byte: number): boolean {
  return byte === BLANK || byte === TAB
}

function isText(bytes: Buffer, word: Word, text: string): boolean {
  return word.end - word.start === text.length && bytes.toString('latin1', word.start, word.end) === text
}

/** The number that a word is, or -1. A number too large to count with means everything. */
function numberOf(bytes: Buffer, word: Word): number {
  let n = 0
  for (let at = word.start; at < word.end; at++) {
    const digit = bytes[at]! - 0x30
    if (digit < 0 || digit > 9) return -1
    n = Math.min(n * 10 + digit, Number.MAX_SAFE_INTEGER)
  }
  return n
}
