import type { FilePlace } from '../base/files/byte-input.ts'
import { said } from '../base/messages/message.ts'
import { LF } from '../base/structures/bytes.ts'
import { type Counts, SchedulerCore } from '../scheduler/core.ts'
import type { HostId } from '../scheduler/hosts.ts'
import type { StrategyName } from '../scheduler/strategy.ts'
import { ClassicKernel, SCHEME } from '../url/classic-kernel.ts'
import { CHUNK_BYTES, ScriptChunk } from './chunk.ts'
import { isUnknownAdd, isUrl, readCommand, type ScriptCommand, type Word } from './commands.ts'
import type { ReadAhead } from './read-ahead.ts'
import { type ByteSource, Input, ScriptReader } from './script-reader.ts'

interface ScriptJob {
  readonly source: ByteSource
  readonly sink: ByteSink
  readonly strategy: StrategyName
  /** Random: decides the hashes, so that no input can be made slow on purpose. */
  readonly seed: readonly [number, number]
  /** How long the input is, when that is known; tables are sized by it. */
  readonly expectedBytes?: number
  /** How much is read at a time. */
  readonly windowBytes?: number
  /** Given, a second thread reads the file ahead, as soon as it has started. */
  readonly ahead?: FileAhead
  /** The first mistake ends the run. */
  readonly strict?: boolean
  readonly onMistake: (line: number, message: string) => void
  /** A line that is right, but probably not what was meant. */
  readonly onWarning?: (line: number, message: string) => void
}

/** The source is a file that a second thread can read. */
export interface FileAhead {
  /** Starts the thread. */
  start(...given: ConstructorParameters<typeof ReadAhead>): ReadAhead
  /** Where the source goes on. */
  place(): FilePlace
  /** This much of the file has been read. */
  onRead(bytes: number): void
}

export interface ScriptResult {
  readonly counts: Counts
  readonly mistakes: number
}

const WINDOW_BYTES = 1 << 18

/** Why a run pauses: it is about to read, so the source must have something; or to write, so the sink must be done with what it got. */
export type Pause = 'before reading' | 'before writing'

/**
 * Runs a command file. It pauses, by yielding, about every quarter of a megabyte read or written: there the caller waits
 * for the source or the sink, shows progress, lets signals in, or stops.
 */
export function* runScript(job: ScriptJob): Generator<Pause, ScriptResult, void> {
  const run = new ScriptRun(job)
  yield* run.steps()
  return { counts: run.core.counts, mistakes: run.mistakes }
}

class ScriptRun {
  readonly core: SchedulerCore
  mistakes = 0
  /** A misspelt ADD_URLS, and how many lines with URLs followed it so far. */
  private unknownAdd: { readonly line: number; readonly message: string; urls: number } | undefined
  private readonly job: ScriptJob
  private readonly kernel: ClassicKernel
  private readonly printer: Printer
  private readonly windowBytes: number

  constructor(job: ScriptJob) {
    this.job = job
    this.windowBytes = job.windowBytes ?? WINDOW_BYTES
    this.kernel = new ClassicKernel(job.seed)
    this.core = new SchedulerCore(job.strategy, this.kernel, job.expectedBytes)
    this.printer = new Printer(this.core, job.sink)
  }

  get isOver(): boolean {
    return this.job.strict === true && this.mistakes > 0
  }

  *steps(): Generator<Pause, void, void> {
    const { core, job } = this
    const ahead = job.ahead?.start(core.pieces, job.seed, this.windowBytes)
    try {
      yield* this.read(ahead)
    } finally {
      ahead?.end()
    }
    if (this.unknownAdd !== undefined) this.endUnknownAdd()
    if (!this.isOver) yield* this.written(this.printer.flush())
  }

  /** Reads the file and does what it says, chunk by chunk; from when another thread is ready, that one reads. */
  private *read(ahead: ReadAhead | undefined): Generator<Pause, void, void> {
    const { core, job } = this
    const kernel = new ClassicKernel(job.seed)
    const input = new Input(job.source, kernel, this.windowBytes)
    const at = core.pieces.table(CHUNK_BYTES, 'batch')
    const chunk = new ScriptChunk(core.memory.bytes.buffer, at)
    const reader = new ScriptReader(input, kernel, () => chunk)
    for (const pause of reader.steps()) {
      yield* this.use(chunk)
      if (this.isOver) return
      chunk.clear()
      if (ahead?.isReady && input.unused !== undefined) {
        const place = job.ahead!.place()
        ahead.goOnFrom({ ...place, at: place.at - input.unused }, reader.progress)
        yield* this.useAll(ahead)
        return
      }
      if (pause === 'before reading') yield pause
    }
    yield* this.use(chunk)
  }

  private *useAll(ahead: ReadAhead): Generator<Pause, void, void> {
    for (const chunk of ahead.chunks(this.job.ahead!.onRead)) {
      if (chunk !== undefined) yield* this.use(chunk)
      if (this.isOver) return
      yield 'before reading'
    }
  }

