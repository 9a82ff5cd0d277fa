// Answers made from a grammar: every odd part of a head, a length or a chunk, in answers that are otherwise right, with both ends of lines.
import type { RandomSource } from '../model/random-source.ts'

export interface RawAnswer {
  /** What is odd about it: names of `ODD`, or `damaged`. */
  readonly odd: readonly string[]
  readonly bytes: Buffer
}

export const BODY = 'some words of a body '.repeat(20)
const LENGTH = String(BODY.length)
const CHUNKED = 'Transfer-Encoding: chunked'

/** Ends of lines: of the status line, of headers, of the head. */
const LINE_ENDS = {
  '': ['\r\n', '\r\n', '\r\n'],
  'line ends: LF': ['\n', '\n', '\n'],
  'line ends: LF after the status': ['\n', '\r\n', '\r\n'],
  'line ends: LF after headers': ['\r\n', '\n', '\r\n'],
  'line ends: LF after the head': ['\r\n', '\r\n', '\n'],
  'line ends: CR CR LF': ['\r\r\n', '\r\n', '\r\n'],
} as const

const STATUS_LINES = {
  '': 'HTTP/1.1 200 OK',
  'status: 1.0': 'HTTP/1.0 200 OK',
  'status: no reason': 'HTTP/1.1 200',
  'status: Latin-1 reason': 'HTTP/1.1 200 \xe9t\xe9',
  'status: control characters in the reason': 'HTTP/1.1 200 A\x1bB',
  'status: 404': 'HTTP/1.1 404 Not Found',
  'status: 999': 'HTTP/1.1 999 Odd',
  'status: two blanks': 'HTTP/1.1  200 OK',
  'status: tab': 'HTTP/1.1\t200 OK',
  'status: lower case': 'http/1.1 200 OK',
  'status: version 1.2': 'HTTP/1.2 200 OK',
  'status: version 3.7': 'HTTP/3.7 200 OK',
  'status: version 1': 'HTTP/1 200 OK',
  'status: four digits': 'HTTP/1.1 2000 OK',
  'status: two digits': 'HTTP/1.1 20 OK',
  'status: none': 'HTTP/1.1',
  'status: not HTTP': 'ICY 200 OK',
  'status: blank before': ' HTTP/1.1 200 OK',
} as const

const BEFORE = {
  '': '',
  'before: an empty line': '\r\n',
  'before: two empty lines': '\r\n\r\n',
  'before: 100': 'HTTP/1.1 100 Continue\r\n\r\n',
  'before: 100 with headers': 'HTTP/1.1 100 Continue\r\nX: y\r\nContent-Length: 3\r\n\r\n',
  'before: 100 twice': 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n',
  'before: 100 with LF': 'HTTP/1.1 100 Continue\n\n',
  'before: 102': 'HTTP/1.1 102 Processing\r\n\r\n',
  'before: 103': 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n',
  'before: 199': 'HTTP/1.1 199 Odd\r\n\r\n',
  'before: 101': 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n',
  'before: junk': 'junk\r\n',
} as const

