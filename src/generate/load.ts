import { EscalonaError } from '../base/errors.ts'
import { SLASH } from '../base/structures/bytes.ts'
import { Chance } from './chance.ts'
import { SpreadLaw } from './spread-law.ts'
import { Shuffle, WordWriter } from './word-writer.ts'

/** What a load is like. */
export interface LoadShape {
  /** The exact number of hosts. */
  readonly hosts: number
  /** URLs per host: mean and spread. */
  readonly urls: number
  readonly urlSpread: number
  /** Slashes in a URL's path: mean and spread. */
  readonly depth: number
  readonly depthSpread: number
  readonly seed: number
}

/** What each number may be, from the least to the most. */
const BOUNDS: Readonly<Record<keyof LoadShape, readonly [number, number]>> = {
  hosts: [1, 1e8],
  urls: [1, 1e9],
  urlSpread: [0, 1000],
  depth: [1, 1000],
  depthSpread: [0, 1000],
  seed: [0, Number.MAX_SAFE_INTEGER],
}
const MOST_URLS = 1e9

const LETTERS_PER_WORD = { mean: 6, spread: 2 }
const WORDS_PER_HOST = { mean: 3, spread: 1 }

/** How often a host is visited for each URL that it has on average, so that the hosts come well mixed. */
const VISITS_PER_URL = 4
const CHUNK_BYTES = 1 << 18
/** How many orders of the hosts are made beforehand; each round takes one, and begins anywhere in it. */
const ORDERS = 16
const MOST_HOST_BYTES = 1 << 10
const MOST_WORD_BYTES = 32

const HTTP = Buffer.from('http://')
const COM = Buffer.from('.com/')
const HTML = Buffer.from('.html\n')
const DOT = 0x2e
const W = 0x77
/** Hosts begin at different numbers, so that their first paths don't look alike. */
const NUMBERS_APART = 7919
const LAST_COMMANDS = 'LISTA_HOSTS\nESCALONA_TUDO\nLIMPA_TUDO\n'

/** The sequences of a host: how many URLs it has, its name, and its path number j at j + URL. */
const COUNT = 0
const NAME = 1
const URL = 2

/**
 * A command file for the scheduler, made as it is read: the same seed and shape give the same bytes on every machine, and
 * however many URLs there are, nothing is remembered of them. All URLs are different.
 */
export class Load {
  /** How many URLs the file has. */
  readonly urls: number
  /** How many of them have been written. */
  written = 0
  readonly urlLaw: SpreadLaw
  readonly depthLaw: SpreadLaw
  private readonly shape: LoadShape
  private readonly chance: Chance
  private readonly hostLaw = new SpreadLaw(WORDS_PER_HOST.mean, WORDS_PER_HOST.spread, 1)
  private readonly hostWords: WordWriter
  private readonly pathWords: WordWriter

  constructor(shape: LoadShape) {
    checkShape(shape)
    this.shape = shape
    this.chance = new Chance(shape.seed)
    this.urlLaw = new SpreadLaw(shape.urls, shape.urlSpread, 1)
    this.depthLaw = new SpreadLaw(shape.depth, shape.depthSpread, 1)
    let urls = 0
    let most = 0
    for (let host = 0; host < shape.hosts; host++) {
      const count = this.urlsOf(host)
      urls += count
      most = Math.max(most, count)
    }
    this.urls = urls
    const letters = new SpreadLaw(LETTERS_PER_WORD.mean, LETTERS_PER_WORD.spread, 1)
    this.chance.goTo(-1, -1)
    this.hostWords = new WordWriter(letters, shape.hosts, this.chance)
    this.pathWords = new WordWriter(letters, most, this.chance)
  }

