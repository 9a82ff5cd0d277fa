import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { EscalonaError } from '../base/errors.ts'
import { openInput } from '../base/files/byte-input.ts'
import { type Message, message } from '../base/messages/message.ts'
import { whyOf } from '../base/system-error.ts'
import { type Graph, GraphBuilder, graphOfLinks, NumberList } from './graph.ts'

/** More pages or links than this are an error: memory is bounded. */
const MOST_PAGES = 50_000_000
const MOST_LINKS = 400_000_000
const MOST_SHOWN = 20

export interface ReadGraph {
  readonly graph: Graph
  /** What was left out, for the caller to tell. */
  readonly notice: Message | undefined
}

/**
 * Reads a graph in the form of WebGraph (`.graph-txt`: the number of pages, then the successors of each page on a line of its
 * own) or as a list of links (two page numbers per line, `#` begins a comment), packed with gzip or not. A line may be of any
 * length: nothing but the links is kept in memory.
 */
export async function readGraph(path: string, onChunk: () => void = () => {}): Promise<ReadGraph> {
  const parser = new GraphParser(path)
  await readChunks(path, chunk => {
    parser.write(chunk)
    onChunk()
  })
  return parser.end()
}

/** Reads a file, a pipe or standard input (`-`) in pieces; what begins as gzip does is unpacked. */
export async function readChunks(path: string, onChunk: (chunk: Buffer) => void): Promise<void> {
  const chunks = chunksOf(path)
  const first = await chunks.next()
  if (first.done) return
  async function* all() {
    yield first.value!
    yield* chunks
  }
  async function take(source: AsyncIterable<Buffer>) {
    for await (const chunk of source) onChunk(chunk)
  }
  try {
    await (first.value[0] === GZIP ? pipeline(all(), createGunzip(), take) : take(all()))
  } catch (error) {
    if (error instanceof EscalonaError) throw error
    throw new EscalonaError('FILE_UNREADABLE', { name: path, why: whyOf(error) }, { cause: error })
  }
}

const CHUNK_BYTES = 1 << 16
/** The first byte of a gzip file; no graph and no URL begins with it. */
const GZIP = 0x1f

async function* chunksOf(path: string): AsyncGenerator<Buffer, void> {
  const input = openInput(path)
  try {
    for (;;) {
      await input.ready()
      const buffer = Buffer.allocUnsafe(CHUNK_BYTES)
      const bytes = input.read(buffer, 0, CHUNK_BYTES)
      if (bytes === 0) return
      yield buffer.subarray(0, bytes)
    }
  } finally {
    input.close()
  }
}

const [TAB, LINE_END, RETURN, BLANK, HASH, ZERO, NINE] = [9, 10, 13, 32, 35, 48, 57]

class GraphParser {
  private readonly path: string
  private line = 1
  /** Of the line at hand: how many numbers it has, and the first one. */
  private numbers = 0
  private first = 0
  private number = 0
  private isInNumber = false
  private isComment = false
  /** Undefined until the first line has ended. */
  private form: 'pages' | 'links' | undefined
  private pages = 0
  private done = 0
  private readonly builder = new GraphBuilder()
  private readonly from = new NumberList()
  private readonly to = new NumberList()
  private droppedAt: number | undefined

  constructor(path: string) {
    this.path = path
  }