const HEADERS = {
  'header: folded': ['X-A: a', ' b'],
  'header: folded with a tab': ['X-A: a', '\tb'],
  'header: folded twice': ['X-A:', ' a', '  b  '],
  'header: folded type': ['Content-Type:', ' text/html'],
  'header: folded with nothing': ['X-A: a', ' '],
  'header: folded before the first': [' a: b'],
  'header: no colon': ['no colon'],
  'header: no colon, folded': ['X-B: c', 'no colon', ' b'],
  'header: no name': [': a'],
  'header: blank before the colon': ['X-A : a'],
  'header: blank in the name': ['X A: a'],
  'header: name with brackets': ['X(A): a'],
  'header: name in Latin-1': ['X\xe9: a'],
  'header: control character in the name': ['X\x01: a'],
  'header: control character': ['X-A: a\x01b'],
  'header: escape': ['X-A: a\x1b[31mb'],
  'header: DEL': ['X-A: a\x7fb'],
  'header: NUL': ['X-A: a\0b'],
  'header: CR': ['X-A: a\rb'],
  'header: Latin-1': ['X-A: a\xe9b'],
  'header: empty': ['X-A:'],
  'header: blanks': ['X-A:    \t  a \t '],
  'header: HTML': ['<!doctype html>'],
  'header: a warning of PHP': ['<b>Warning</b>: in /x.php on line <b>3</b><br />'],
  'header: 100 of them': Array.from({ length: 100 }, (_, i) => `X-${i}: v`),
  'header: 33 KiB': [`X: ${'y'.repeat(33_000)}`],
  'header: 20 KiB': [`X: ${'y'.repeat(20_000)}`],
  'header: coded as none': ['Content-Encoding: none'],
} as const

const LENGTHS = {
  '': [`Content-Length: ${LENGTH}`],
  'length: lower case': [`content-length:${LENGTH}`],
  'length: zeros': [`Content-Length: 000${LENGTH}`],
  'length: blank after': [`Content-Length: ${LENGTH} `],
  'length: twice': [`Content-Length: ${LENGTH}`, `Content-Length: ${LENGTH}`],
  'length: list': [`Content-Length: ${LENGTH}, ${LENGTH}`],
  'length: list without blanks': [`Content-Length: ${LENGTH},${LENGTH},${LENGTH}`],
  'length: folded': ['Content-Length:', ` ${LENGTH}`],
  'length: none': [],
  'length: differing': ['Content-Length: 7', 'Content-Length: 9'],
  'length: differing list': ['Content-Length: 7, 9'],
  'length: plus': [`Content-Length: +${LENGTH}`],
  'length: minus': ['Content-Length: -7'],
  'length: two numbers': ['Content-Length: 7 7'],
  'length: folded number': ['Content-Length: 7', ' 7'],
  'length: hexadecimal': ['Content-Length: 0x7'],
  'length: fraction': ['Content-Length: 7.0'],
  'length: letters': ['Content-Length: seven'],
  'length: empty': ['Content-Length:'],
  'length: too large': ['Content-Length: 99999999999999999999999'],
  'length: blank before the colon': [`Content-Length : ${LENGTH}`],
  'length: control character in the name': [`Content-Length\x0b: ${LENGTH}`],
  'length: beside chunks': ['Content-Length: 7', CHUNKED],
  'length: after chunks': [CHUNKED, 'Content-Length: 7'],
} as const

const TRANSFERS = {
  '': [CHUNKED],
  'transfer: upper case': ['TRANSFER-ENCODING: CHUNKED'],
  'transfer: blanks': ['Transfer-Encoding: \t chunked  '],
  'transfer: folded': ['Transfer-Encoding:', ' chunked'],
  'transfer: twice': [CHUNKED, CHUNKED],
  'transfer: list': ['Transfer-Encoding: chunked, chunked'],
  'transfer: comma after': ['Transfer-Encoding: chunked, '],
  'transfer: comma before': ['Transfer-Encoding: , chunked'],
  'transfer: identity': ['Transfer-Encoding: identity'],
  'transfer: identity beside a length': ['Transfer-Encoding: identity', `Content-Length: ${LENGTH}`],
  'transfer: identity, chunked': ['Transfer-Encoding: identity, chunked'],
  'transfer: unknown': ['Transfer-Encoding: odd'],
  'transfer: unknown and chunked': ['Transfer-Encoding: odd, chunked'],
  'transfer: chunked first': ['Transfer-Encoding: chunked, odd'],
  'transfer: xchunked': ['Transfer-Encoding: xchunked'],
  'transfer: quoted': ['Transfer-Encoding: "chunked"'],
  'transfer: blank before the colon': ['Transfer-Encoding : chunked'],
  'transfer: empty': ['Transfer-Encoding:'],
} as const

