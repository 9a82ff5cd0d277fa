import { createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Clock, systemClock } from '../../base/clock.ts'
import { loopMeter } from '../../base/event-loop.ts'
import { reasonOf } from '../../base/system-error.ts'
import { catalogue } from '../../base/words/language.ts'
import type { HostView } from '../../frontier/frontier.ts'
import type { FrontierView } from '../../frontier/local/readable.ts'
import type { RestCause } from '../rests.ts'
import { RecentRate } from '../stats/eta.ts'
import type { LinkRules } from '../worker/link-rules.ts'
import { answerTo } from './answer-to.ts'
import type { Desk, RunningNow } from './desk.ts'
import { type DeskPlace, deskPlace, elsewhere } from './desk-socket.ts'
import { LineReader, MOST_QUESTION_CHARS } from './desk-wire.ts'
import { FrontierDesk } from './frontier-desk.ts'
import { SpareTime } from './spare-time.ts'

export interface DeskOptions {
  /** The crawl's folder; this process holds its lock. */
  readonly folder: string
  readonly frontier: Omit<FrontierView, 'close'>
  /** The current settings' rules for links. */
  readonly rules: Pick<LinkRules, 'refusal'>
  /** The product token that robots.txt rules are matched against. */
  readonly agent: string
  /** Unix time. */
  readonly clock: Clock
  /** Why a host cannot be asked yet, if known. */
  restCause(host: HostView): RestCause | undefined
  /** Present when machines share the crawl: how many are at work. */
  readonly machines?: (() => number) | undefined
  /** Pages archived so far. */
  pages(): number
  /** What the process is doing now. */
  now(): Promise<Omit<RunningNow, 'pid' | 'sinceMs' | 'pages' | 'pagesPerSecond'>>
  /** Called with a sentence when no socket could be created. */
  onTrouble(message: string): void
}

/** The desk of a running crawl, open. */
export interface OpenDesk {
  /** Closes all connections. The frontier is not called any more afterwards. */
  close(): Promise<void>
}

/** Enough for a handful of commands; further ones read the files. */
const MOST_CONNECTIONS = 16
/** How many questions a connection may send before they are answered. */
const MOST_AHEAD = 64
/** A connection that is silent for this long, or does not read its answers, is closed. */
const IDLE_MS = 60_000
const DRAIN_MS = 10_000
const RATE_EVERY_MS = 1000

const words = catalogue({
  en: {
    noDesk: (reason: string) =>
      `cannot create a socket for commands such as escalona status, which read the files instead: ${reason}`,
  },
  pt: {
    noDesk: (reason: string) =>
      `não é possível criar um socket para comandos como escalona status, que leem os arquivos em vez disso: ${reason}`,
  },
})

/** Serves the desk of a running crawl in its folder. Never throws: the crawl continues without a desk. */
export async function openDesk(options: DeskOptions): Promise<OpenDesk> {
  const counter = new DeskCounter(options)
  let reason = ''
  for (const placeIn of [deskPlace, elsewhere]) {
    let place: DeskPlace | undefined
    try {
      place = placeIn(options.folder)
      await counter.listen(place)
      return counter
    } catch (error) {
      // The file system may not support sockets, for example.
      place?.remove()
      reason = reasonOf(error)
    }
  }
  options.onTrouble(words().noDesk(reason))
  return counter
}

class DeskCounter implements OpenDesk {
  private readonly desk: Desk
  private readonly spare = new SpareTime(systemClock, loopMeter())
  private readonly sockets = new Set<Socket>()
  private readonly rate = new RecentRate()
  private readonly sinceMs: number
  private readonly sampling: NodeJS.Timeout
  private pagesPerSecond = 0
  private server: Server | undefined
  private place: DeskPlace | undefined
  private isClosed = false
  /** Answers are prepared one at a time. */
  private turn: Promise<unknown> = Promise.resolve()

  constructor(options: DeskOptions) {
    const { frontier, rules, agent, clock, restCause, machines } = options
    this.sinceMs = clock()
    this.desk = new FrontierDesk({
      frontier,
      rules,
      agent,
      restCause,
      ...(machines && { machines }),
      running: () => this.running(options),
    })
    this.sampling = setInterval(() => this.sample(options), RATE_EVERY_MS).unref()
  }

  async listen(place: DeskPlace): Promise<void> {
    const server = createServer(socket => this.serve(socket))
    server.maxConnections = MOST_CONNECTIONS
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(place.path, resolve)
      // The socket exists at once, but no connection is accepted before this turn of the event loop ends.
      if (server.listening) place.protect()
    })
    server.removeAllListeners('error')
    server.on('error', () => {})
    server.unref()
    this.server = server
    this.place = place
  }

  async close(): Promise<void> {
    if (this.isClosed) return
    this.isClosed = true
    clearInterval(this.sampling)
    this.server?.close()
    for (const socket of this.sockets) socket.destroy()
    await this.turn
    this.place?.remove()
  }

  private sample({ clock, pages }: DeskOptions): void {
    this.pagesPerSecond = this.rate.at(clock(), pages())
  }

  private async running(options: DeskOptions): Promise<RunningNow> {
    const { sinceMs, pagesPerSecond } = this
    return { ...(await options.now()), pid: process.pid, sinceMs, pages: options.pages(), pagesPerSecond }
  }

  private serve(socket: Socket): void {
    this.sockets.add(socket)
    socket.unref()
    socket.on('close', () => this.sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    socket.setTimeout(IDLE_MS, () => socket.destroy())
    const lines = new LineReader(MOST_QUESTION_CHARS)
    socket.setEncoding('utf8').on('data', piece => {
      const asked = lines.read(String(piece))
      if (asked === undefined || asked.length > MOST_AHEAD) {
        socket.destroy()
        return
      }
      if (asked.length === 0) return
      socket.pause()
      this.answerAll(socket, asked)
        .then(() => socket.resume())
        .catch(() => socket.destroy())
    })
  }

  private async answerAll(socket: Socket, asked: readonly string[]): Promise<void> {
    for (const line of asked) {
      const answer = this.turn.then(() => this.answer(line))
      this.turn = answer.catch(() => {})
      const text = await answer
      if (socket.destroyed) return
      if (!socket.write(text)) await drained(socket)
    }
  }

  private async answer(line: string): Promise<string> {
    for (let ms = this.spare.waitMs(); ms > 0 && !this.isClosed; ms = this.spare.waitMs()) {
      await sleep(Math.min(ms, 100), undefined, { ref: false })
    }
    if (this.isClosed) throw new Error('closed')
    const startMs = systemClock()
    try {
      return `${JSON.stringify(await answerTo(line, this.desk))}\n`
    } finally {
      this.spare.spend(systemClock() - startMs)
    }
  }
}

/** Resolves when a slow reader has read what was written. */
async function drained(socket: Socket): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => socket.destroy(), DRAIN_MS).unref()
    const done = (settle: () => void) => () => {
      clearTimeout(late)
      socket.off('drain', onDrain)
      socket.off('close', onClose)
      settle()
    }
    const onDrain = done(resolve)
    const onClose = done(() => reject(new Error('closed')))
    socket.once('drain', onDrain)
    socket.once('close', onClose)
  })
}
