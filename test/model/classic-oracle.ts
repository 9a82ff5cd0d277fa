// The classic URL rules with string operations, one statement a rule. A character stands for a byte (latin1).

export type NaiveVerdict =
  | { readonly kind: 'accepted'; readonly url: string; readonly host: string; readonly depth: number }
  | { readonly kind: 'refused'; readonly reason: Reason }

export type Reason = 'protocol' | 'malformed' | 'extension'

/** Judges a line that has lost its line end already. */
export function readClassicNaively(line: string): NaiveVerdict {
  const text = withoutBlanksAround(line)
  if (lowerAscii(text.slice(0, 7)) !== 'http://') return { kind: 'refused', reason: 'protocol' }
  const beforeFragment = text.slice(7).split('#')[0]!
  const named = beforeFragment.replace(/^www\./i, '')
  const host = named.split(/[/?]/)[0]!
  if (host === '' || [...named].some(isBlankOrControl)) return { kind: 'refused', reason: 'malformed' }
  const rest = named.slice(host.length).replace(/\/+$/, '')
  const path = rest.split('?')[0]!
  if (/\.(jpg|gif|mp3|avi|doc|pdf)$/i.test(path)) return { kind: 'refused', reason: 'extension' }
  const depth = path.split('/').length - 1
  return { kind: 'accepted', url: `http://${lowerAscii(host)}${rest}`, host: lowerAscii(host), depth }
}

/** The host that a word of a command means. */
export function readHostNaively(word: string): string {
  return lowerAscii(word.split(/[/?]/)[0]!.replace(/^www\./i, ''))
}

export function withoutBlanksAround(line: string): string {
  return line.replace(/^[ \t]+/, '').replace(/[ \t]+$/, '')
}

function isBlankOrControl(char: string): boolean {
  return char <= ' ' || char === '\x7f'
}

function lowerAscii(text: string): string {
  return text.replace(/[A-Z]/g, letter => letter.toLowerCase())
}