  write(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]!
      if (byte >= ZERO && byte <= NINE && !this.isComment) {
        this.number = this.number * 10 + byte - ZERO
        this.isInNumber = true
        if (this.number > 2 ** 40) throw this.tooLarge()
      } else if (byte === LINE_END) this.endLine()
      else if (this.isComment) continue
      else if (byte === BLANK || byte === TAB || byte === RETURN) this.endNumber()
      else if (byte === HASH && this.form !== 'pages' && this.numbers === 0 && !this.isInNumber) this.isComment = true
      else throw new EscalonaError('SIMULATE_BAD_GRAPH/byte', { place: this.place, text: shown(chunk, at) })
    }
  }

  end(): ReadGraph {
    if (this.isInNumber || this.numbers > 0) this.endLine()
    if (this.form === undefined) throw new EscalonaError('SIMULATE_BAD_GRAPH/empty', { place: this.path })
    if (this.form === 'pages' && this.done < this.pages) {
      const missing = this.pages - this.done
      throw new EscalonaError('SIMULATE_BAD_GRAPH/missing', { place: this.place, pages: this.pages, missing })
    }
    const builder = this.form === 'pages' ? this.builder : graphOfLinks(this.pages, this.from.all, this.to.all)
    if (this.pages === 0) throw new EscalonaError('SIMULATE_BAD_GRAPH/empty', { place: this.path })
    const { loops, twice } = builder
    const place = this.droppedAt === undefined ? this.path : `${this.path}:${this.droppedAt}`
    const notice = loops + twice > 0 ? message('simulate/dropped', { loops, twice, place }) : undefined
    return { graph: builder.graph(), notice }
  }

  private endNumber(): void {
    if (!this.isInNumber) return
    const { number } = this
    this.isInNumber = false
    this.number = 0
    this.numbers++
    if (this.form === 'pages') {
      if (this.done >= this.pages) throw this.extra()
      if (number >= this.pages) throw this.outside(number)
      if (!this.builder.link(number)) this.droppedAt ??= this.line
      if (this.builder.targets.length > MOST_LINKS)
        throw new EscalonaError('SIMULATE_BAD_GRAPH/links', { place: this.place, most: MOST_LINKS })
    } else if (this.numbers === 1) this.first = number
    else if (this.numbers === 2) this.addLink(this.first, number)
    else throw new EscalonaError('SIMULATE_BAD_GRAPH/pair', { place: this.place })
  }

  private endLine(): void {
    this.endNumber()
    const { numbers } = this
    if (this.form === 'pages') {
      if (this.done >= this.pages && numbers > 0) throw this.extra()
      if (this.done < this.pages) {
        this.builder.endPage()
        this.done++
      }
    } else if (numbers === 1) {
      if (this.form === 'links') throw new EscalonaError('SIMULATE_BAD_GRAPH/pair', { place: this.place })
      this.form = 'pages'
      this.pages = this.first
      if (this.pages > MOST_PAGES) throw this.tooMany(this.pages)
    } else if (numbers === 0 && this.form === undefined && !this.isComment)
      throw new EscalonaError('SIMULATE_BAD_GRAPH/head', { place: this.place })
    this.isComment = false
    this.numbers = 0
    this.line++
  }

  private addLink(from: number, to: number): void {
    this.form = 'links'
    const most = Math.max(from, to)
    if (most >= MOST_PAGES) throw this.tooMany(most + 1)
    this.pages = Math.max(this.pages, most + 1)
    this.from.push(from)
    this.to.push(to)
    if (from === to) this.droppedAt ??= this.line
    if (this.from.length > MOST_LINKS)
      throw new EscalonaError('SIMULATE_BAD_GRAPH/links', { place: this.place, most: MOST_LINKS })
  }

  private get place(): string {
    return `${this.path}:${this.line}`
  }

  private tooLarge(): EscalonaError {
    return this.form === 'pages' ? this.outside(this.number) : this.tooMany(this.number)
  }

  private outside(page: number): EscalonaError {
    return new EscalonaError('SIMULATE_BAD_GRAPH/range', { place: this.place, page, last: this.pages - 1 })
  }

  private tooMany(pages: number): EscalonaError {
    return new EscalonaError('SIMULATE_BAD_GRAPH/pages', { place: this.place, pages, most: MOST_PAGES })
  }

  private extra(): EscalonaError {
    return new EscalonaError('SIMULATE_BAD_GRAPH/extra', { place: this.place, pages: this.pages })
  }
}

/** What is written where a number should be. */
function shown(chunk: Buffer, at: number): string {
  return chunk.toString('latin1', at, at + MOST_SHOWN).split(/\s/, 1)[0]!
}
