import { availableParallelism } from 'node:os'
import { format, parse } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { systemClock } from '../../base/clock.ts'
import { EscalonaError } from '../../base/errors.ts'
import { type ByteInput, openInput } from '../../base/files/byte-input.ts'
import type { OutputFile } from '../../base/files/output-file.ts'
import { seedOfOneRun } from '../../base/random.ts'
import { closest } from '../../base/words/closest.ts'
import { printable } from '../../base/words/printable.ts'
import { shownDecimal } from '../../base/words/quantity.ts'
import { STRATEGY_NAMES, type StrategyName } from '../../scheduler/strategy.ts'
import { type FileAhead, runScript, type ScriptResult } from '../../script/run-script.ts'
import type { Command } from '../commands.ts'
import { type OptionRows, readArguments } from '../terminal/option-table.ts'
import { isSameFile, isSameOutput, type OpenOutput, openOutput } from '../terminal/output.ts'
import { tell } from '../terminal/say.ts'
import { useWords, wrongUse } from '../terminal/use-words.ts'
import { WorkBar } from '../terminal/work-bar.ts'
import { runWords } from './run-words.ts'

const OPTIONS = {
  strategy: { short: 'e', value: 'S', choices: STRATEGY_NAMES },
  breadth: { short: 'b' },
  output: { short: 'o', value: 'F', names: 'file' },
  log: { short: 'l', value: 'F', names: 'file' },
  quiet: { short: 'q' },
  strict: {},
} as const satisfies OptionRows

/** The strategies as they may be written; the assignment names them in Portuguese. */
const STRATEGIES = {
  depth: 'depth',
  breadth: 'breadth',
  best: 'best',
  profundidade: 'depth',
  largura: 'breadth',
  melhor: 'best',
} as const satisfies Record<string, StrategyName>

/** `escalona FILE` and `escalona run FILE`: runs a command file. */
export const RUN: Command = { run: runCommand, help: runWords, options: OPTIONS, names: 'file' }

interface RunOptions {
  readonly inputPath: string
  readonly outputPath: string
  /** Where memory accesses are recorded; undefined when they are not. */
  readonly logPath: string | undefined
  readonly strategy: StrategyName
  readonly isQuiet: boolean
  readonly isStrict: boolean
}

/** How often the event loop gets a turn, for signals and the progress bar. */
const TURN_MS = 50
const LEAST_BYTES_FOR_A_THREAD = 1 << 25

async function runCommand(args: readonly string[]): Promise<number> {
  const options = readOptions(args)
  const startMs = systemClock()
  const input = openInput(options.inputPath)
  const { output, signals } = openOutput(options.outputPath, options.isStrict)
  const log = options.logPath === undefined ? undefined : openLog(options.logPath, { output, signals })
  const abandon = () => {
    output.abandon()
    log?.output.abandon()
  }
  try {
    const result = await run(options, input, output, log?.output, startMs)
    await output.ready()
    if (options.isStrict && result.mistakes > 0) abandon()
    else {
      output.commit()
      log?.output.commit()
    }
    if (!options.isQuiet) tell(summary(result, systemClock() - startMs))
    return result.mistakes > 0 ? 1 : 0
  } finally {
    await output.idle()
    abandon()
    signals.close()
    log?.signals.close()
    input.close()
  }
}

/** A log that can't be opened must not leave the unfinished output behind. */
function openLog(path: string, { output, signals }: OpenOutput): OpenOutput {
  try {
    return openOutput(path)
  } catch (error) {
    output.abandon()
    signals.close()
    throw error
  }
}

