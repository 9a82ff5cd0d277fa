// Random command files with hostile lines. Few hosts and few paths, so that duplicates, emptied hosts and refilled
// hosts are the rule. A character stands for a byte (latin1) until the file is whole.
import { RandomSource } from './random-source.ts'

/** Around the lengths at which names are kept in another way. */
const LONG_HOSTS = [39, 40, 41, 44, 45, 48, 49, 200].map(length => 'n'.repeat(length))
const HOSTS = [
  'a.com',
  'b.com',
  'c.br',
  'a.com.br',
  'a.co',
  'a.com:80',
  'my.docs.com',
  '\xe9.com',
  'http:',
  ...LONG_HOSTS,
]
const ODD_HOSTS = [
  '',
  '.',
  'www',
  'www.',
  'w.a.com',
  'A.CoM',
  'x.pdf',
  '\xff\x80.org',
  'user@a.com',
  '[::1]:8080',
  '%41',
]
const PATHS = ['', '/', '/x', '/y', '/x/y', '/x/y/z', '/dir/', '//x', '/?q=1', '?q=1', '/p/q.html', '/x?y=/a/b']
const ENDINGS = ['.pdf', '.PDF', '.doc', '.jpg', '.Gif', '.mp3', '.avi', '.docx', '.jpeg', '.p', 'pdf', '.pdf.html']
const PROTOCOLS = [
  'HTTP://',
  'hTtP://',
  'https://',
  'ftp://',
  'http:/',
  'http:',
  'htt',
  '',
  'http:///',
  '//',
  'xhttp://',
]
const PREFIXES = ['www.', 'WWW.', 'wWw.', 'www.www.', 'ww.', 'www', 'wwww.']
const FRAGMENTS = ['#', '#top', '#a/b', '#a b', '#\x07', '##', '#.pdf', '#?']
const HOSTILE_BYTES = [
  ' ',
  '\t',
  '\0',
  '\r',
  '\x1b',
  '\x1f',
  '\x7f',
  '\x80',
  '\xff',
  '/',
  '?',
  '#',
  '.',
  '%',
  '\xef\xbb\xbf',
]
const BLANKS = [' ', '\t', '  ', ' \t ', '\t\t']
const NUMBERS = ['0', '1', '1', '2', '3', '5', '00', '007', '99', '4294967296', '18446744073709551616', '9'.repeat(400)]
const NO_NUMBERS = [
  '-1',
  '+1',
  '1.5',
  '1e3',
  '0x10',
  'x',
  '1,000',
  '1_0',
  '\xb2',
  '1\0',
  'NaN',
  'Infinity',
  '\xef\xbc\x91',
]
const COMMANDS = [
  'ADD_URLS',
  'ESCALONA_TUDO',
  'ESCALONA',
  'ESCALONA_HOST',
  'VER_HOST',
  'LISTA_HOSTS',
  'LIMPA_HOST',
  'LIMPA_TUDO',
]
const NO_COMMANDS = [
  'ESCALON',
  'escalona_tudo',
  'Escalona',
  'ESCALONA_TUDOS',
  'LISTA_HOST',
  'VER_HOST\0',
  '\x1b[31mLIMPA_TUDO',
  'http://a.com/x',
  '#',
  '\xff\xfe',
  '\xef\xbb\xbfLISTA_HOSTS',
  'LISTA_HOSTS\x0c',
  '1',
]

/** A whole command file. The same seed gives the same bytes. */
export function randomScript(seed: number): Buffer {
  const random = new RandomSource(seed)
  const lines: string[] = []
  const hostility = random.pick([0, 0.05, 0.3])
  const steps = random.below(random.pick([4, 15, 60]))
  for (let step = 0; step < steps; step++) lines.push(...randomStep(random, hostility))
  if (random.chance(0.5)) lines.push('LISTA_HOSTS', 'ESCALONA_TUDO')
  if (hostility > 0 && random.chance(0.15)) lines.push(`ADD_URLS ${3 + random.below(5)}`, 'http://a.com/last', '')
  const crlf = random.pick([0, 0, 1, 0.5])
  let text = random.chance(0.15) ? '\xef\xbb\xbf' : ''
  for (const line of lines) text += line + (random.chance(crlf) ? '\r\n' : '\n')
  if (random.chance(0.2)) text = text.replace(/\r?\n$/, '')
  return Buffer.from(text, 'latin1')
}

