import { SchedulerCore } from '../scheduler/core.ts'
import type { Counts } from '../scheduler/counts.ts'
import type { HostId } from '../scheduler/hosts.ts'
import type { StrategyName } from '../scheduler/strategy.ts'
import { ClassicKernel } from '../url/classic-kernel.ts'
import { type Command, readCommand } from './commands.ts'
import { type ByteSource, Input } from './input.ts'
import { words } from './messages.ts'
import { type ByteSink, Printer } from './printer.ts'

export interface ScriptJob {
  readonly source: ByteSource
  readonly sink: ByteSink
  readonly strategy: StrategyName
  /** Chance, handed in: decides the hashes, so nobody can make an input that is slow on purpose. */
  readonly seed: readonly [number, number]
  /** How long the input is, when that is known; tables are sized by it. */
  readonly expectedBytes?: number
  /** How much is read at a time. */
  readonly windowBytes?: number
  /** The first mistake ends the run. */
  readonly strict?: boolean
  readonly onMistake: (line: number, message: string) => void
}

export interface ScriptResult {
  readonly counts: Counts
  readonly mistakes: number
}

const WINDOW_BYTES = 1 << 18

/** Why a run pauses: it is about to read, so the source must have something; or it has written a while. */
export type Pause = 'before reading' | 'after writing'

/**
 * Runs a command file. It pauses, by yielding, about every quarter of a megabyte read or written: there the caller waits
 * for the source, shows progress, lets signals in, or stops.
 */
export function* runScript(job: ScriptJob): Generator<Pause, ScriptResult, void> {
  const run = new ScriptRun(job)
  yield* run.steps()
  return { counts: run.core.counts, mistakes: run.mistakes }
}

class ScriptRun {
  readonly core: SchedulerCore
  mistakes = 0
  private readonly job: ScriptJob
  private readonly input: Input
  private readonly printer: Printer
  private line = 0

  constructor(job: ScriptJob) {
    this.job = job
    const kernel = new ClassicKernel(job.seed)
    this.core = new SchedulerCore(job.strategy, kernel, job.expectedBytes)
    this.input = new Input(job.source, kernel, job.windowBytes ?? WINDOW_BYTES)
    this.printer = new Printer(this.core, job.sink)
  }

  *steps(): Generator<Pause, void, void> {
    const { input } = this
    for (;;) {
      const end = input.lineEnd()
      if (end < 0) {
        yield 'before reading'
        if (input.fill()) continue
        break
      }
      if (this.line === 0) input.skipBom()
      const command = readCommand(input.bytes, input.at, end)
      input.at = end + 1
      this.line++
      if (typeof command === 'string') this.mistake(this.line, command)
      else if (command !== undefined) yield* this.obey(command)
      if (this.job.strict && this.mistakes > 0) return
    }
    this.printer.flush()
  }

  private *obey({ name, host, n }: Command): Generator<Pause, void, void> {
    const { core } = this
    switch (name) {
      case 'ADD_URLS':
        return yield* this.add(n)
      case 'ESCALONA_TUDO':
        return yield* this.schedule(Number.MAX_SAFE_INTEGER, max => core.take(max))
      case 'ESCALONA':
        return yield* this.schedule(n, max => core.take(max))
      case 'ESCALONA_HOST': {
        const id = core.hostNamed(host.start, host.end)
        return id === 0 ? undefined : yield* this.schedule(n, max => core.takeOf(id, max))
      }
      case 'VER_HOST': {
        const id = core.hostNamed(host.start, host.end)
        if (id !== 0) yield* this.show(id)
        return
      }
      case 'LISTA_HOSTS':
        return yield* this.listHosts()
      case 'LIMPA_HOST': {
        const id = core.hostNamed(host.start, host.end)
        if (id !== 0) core.clearHost(id)
        return
      }
      case 'LIMPA_TUDO':
        return core.clear()
    }
  }

  private *add(n: number): Generator<Pause, void, void> {
    const { core, input } = this
    const commandLine = this.line
    const before = core.counts.read
    for (;;) {
      if (input.lineEnd() >= 0) input.at = core.addLines(input.at, input.to, n - (core.counts.read - before))
      const read = core.counts.read - before
      this.line = commandLine + read
      if (read === n) return
      yield 'before reading'
      if (input.fill()) continue
      this.mistake(commandLine, words().cutOff(read))
      return
    }
  }

  private *listHosts(): Generator<Pause, void, void> {
    const { core, printer } = this
    let { flushes } = printer
    for (let id = 1; id <= core.hosts.known; id++) {
      printer.host(id)
      if (printer.flushes === flushes) continue
      flushes = printer.flushes
      yield 'after writing'
    }
  }

  private *schedule(n: number, take: (max: number) => number): Generator<Pause, void, void> {
    const { printer } = this
    for (let left = n; left > 0; ) {
      const count = take(left)
      if (count === 0) return
      left -= count
      const { flushes } = printer
      printer.taken(count)
      if (printer.flushes > flushes) yield 'after writing'
    }
  }

  private *show(host: HostId): Generator<Pause, void, void> {
    const { core, printer } = this
    const { taken } = core
    let count = 0
    for (const slot of core.lists.slotsOf(host)) {
      taken[count++] = slot
      if (count < taken.length) continue
      printer.urls(taken, count)
      count = 0
      yield 'after writing'
    }
    printer.urls(taken, count)
  }

  private mistake(line: number, message: string): void {
    this.mistakes++
    this.job.onMistake(line, message)
  }
}
