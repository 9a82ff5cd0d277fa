import { EscalonaError } from '../base/errors.ts'
import { type Message, message } from '../base/messages/message.ts'
import { chanceAt } from '../base/random.ts'
import { hostOf } from '../url/host-of.ts'
import { registrableDomain } from '../url/registrable-domain.ts'
import { webUrl } from '../url/web.ts'
import { type Graph, reachable, sharedCopy } from './graph.ts'
import { readChunks } from './read-graph.ts'

/** What is simulated: pages, their links, and the hosts that they are on. Threads share its arrays. */
export interface World {
  readonly graph: Graph
  /** The host of each page. */
  readonly hosts: Uint32Array<SharedArrayBuffer>
  readonly hostNames: readonly string[]
  /** The registrable domain of each host, numbered from 0. */
  readonly domains: Uint32Array<SharedArrayBuffer>
  /** The server of each host, numbered from 0: by its address where that is known, otherwise one per domain. */
  readonly servers: Uint32Array<SharedArrayBuffer>
  /** One URL per page, one after the other; undefined: `http://HOST/NUMBER`. */
  readonly urls: Texts | undefined
  /** Of a crawl whose links these are: its seeds, and what `Crawl-delay` each host asks for, in seconds. */
  readonly seeds?: readonly number[]
  readonly crawlDelays?: readonly (number | undefined)[]
}

/** Texts in shared memory. */
export interface Texts {
  readonly bytes: Uint8Array<SharedArrayBuffer>
  /** Where each text begins, and where the last one ends. */
  readonly offsets: Float64Array<SharedArrayBuffer>
}

export function packTexts(texts: readonly string[]): Texts {
  const lengths = texts.map(text => Buffer.byteLength(text))
  const offsets = new Float64Array(new SharedArrayBuffer(8 * (texts.length + 1)))
  for (const [n, length] of lengths.entries()) offsets[n + 1] = offsets[n]! + length
  const bytes = new Uint8Array(new SharedArrayBuffer(offsets[texts.length]!))
  const view = Buffer.from(bytes.buffer)
  for (const [n, text] of texts.entries()) view.write(text, offsets[n]!)
  return { bytes, offsets }
}

export function unpackTexts({ bytes, offsets }: Texts): string[] {
  const view = Buffer.from(bytes.buffer)
  return Array.from({ length: offsets.length - 1 }, (_, n) => view.toString('utf8', offsets[n], offsets[n + 1]))
}

/**
 * A world without URLs. The sizes of the hosts follow Zipf's law (the k-th largest has 1/k of the pages of the largest), in an
 * order drawn by the seed; a host has pages with neighbouring numbers, as in graphs whose pages are sorted by URL.
 */
export function dealtWorld(graph: Graph, wantedHosts: number, seed: number): World {
  const count = Math.max(1, Math.min(wantedHosts, graph.pages))
  const order = shuffled(count, seed)
  let all = 0
  for (let rank = 1; rank <= count; rank++) all += 1 / rank
  const hosts = new Uint32Array(graph.pages)
  // Every host has one page; the others are dealt by the law.
  const spare = graph.pages - count
  let sum = 0
  let page = 0
  for (let host = 0; host < count; host++) {
    sum += 1 / (order[host]! + 1)
    const end = host + 1 + Math.round((spare * sum) / all)
    while (page < end && page < graph.pages) hosts[page++] = host
  }
  const hostNames = Array.from({ length: count }, (_, host) => `h${host}.test`)
  const domains = sharedCopy(Uint32Array.from({ length: count }, (_, host) => host))
  return { graph, hosts: sharedCopy(hosts), hostNames, domains, servers: domains, urls: undefined }
}

/** A world whose pages have these URLs, which are canonical and different. `addresses`: of hosts, where they are known. */
export function worldOfUrls(graph: Graph, urls: readonly string[], addresses?: ReadonlyMap<string, string>): World {
  const [hosts, hostNames] = numbered(urls.map(hostOf))
  const [domains] = numbered(hostNames.map(registrableDomain))
  const [servers] = numbered(hostNames.map(name => addresses?.get(name) ?? registrableDomain(name)))
  return { graph, hosts, hostNames, domains, servers, urls: packTexts(urls) }
}

const MOST_LINE_BYTES = 1 << 16