/** One line with a URL or something else in its place, without its line end. */
export function randomUrlLine(random: RandomSource, hostility: number): string {
  if (!random.chance(hostility)) return `http://${random.pick(HOSTS)}${random.pick(PATHS)}`
  if (random.chance(0.05))
    return random.pick(['', ' ', 'LISTA_HOSTS', 'ADD_URLS 3', 'http://', 'http://www.', 'http:///x'])
  let line = random.chance(0.7) ? 'http://' : random.pick(PROTOCOLS)
  if (random.chance(0.3)) line += random.pick(PREFIXES)
  line += random.pick(random.chance(0.6) ? HOSTS : ODD_HOSTS)
  line += random.chance(0.5) ? random.pick(PATHS) : randomPath(random)
  if (random.chance(0.15)) line += random.pick(ENDINGS)
  if (random.chance(0.1)) line += '/'.repeat(1 + random.below(3))
  if (random.chance(0.15)) line += `?${random.pick(['', 'f=x.pdf', 'a/b/', '/', '?', 'u=http://www.a.com/', 'q=1//'])}`
  if (random.chance(0.15)) line += random.pick(FRAGMENTS)
  if (random.chance(0.15)) line = spoil(random, line)
  if (random.chance(0.1)) line = random.pick(BLANKS) + line
  if (random.chance(0.1)) line += random.pick(BLANKS)
  return line
}

/** Some lines that belong together: URLs with their command, or a command alone. */
function randomStep(random: RandomSource, hostility: number): string[] {
  if (random.chance(hostility / 2)) return [badCommand(random)]
  if (random.chance(0.01)) return crowd(random, 100 + random.below(600))
  switch (random.below(9)) {
    case 0:
    case 1:
    case 2:
      return addUrls(random, hostility, random.below(12))
    case 3: {
      const steps = Array.from({ length: 1 + random.below(10) }, () => addUrls(random, hostility, 1))
      return steps.flatMap(lines => [...lines, 'ESCALONA 1'])
    }
    case 4:
      return random.chance(0.3) ? ['LIMPA_TUDO'] : ['LISTA_HOSTS']
    case 5:
      return [random.pick(['', ' ', '\t', 'ESCALONA_TUDO'])]
    default:
      return [goodCommand(random)]
  }
}

function addUrls(random: RandomSource, hostility: number, count: number): string[] {
  const urls = Array.from({ length: count }, () => randomUrlLine(random, hostility))
  return [spaced(random, ['ADD_URLS', String(count)]), ...urls]
}

/** More URLs, and perhaps more hosts, than any batch or buffer of small size takes in. */
function crowd(random: RandomSource, count: number): string[] {
  const [hosts, pages] = [random.pick([1, 7, 300]), random.pick([5, 1000])]
  const urls = Array.from({ length: count }, () => `http://h${random.below(hosts)}.org/p/${random.below(pages)}`)
  return [`ADD_URLS ${count}`, ...urls, `ESCALONA ${random.below(count)}`]
}

function goodCommand(random: RandomSource): string {
  const host =
    random.pick(['', '', 'www.', 'WWW.']) + random.pick(random.chance(0.8) ? HOSTS : ['A.COM', 'no.org', 'www.'])
  const word = host + random.pick(['', '', '', '/', '/x', '?q', '#f'])
  switch (random.below(6)) {
    case 0:
      return spaced(random, ['VER_HOST', word])
    case 1:
      return spaced(random, ['LIMPA_HOST', word])
    case 2:
    case 3:
      return spaced(random, ['ESCALONA_HOST', word, random.pick(NUMBERS)])
    default:
      return spaced(random, ['ESCALONA', random.pick(NUMBERS)])
  }
}

/** Wrong more often than not; what it is worth is for the oracle to say. */
function badCommand(random: RandomSource): string {
  const command = random.pick(random.chance(0.5) ? COMMANDS : NO_COMMANDS)
  const words = Array.from({ length: random.below(4) }, () => random.pick([...NO_NUMBERS, 'a.com', 'b.com', '1', '2']))
  const line = spaced(random, [command, ...words])
  return random.chance(0.3) ? spoil(random, line) : line
}

function spaced(random: RandomSource, words: readonly string[]): string {
  if (random.chance(0.7)) return words.join(' ')
  const line = words.reduce((soFar, word) => soFar + random.pick(BLANKS) + word)
  return random.pick(['', '', ...BLANKS]) + line + random.pick(['', '', ...BLANKS])
}

/** Deep, long, or with twins that differ in their last byte only. */
function randomPath(random: RandomSource): string {
  switch (random.below(4)) {
    case 0:
      return '/d'.repeat(random.below(40))
    case 1:
      return `/${'long'.repeat(random.below(80))}${random.below(3)}`
    case 2:
      return `/${'twelve-bytes'.slice(0, random.below(13))}${random.pick(['a', 'b', '\xe1', '\xe2'])}`
    default:
      return '/'.repeat(random.below(5)) + random.pick(['', 'x', 'x//y', '..', 'www.a.com', '%2F', 'a.pdf/b'])
  }
}

/** Puts a hostile byte anywhere into the line, or cuts the line there. */
function spoil(random: RandomSource, line: string): string {
  const at = random.below(line.length + 1)
  return line.slice(0, at) + (random.chance(0.8) ? random.pick(HOSTILE_BYTES) + line.slice(at) : '')
}