const HALF = BODY.length >> 1
const SIZE = HALF.toString(16)
/** Of two chunks: what is around the data of the first, and the end. */
const CHUNKS = {
  '': [`${SIZE}\r\n`, '\r\n', '0\r\n\r\n'],
  'chunk: upper case': [`${SIZE.toUpperCase()}\r\n`, '\r\n', '0\r\n\r\n'],
  'chunk: zeros': [`0000${SIZE}\r\n`, '\r\n', '000\r\n\r\n'],
  'chunk: 40 zeros': [`${'0'.repeat(40)}${SIZE}\r\n`, '\r\n', '0\r\n\r\n'],
  'chunk: extension': [`${SIZE};a=b\r\n`, '\r\n', '0;c\r\n\r\n'],
  'chunk: quoted extension': [`${SIZE};a="b c"\r\n`, '\r\n', '0\r\n\r\n'],
  'chunk: blank before the extension': [`${SIZE} ; a=b\r\n`, '\r\n', '0\r\n\r\n'],
  'chunk: padded with blanks': [`${SIZE}   \r\n`, '\r\n', '0   \r\n\r\n'],
  'chunk: LF after the size': [`${SIZE}\n`, '\r\n', '0\r\n\r\n'],
  'chunk: LF after the data': [`${SIZE}\r\n`, '\n', '0\r\n\r\n'],
  'chunk: LF everywhere': [`${SIZE}\n`, '\n', '0\n\n'],
  'chunk: CR CR LF after the data': [`${SIZE}\r\n`, '\r\r\n', '0\r\n\r\n'],
  'chunk: CR CR LF after the size': [`${SIZE}\r\r\n`, '\r\n', '0\r\n\r\n'],
  'chunk: nothing after the data': [`${SIZE}\r\n`, '', '0\r\n\r\n'],
  'chunk: blank before the size': [` ${SIZE}\r\n`, '\r\n', '0\r\n\r\n'],
  'chunk: 0x': [`0x${SIZE}\r\n`, '\r\n', '0\r\n\r\n'],
  'chunk: minus': [`-${SIZE}\r\n`, '\r\n', '0\r\n\r\n'],
  'chunk: letters after the size': [`${SIZE}xyz\r\n`, '\r\n', '0\r\n\r\n'],
  'chunk: empty size': ['\r\n', '\r\n', '0\r\n\r\n'],
  'chunk: too large': [`fffffffffffffffff\r\n`, '\r\n', '0\r\n\r\n'],
  'chunk: longer than its size': ['3\r\n', '\r\n', '0\r\n\r\n'],
  'chunk: trailer': [`${SIZE}\r\n`, '\r\n', '0\r\nX-T: v\r\n\r\n'],
  'chunk: folded trailer': [`${SIZE}\r\n`, '\r\n', '0\r\nX-T: v\r\n w\r\n\r\n'],
  'chunk: bad trailer': [`${SIZE}\r\n`, '\r\n', '0\r\nbad trailer\r\n\r\n'],
  'chunk: trailer with a length': [`${SIZE}\r\n`, '\r\n', '0\r\nContent-Length: 3\r\n\r\n'],
  'chunk: LF after the trailer': [`${SIZE}\r\n`, '\r\n', '0\r\nX-T: v\n\n'],
  'chunk: no end of trailers': [`${SIZE}\r\n`, '\r\n', '0\r\n'],
  'chunk: no last one': [`${SIZE}\r\n`, '\r\n', ''],
  'chunk: bytes after the last': [`${SIZE}\r\n`, '\r\n', '0\r\n\r\nmore'],
} as const

interface Parts {
  readonly before?: keyof typeof BEFORE
  readonly status?: keyof typeof STATUS_LINES
  readonly header?: keyof typeof HEADERS | ''
  readonly length?: keyof typeof LENGTHS
  readonly transfer?: keyof typeof TRANSFERS
  readonly chunk?: keyof typeof CHUNKS
  readonly ends?: keyof typeof LINE_ENDS
}