/** Reads a file with one URL per page. What is not a URL, or was there before, gets one that is made up. */
export async function readUrls(
  path: string,
  pages: number,
): Promise<{ readonly urls: readonly string[]; readonly notice: Message | undefined }> {
  const urls: string[] = []
  const seen = new Set<string>()
  let odd = 0
  let firstOdd = 0
  const add = (line: string) => {
    if (urls.length === pages) throw wrongCount(path, pages + 1, pages)
    const url = webUrl(line.trim())
    const isGood = typeof url !== 'string' && !seen.has(url.href)
    if (!isGood) odd++
    if (odd === 1 && !isGood) firstOdd = urls.length + 1
    const text = isGood ? url.href : `http://page-${urls.length}.invalid/`
    seen.add(text)
    urls.push(text)
  }
  let rest = ''
  await readChunks(path, chunk => {
    const lines = (rest + chunk.toString('latin1')).split('\n')
    rest = lines.pop()!
    for (const line of lines) add(line)
    if (rest.length > MOST_LINE_BYTES)
      throw new EscalonaError('SIMULATE_BAD_URLS/long', { place: `${path}:${urls.length + 1}`, most: MOST_LINE_BYTES })
  })
  if (rest !== '') add(rest)
  if (urls.length !== pages) throw wrongCount(path, urls.length, pages)
  const notice = odd > 0 ? message('simulate/odd-urls', { urls: odd, place: `${path}:${firstOdd}` }) : undefined
  return { urls, notice }
}

function wrongCount(path: string, urls: number, pages: number): EscalonaError {
  return new EscalonaError('SIMULATE_BAD_URLS/count', { place: path, urls, pages })
}

/** Sets of start pages, drawn by the seed among the pages with more than this many links. */
export function startSets(
  { graph, seeds }: World,
  options: { readonly starts: number; readonly startPages: number; readonly startLinks: number; readonly seed: number },
): readonly (readonly number[])[] {
  const { starts, startPages, startLinks, seed } = options
  if (seeds !== undefined && starts === 0) return [seeds]
  const { offsets, pages } = graph
  const able: number[] = []
  for (let page = 0; page < pages; page++) if (offsets[page + 1]! - offsets[page]! > startLinks) able.push(page)
  if (able.length === 0) throw new EscalonaError('SIMULATE_NO_START', { links: startLinks })
  return Array.from({ length: Math.max(1, starts) }, (_, set) => {
    // The first of a shuffle.
    const pool = able.slice()
    const most = Math.min(startPages, pool.length)
    for (let n = 0; n < most; n++) {
      const other = n + Math.floor(chanceAt(seed, set * 1_000_003 + n) * (pool.length - n))
      ;[pool[n], pool[other]] = [pool[other]!, pool[n]!]
    }
    return pool.slice(0, most)
  })
}

export function reachableFrom(world: World, starts: readonly number[]): Uint32Array {
  return reachable(world.graph, starts)
}

/** A graph in which pages link mostly inside of their host, and more often to pages that many link to. */
export function syntheticGraph(pages: number, seed: number): { from: Uint32Array; to: Uint32Array } {
  const links = pages * LINKS_PER_PAGE
  const from = new Uint32Array(links)
  const to = new Uint32Array(links)
  for (let n = 0; n < links; n++) {
    const page = Math.floor(n / LINKS_PER_PAGE)
    const chance = chanceAt(seed, 3 * n)
    const place = chanceAt(seed, 3 * n + 1)
    from[n] = page
    // Half near by, a quarter to where an earlier link leads (so popular pages grow), a quarter anywhere.
    if (chance < 0.5) to[n] = (page + 1 + Math.floor(place * NEAR)) % pages
    else if (chance < 0.75 && n > 0) to[n] = to[Math.floor(place * n)]!
    else to[n] = Math.floor(place * pages)
  }
  return { from, to }
}

const LINKS_PER_PAGE = 8
const NEAR = 50

function shuffled(count: number, seed: number): number[] {
  const all = Array.from({ length: count }, (_, n) => n)
  for (let n = count - 1; n > 0; n--) {
    const other = Math.floor(chanceAt(seed, n) * (n + 1))
    ;[all[n], all[other]] = [all[other]!, all[n]!]
  }
  return all
}

/** A number for each different name, from 0 in the order in which they come, and these names. */
function numbered(names: readonly string[]): [Uint32Array<SharedArrayBuffer>, string[]] {
  const numbers = new Map<string, number>()
  for (const name of names) if (!numbers.has(name)) numbers.set(name, numbers.size)
  return [sharedCopy(Uint32Array.from(names, name => numbers.get(name)!)), [...numbers.keys()]]
}