async function run(
  options: RunOptions,
  input: ByteInput,
  output: OutputFile,
  log: OutputFile | undefined,
  startMs: number,
): Promise<ScriptResult> {
  const name = options.inputPath === '-' ? '<stdin>' : printable(options.inputPath)
  let notices = ''
  const recording = log && (await import('../../analysis/recording.ts')).startRecording(input, log, systemClock)
  const shown = { bytesRead: 0 }
  const ahead = recording === undefined && isWorthAThread(input) ? await fileAhead(input, shown) : undefined
  const notice = (line: number, message: string) => {
    notices += `${name}:${line}: ${message}\n`
  }
  const steps = runScript({
    source: recording?.source ?? input,
    sink: { write: bytes => output.writeBehind(bytes) },
    strategy: options.strategy,
    seed: seedOfOneRun(),
    strict: options.isStrict,
    ...(input.bytes !== undefined && { expectedBytes: input.bytes }),
    ...(ahead !== undefined && { ahead }),
    onMistake: notice,
    onWarning: notice,
  })
  const bar = new WorkBar(options.isQuiet, startMs)
  try {
    let turnMs = startMs
    for (;;) {
      const { done, value } = steps.next()
      if (notices !== '') {
        bar.hide()
        tell(notices)
        notices = ''
      }
      if (done) return value
      await (value === 'before reading' ? input.ready() : output.ready())
      const nowMs = systemClock()
      if (nowMs - turnMs < TURN_MS) continue
      turnMs = nowMs
      shown.bytesRead = Math.max(shown.bytesRead, input.bytesRead)
      const share = input.bytes ? shown.bytesRead / input.bytes : undefined
      bar.show(nowMs, share, runWords().read((shown.bytesRead / 1e6).toFixed(0)))
      await setImmediate()
    }
  } finally {
    bar.hide()
    recording?.end()
  }
}

/** A second thread pays off for a large file, if there is a second core for it. */
function isWorthAThread({ bytes, place }: ByteInput): boolean {
  return place !== undefined && bytes! >= LEAST_BYTES_FOR_A_THREAD && availableParallelism() > 1
}

/** The thread's code is loaded only when it is needed. */
async function fileAhead(input: ByteInput, shown: { bytesRead: number }): Promise<FileAhead> {
  const { ReadAhead } = await import('../../script/read-ahead.ts')
  return {
    start: (...given) => new ReadAhead(...given),
    place: () => input.place!,
    onRead: bytes => void (shown.bytesRead = bytes),
  }
}

/** The one-line summary of a run. */
function summary({ counts, mistakes }: ScriptResult, elapsedMs: number): string {
  const words = runWords().summary
  const { protocol, malformed, extension } = counts.refused
  const parts = [
    words.read(counts.read),
    words.accepted(counts.accepted),
    words.duplicates(counts.duplicates),
    words.refused(protocol + malformed + extension, counts.refused),
    words.scheduled(counts.scheduled),
    words.hosts(counts.hosts),
    `${shownDecimal(elapsedMs / 1000, 2)} s`,
    ...(mistakes > 0 ? [words.mistakes(mistakes)] : []),
  ]
  return `escalona: ${parts.join(', ')}\n`
}

function readOptions(args: readonly string[]): RunOptions {
  const { values, positionals } = readArguments(args, OPTIONS)
  const [inputPath, extra] = positionals
  if (inputPath === undefined) throw wrongUse(runWords().noFile)
  if (extra !== undefined) throw wrongUse(useWords().oneAtATime(runWords().file, printable(extra)))
  const outputPath = values.output ?? outputPathFor(inputPath)
  if (outputPath === '') throw wrongUse(useWords().outputHasNoName)
  if (isSameFile(inputPath, outputPath)) {
    const name = outputPath === '-' ? runWords().standardOutput : printable(outputPath)
    throw new EscalonaError('SCRIPT_OUTPUT_IS_INPUT', runWords().outputIsInput(name))
  }
  const logPath = values.log
  if (logPath === '') throw wrongUse(runWords().logHasNoName)
  if (logPath !== undefined && (isSameFile(inputPath, logPath) || isSameOutput(outputPath, logPath)))
    throw wrongUse(runWords().logIsOther(printable(logPath)))
  return {
    inputPath,
    outputPath,
    logPath,
    strategy: strategyOf(values.strategy, values.breadth),
    isQuiet: values.quiet ?? false,
    isStrict: values.strict ?? false,
  }
}

function strategyOf(name: string | undefined, isBreadth: boolean | undefined): StrategyName {
  const wanted = name ?? (isBreadth ? 'breadth' : 'depth')
  const known = Object.hasOwn(STRATEGIES, wanted) ? STRATEGIES[wanted as keyof typeof STRATEGIES] : undefined
  if (known === undefined) {
    const meant = closest(wanted, Object.keys(STRATEGIES))
    throw wrongUse(runWords().noStrategy(printable(wanted), STRATEGY_NAMES.join(', '), meant))
  }
  if (isBreadth && known !== 'breadth') throw wrongUse(useWords().contradict('-b', `-e ${known}`))
  return known
}

/** `coleta1.txt` → `coleta1-out.txt`, in the same folder. */
function outputPathFor(inputPath: string): string {
  if (inputPath === '-') return '-'
  const { root, dir, name, ext } = parse(inputPath)
  return format({ root, dir, name: `${name}-out`, ext })
}