/** A chunked answer if `transfer` or `chunk` is named. */
function answerOf(parts: Parts): RawAnswer {
  const { before = '', status = '', header = '', length = '', transfer, chunk, ends = '' } = parts
  const [afterStatus, afterHeader, afterHead] = LINE_ENDS[ends]
  const isChunked = transfer !== undefined || chunk !== undefined
  const framing = isChunked ? TRANSFERS[transfer ?? ''] : LENGTHS[length]
  const headers = [...(header === '' ? [] : HEADERS[header]), 'Content-Type: text/html', ...framing]
  const text = [
    `${BEFORE[before]}${STATUS_LINES[status]}${afterStatus}`,
    headers.map(line => line + afterHeader).join(''),
    afterHead,
    isChunked && !transfer?.includes('length') ? chunkedBody(chunk ?? '') : BODY,
  ].join('')
  const odd = [before, status, header, isChunked ? '' : length, transfer ?? '', chunk ?? '', ends]
  return { odd: odd.filter(name => name !== ''), bytes: Buffer.from(text, 'latin1') }
}

function chunkedBody(chunk: keyof typeof CHUNKS): string {
  const [size, end, last] = CHUNKS[chunk]
  const second = BODY.length - HALF
  return `${size}${BODY.slice(0, HALF)}${end}${second.toString(16)}\r\n${BODY.slice(HALF)}\r\n${last}`
}

function keysOf<Key extends string>(table: Readonly<Record<Key, unknown>>): Key[] {
  return Object.keys(table) as Key[]
}

/** Every odd part with every end of lines, each odd part of a head with both kinds of framing, and with a few odd ones. */
export function grammarAnswers(): RawAnswer[] {
  const frames: readonly Parts[] = [
    ...keysOf(LENGTHS).map(length => ({ length })),
    ...keysOf(TRANSFERS).map(transfer => ({ transfer })),
    ...keysOf(CHUNKS).map(chunk => ({ chunk })),
  ]
  const heads: readonly Parts[] = [
    ...keysOf(BEFORE).map(before => ({ before })),
    ...keysOf(STATUS_LINES).map(status => ({ status })),
    ...keysOf(HEADERS).map(header => ({ header })),
  ]
  const ends = keysOf(LINE_ENDS).map(one => ({ ends: one }))
  const some: readonly Parts[] = [
    { length: 'length: twice' },
    { length: 'length: none' },
    { length: 'length: differing' },
    { chunk: 'chunk: LF everywhere' },
    { chunk: 'chunk: extension' },
  ]
  const all = [
    ...frames.flatMap(frame => ends.map(end => ({ ...frame, ...end }))),
    ...heads.flatMap(head =>
      ends.flatMap(end => [
        { ...head, ...end },
        { ...head, ...end, chunk: '' as const },
      ]),
    ),
    ...heads.flatMap(head => some.map(frame => ({ ...head, ...frame }))),
  ]
  return [...new Map(all.map(answerOf).map(answer => [answer.bytes.toString('latin1'), answer])).values()]
}

/** An answer of the grammar with a few bytes changed, or cut. */
export function damagedAnswer(chance: RandomSource, answers: readonly RawAnswer[]): RawAnswer {
  const { odd, bytes } = chance.pick(answers)
  const damaged = Buffer.from(bytes)
  const headBytes = Math.min(damaged.length, 150)
  for (let i = 1 + chance.below(3); i > 0; i--)
    damaged[chance.below(headBytes)] = chance.pick([10, 13, 32, 9, 0, 58, 44, 59, 48, 65, 127, 255, chance.below(256)])
  const cut = chance.chance(0.3) ? chance.below(damaged.length) : damaged.length
  return { odd: [...odd, 'damaged'], bytes: damaged.subarray(0, cut) }
}