  /** Does what a chunk says. */
  private *use(chunk: ScriptChunk): Generator<Pause, void, void> {
    const { core, job } = this
    for (const part of chunk.parts()) {
      if (this.unknownAdd !== undefined && !(part.kind === 'command' && isUrl(part.text))) this.endUnknownAdd()
      if (part.kind === 'lines') {
        if (part.batch.rows > 0) core.addBatch(part.batch)
        core.count(part.lines, part.refused)
      } else if (part.kind === 'cut off') this.mistake(part.line, said('script/cut-off', { urls: part.urls }))
      else if (part.kind === 'swallowed')
        job.onWarning?.(part.line, said('script/swallowed', { name: part.text.toString('latin1') }))
      else yield* this.obeyLine(part.line, part.text)
      if (this.isOver) return
    }
  }

  private *obeyLine(line: number, text: Buffer): Generator<Pause, void, void> {
    if (this.unknownAdd !== undefined) {
      this.unknownAdd.urls++
      return
    }
    const command = readCommand(text, 0, text.length)
    if (typeof command === 'object') yield* this.obey(command, text)
    else if (this.job.strict !== true && isUnknownAdd(text)) this.unknownAdd = { line, message: command!, urls: 0 }
    else this.mistake(line, command!)
  }

  /** One message for a misspelt ADD_URLS and all its URLs. */
  private endUnknownAdd(): void {
    const { line, message, urls } = this.unknownAdd!
    this.unknownAdd = undefined
    this.mistake(line, urls === 0 ? message : said('script/with-urls', { mistake: message, urls }))
  }

  private *obey({ name, host, n }: ScriptCommand, text: Buffer): Generator<Pause, void, void> {
    const { core } = this
    switch (name) {
      case 'ADD_URLS':
        return
      case 'ESCALONA_TUDO':
        return yield* this.schedule(Number.MAX_SAFE_INTEGER, max => core.take(max))
      case 'ESCALONA':
        return yield* this.schedule(n, max => core.take(max))
      case 'ESCALONA_HOST': {
        const id = this.hostIn(text, host)
        return id === 0 ? undefined : yield* this.schedule(n, max => core.takeOf(id, max))
      }
      case 'VER_HOST': {
        const id = this.hostIn(text, host)
        if (id !== 0) yield* this.show(id)
        return
      }
      case 'LISTA_HOSTS':
        return yield* this.written(this.printer.hosts())
      case 'LIMPA_HOST': {
        const id = this.hostIn(text, host)
        if (id !== 0) core.clearHost(id)
        return
      }
      case 'LIMPA_TUDO':
        return core.clear()
    }
  }

  /** The host that a command names; 0 when it is not known. */
  private hostIn(text: Buffer, { start, end }: Word): HostId {
    const nameEnd = this.kernel.putRaw(text.subarray(start, end))
    return this.core.hostNamed(this.kernel.start, nameEnd)
  }

  private *schedule(n: number, take: (max: number) => number): Generator<Pause, void, void> {
    for (let left = n; left > 0; ) {
      const count = take(left)
      if (count === 0) return
      left -= count
      yield* this.written(this.printer.urls(this.core.takenAt, count))
    }
  }

  private *show(host: HostId): Generator<Pause, void, void> {
    for (const [slotsAt, count] of this.core.shown(host)) yield* this.written(this.printer.urls(slotsAt, count))
  }

  private *written(printing: Iterable<void>): Generator<Pause, void, void> {
    for (const _ of printing) yield 'before writing'
  }

  private mistake(line: number, message: string): void {
    this.mistakes++
    this.job.onMistake(line, message)
  }
}

/** Where bytes go. Those of one `write` stay as they are until the next. */
interface ByteSink {
  write(bytes: Buffer): void
}

/** Writes URLs and hosts, one per line, into a buffer that goes to the sink whenever it is full; it pauses before each time. */
class Printer {
  private readonly core: SchedulerCore
  private readonly sink: ByteSink

  constructor(core: SchedulerCore, sink: ByteSink) {
    this.core = core
    this.sink = sink
  }

  /** Writes the URLs whose `count` slots are at an address. */
  *urls(slotsAt: number, count: number): Generator<void, void, void> {
    const { lines } = this.core
    for (let done = 0; done < count; ) {
      const written = lines.addUrls(slotsAt + 4 * done, count - done)
      done += written
      if (done === count) return
      const isTooLong = written === 0 && lines.isEmpty
      if (isTooLong) yield* this.long(SCHEME, this.core.urls.text(this.core.slotAt(slotsAt + 4 * done++)))
      else yield* this.flush()
    }
  }

  /** Writes the names of all known hosts, the same way. */
  *hosts(): Generator<void, void, void> {
    const { lines, hosts } = this.core
    for (let host = 1; host <= hosts.known; ) {
      const written = lines.addHosts(host, hosts.known + 1 - host)
      host += written
      if (host > hosts.known) return
      const isTooLong = written === 0 && lines.isEmpty
      if (isTooLong) yield* this.long('', hosts.nameBytes(host++))
      else yield* this.flush()
    }
  }

  *flush(): Generator<void, void, void> {
    const { lines } = this.core
    if (lines.isEmpty) return
    yield
    this.sink.write(lines.take())
  }

  /** A line that is longer than the buffer. Its text is a view of the store, and written before anything moves it. */
  private *long(prefix: string, text: Buffer): Generator<void, void, void> {
    for (const part of [Buffer.from(prefix, 'latin1'), text, Buffer.of(LF)]) {
      yield
      this.sink.write(part)
    }
  }
}