  /** The file, piece by piece; each may be used until the next is asked for. */
  *chunks(): Generator<Buffer, void, void> {
    const mostUrlBytes = MOST_HOST_BYTES + (this.depthLaw.greatest + 1) * MOST_WORD_BYTES
    const bytes = Buffer.allocUnsafe(CHUNK_BYTES + mostUrlBytes)
    let end = bytes.write(`ADD_URLS ${this.urls}\n`, 'latin1')
    for (const visit of this.visits()) {
      for (let url = visit.from; url < visit.to; url++) {
        end = this.writeUrl(bytes, end, visit.host, url)
        this.written++
        if (end < CHUNK_BYTES) continue
        yield bytes.subarray(0, end)
        end = 0
      }
    }
    end += bytes.write(LAST_COMMANDS, end, 'latin1')
    yield bytes.subarray(0, end)
  }

  /** In each round every host is visited once, and writes the URLs that are due by then. The same object each time. */
  private *visits(): Generator<{ readonly host: number; readonly from: number; readonly to: number }, void, void> {
    const { hosts, urls } = this.shape
    const rounds = Math.ceil(urls) * VISITS_PER_URL
    this.chance.goTo(-2, -1)
    const orders = Array.from({ length: ORDERS }, () => new Shuffle(hosts, this.chance.share(), 0))
    const visit = { host: 0, from: 0, to: 0 }
    for (let round = 0; round < rounds; round++) {
      this.chance.goTo(-2, round)
      const order = orders[this.chance.next() % ORDERS]!
      const start = Math.floor(this.chance.share() * hosts)
      for (let n = 0; n < hosts; n++) {
        visit.host = order.placeOf((start + n) % hosts)
        const count = this.urlsOf(visit.host)
        const delay = this.chance.share()
        visit.from = Math.floor((round / rounds) * count + delay)
        visit.to = round === rounds - 1 ? count : Math.floor(((round + 1) / rounds) * count + delay)
        if (visit.to > visit.from) yield visit
      }
    }
  }

  private urlsOf(host: number): number {
    this.chance.goTo(host, COUNT)
    return this.urlLaw.at(this.chance.next())
  }

  private writeUrl(bytes: Buffer, start: number, host: number, url: number): number {
    let at = put(HTTP, bytes, start)
    at = this.writeHost(bytes, at, host)
    at = put(COM, bytes, at)
    this.chance.goTo(host, URL + url)
    const depth = this.depthLaw.at(this.chance.next())
    at = this.pathWords.write(bytes, at, host * NUMBERS_APART + url, depth, SLASH, this.chance)
    return put(HTML, bytes, at)
  }

  /** A name that begins with `www.` would lose it (classic rule 3): then the next one of the host's sequence. */
  private writeHost(bytes: Buffer, at: number, host: number): number {
    this.chance.goTo(host, NAME)
    for (;;) {
      const words = this.hostLaw.at(this.chance.next())
      const end = this.hostWords.write(bytes, at, host, words, DOT, this.chance)
      bytes[end] = DOT
      if (bytes[at] !== W || bytes[at + 1] !== W || bytes[at + 2] !== W || bytes[at + 3] !== DOT) return end
    }
  }
}

/** For a few bytes this beats a native call. */
function put(text: Buffer, bytes: Buffer, at: number): number {
  for (let i = 0; i < text.length; i++) bytes[at + i] = text[i]!
  return at + text.length
}

function checkShape(shape: LoadShape): void {
  for (const [name, [least, most]] of Object.entries(BOUNDS) as [keyof LoadShape, readonly [number, number]][]) {
    const value = shape[name]
    const mustBeWhole = name === 'hosts' || name === 'seed'
    if (value >= least && value <= most && (!mustBeWhole || Number.isInteger(value))) continue
    const key = mustBeWhole ? 'GENERATE_BAD_SHAPE/whole-number' : 'GENERATE_BAD_SHAPE/any-number'
    throw new EscalonaError(key, { name, least, most, value })
  }
  if (shape.hosts * shape.urls <= MOST_URLS) return
  throw new EscalonaError('GENERATE_BAD_SHAPE/too-many', { hosts: shape.hosts, urls: shape.urls, most: MOST_URLS })
}
