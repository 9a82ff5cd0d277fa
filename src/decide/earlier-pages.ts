import type { PageLine } from '../archive/pages-file.ts'
import { NEAR_BITS, ones } from '../extract/simhash.ts'
import { hostOf } from '../url/host-of.ts'

/** Pages with fewer words are never compared: a frame around a picture has the same words on every page. */
export const LEAST_WORDS = 64
/** Pages of a generation. Two are kept, so between this many and twice as many: about 45 MB when full. */
const GENERATION = 1 << 17
/** How many pages with a part in common are compared with a page, the newest first. */
const MOST_COMPARED = 256

/** Links held because of the page they were found on; older ones stay held although another page leads to them, until the setting changes. */
export const MOST_HELD_BACK = 100_000

type ComparedPage = Pick<PageLine, 'url' | 'tokens' | 'simhash'>

/**
 * The simhashes of the pages that repeat no earlier page of their host. A repetition is not kept, so a trap of a million equal pages takes one
 * place, and the page that another one repeats is always one whose links were followed. Beyond the bound the oldest pages are forgotten; a
 * host brings at most one page per delay, so none can push out the others at once.
 */
export class EarlierPages {
  private old = new Generation()
  private young = new Generation()
  private readonly most: number

  /** `most`: pages of a generation. */
  constructor(most = GENERATION) {
    this.most = most
  }

  /** The page of the same host that this one nearly repeats; undefined when there is none, or the earliest such page is itself, visited before. */
  repeatedBy(page: ComparedPage): string | undefined {
    const earliest = this.earliest(page)
    return earliest === page.url ? undefined : earliest
  }

  /** Takes a page into account that was archived, in this run or an earlier one. */
  learn(page: ComparedPage): void {
    const key = keyOf(page)
    if (key === undefined || this.earliest(page) !== undefined) return
    if (this.young.count >= this.most) {
      this.old = this.young
      this.young = new Generation()
    }
    this.young.add(page.url, key)
  }

  private earliest(page: ComparedPage): string | undefined {
    const key = keyOf(page)
    if (key === undefined) return undefined
    const host = hostOf(page.url)
    return this.old.find(host, key) ?? this.young.find(host, key)
  }
}

interface Key {
  readonly high: number
  readonly low: number
}

function keyOf({ tokens, simhash }: ComparedPage): Key | undefined {
  if (simhash === undefined || tokens < LEAST_WORDS) return undefined
  return { high: Number.parseInt(simhash.slice(0, 8), 16), low: Number.parseInt(simhash.slice(8), 16) }
}

/** Numbers that differ in at most three bits have one of four parts of 16 bits in common. */
const PARTS = NEAR_BITS + 1
/** Chains for each part. */
const HEADS = 1 << 16

/** Pages in the order in which they came; those with a part in common are in one chain per host and part, the newest first. */
class Generation {
  count = 0
  private readonly heads = new Int32Array(PARTS * HEADS).fill(-1)
  private high = new Uint32Array(1024)
  private low = new Uint32Array(1024)
  private next = new Int32Array(1024 * PARTS)
  private readonly urls: string[] = []

  add(url: string, key: Key): void {
    const id = this.count++
    if (id >= this.high.length) this.grow()
    this.high[id] = key.high
    this.low[id] = key.low
    this.urls.push(url)
    const host = hashOf(hostOf(url))
    for (let part = 0; part < PARTS; part++) {
      const head = headOf(host, part, key)
      this.next[id * PARTS + part] = this.heads[head]!
      this.heads[head] = id
    }
  }

  /** The earliest page of the host that is near. */
  find(host: string, key: Key): string | undefined {
    let earliest = this.count
    const hash = hashOf(host)
    for (let part = 0; part < PARTS; part++) {
      let id = this.heads[headOf(hash, part, key)]!
      for (let left = MOST_COMPARED; id >= 0 && left > 0; left--) {
        const bits = ones(this.high[id]! ^ key.high) + ones(this.low[id]! ^ key.low)
        if (bits <= NEAR_BITS && id < earliest && hostOf(this.urls[id]!) === host) earliest = id
        id = this.next[id * PARTS + part]!
      }
    }
    return this.urls[earliest]
  }

  private grow(): void {
    const size = this.high.length * 2
    const [high, low, next] = [new Uint32Array(size), new Uint32Array(size), new Int32Array(size * PARTS)]
    high.set(this.high)
    low.set(this.low)
    next.set(this.next)
    Object.assign(this, { high, low, next })
  }
}

function headOf(host: number, part: number, { high, low }: Key): number {
  const word = part < 2 ? high : low
  const value = (part & 1) === 0 ? word >>> 16 : word & 0xffff
  const mixed = Math.imul(host ^ Math.imul(value, 0x9e3779b1), 0x85ebca6b)
  return part * HEADS + ((mixed ^ (mixed >>> 15)) & (HEADS - 1))
}

/** FNV-1a. A collision costs a comparison of names. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let n = 0; n < text.length; n++) hash = Math.imul(hash ^ text.charCodeAt(n), 0x01000193)
  return hash
}
