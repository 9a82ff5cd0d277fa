// The command language on lists and sorts: slow, short, and meant to be right at a glance. A character stands for a
// byte (latin1), so that lines which are not UTF-8 pass through unchanged.
import { closest } from '../../src/base/words/closest.ts'
import { type Reason, readClassicNaively, readHostNaively, withoutBlanksAround } from './classic-oracle.ts'

export type Strategy = 'depth' | 'breadth' | 'best'
export const STRATEGIES: readonly Strategy[] = ['depth', 'breadth', 'best']

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

export interface OracleCounts {
  read: number
  accepted: number
  duplicates: number
  refused: Record<Reason, number>
  scheduled: number
  /** Hosts that became known, those that were forgotten later included. */
  hosts: number
}

export interface OracleResult {
  readonly output: Buffer
  /** The numbers of the lines with a mistake, in rising order, from 1. */
  readonly mistakes: readonly number[]
  readonly counts: OracleCounts
}

interface Waiting {
  readonly url: string
  readonly depth: number
}

interface Host {
  readonly name: string
  /** In the order in which they will be scheduled. */
  list: Waiting[]
}

export function runOracle(input: Buffer, strategy: Strategy): OracleResult {
  const lines = linesOf(input)
  const output: string[] = []
  const mistakes: number[] = []
  const counts: OracleCounts = {
    read: 0,
    accepted: 0,
    duplicates: 0,
    refused: { protocol: 0, malformed: 0, extension: 0 },
    scheduled: 0,
    hosts: 0,
  }
  /** In the order in which they became known. */
  let hosts: Host[] = []
  /** Breadth-first: the place after the host that was served last. */
  let turn = 0

  function add(line: string): void {
    counts.read++
    const verdict = readClassicNaively(line)
    if (verdict.kind === 'refused') {
      counts.refused[verdict.reason]++
      return
    }
    let host = hosts.find(known => known.name === verdict.host)
    if (!host) {
      hosts.push((host = { name: verdict.host, list: [] }))
      counts.hosts++
    }
    if (host.list.some(waiting => waiting.url === verdict.url)) {
      counts.duplicates++
      return
    }
    counts.accepted++
    host.list.push({ url: verdict.url, depth: verdict.depth })
    host.list.sort((a, b) => a.depth - b.depth) // stable, so equal depths stay in order of arrival
  }

  function chooseHost(): Host | undefined {
    if (strategy === 'depth') return hosts.find(hasUrls)
    if (strategy === 'best') return hosts.filter(hasUrls).sort((a, b) => b.list.length - a.list.length)[0]
    return hosts.slice(turn).find(hasUrls) ?? hosts.find(hasUrls)
  }

  function schedule(atMost: number): void {
    for (let n = 0; n < atMost; n++) {
      const host = chooseHost()
      if (!host) return
      scheduleHost(host, 1)
      turn = hosts.indexOf(host) + 1
    }
  }

  function scheduleHost(host: Host, atMost: number): void {
    const taken = host.list.slice(0, atMost)
    host.list = host.list.slice(atMost)
    counts.scheduled += taken.length
    output.push(...taken.map(waiting => waiting.url))
  }

  /** Undefined for a host that is not known. */
  function named(word: string): Host | undefined {
    return hosts.find(host => host.name === readHostNaively(word))
  }

  /** False when the line is a mistake. */
  function obey(command: string, words: readonly string[]): boolean {
    const [first = '', second = ''] = words
    const host = named(first)
    switch (`${command}/${words.length}`) {
      case 'ESCALONA_TUDO/0':
        schedule(Number.POSITIVE_INFINITY)
        return true
      case 'ESCALONA/1':
        if (!isWhole(first)) return false
        schedule(Number(first))
        return true
      case 'ESCALONA_HOST/2':
        if (!isWhole(second)) return false
        if (host) scheduleHost(host, Number(second))
        return true
      case 'VER_HOST/1':
        if (host) output.push(...host.list.map(waiting => waiting.url))
        return true
      case 'LISTA_HOSTS/0':
        output.push(...hosts.map(known => known.name))
        return true
      case 'LIMPA_HOST/1':
        if (host) host.list = []
        return true
      case 'LIMPA_TUDO/0':
        hosts = []
        turn = 0
        return true
      default:
        return false
    }
  }

  /** The URLs of a wrong ADD_URLS belong to its mistake. */
  let isAfterBadAdd = false
  for (let at = 0; at < lines.length; at++) {
    const lineNumber = at + 1
    const line = withoutBlanksAround(lines[at]!)
    if (line === '') continue
    const [command = '', ...words] = line.split(/[ \t]+/)
    if (isAfterBadAdd && /^https?:\/\//i.test(line)) continue
    isAfterBadAdd = false
    if (command === 'ADD_URLS' && words.length === 1 && isWhole(words[0]!)) {
      const wanted = Number(words[0])
      const urls = lines.slice(at + 1, at + 1 + wanted)
      for (const url of urls) add(url)
      at += urls.length
      if (urls.length < wanted) mistakes.push(lineNumber)
    } else if (!obey(command, words)) {
      mistakes.push(lineNumber)
      isAfterBadAdd = closest(command.slice(0, 64), COMMANDS) === 'ADD_URLS'
    }
  }
  return { output: Buffer.from(output.map(line => `${line}\n`).join(''), 'latin1'), mistakes, counts }
}

function linesOf(input: Buffer): string[] {
  const pieces = input
    .toString('latin1')
    .replace(/^\xEF\xBB\xBF/, '')
    .split('\n')
  if (pieces.at(-1) === '') pieces.pop() // what follows the last line end is no line
  return pieces.map(piece => piece.replace(/\r$/, ''))
}

function hasUrls(host: Host): boolean {
  return host.list.length > 0
}

function isWhole(word: string): boolean {
  return /^[0-9]+$/.test(word)
}
