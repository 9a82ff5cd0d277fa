import { setImmediate } from 'node:timers/promises'
import { systemClock } from '../../base/clock.ts'
import type { OutputFile } from '../../base/files/output-file.ts'
import { printable } from '../../base/words/printable.ts'
import { shownCount, shownDecimal } from '../../base/words/quantity.ts'
import { Load, type LoadShape } from '../../generate/load.ts'
import type { SpreadLaw } from '../../generate/spread-law.ts'
import type { Command } from '../commands.ts'
import { openOutput } from '../terminal/open-output.ts'
import { type Arguments, type OptionRows, readArguments } from '../terminal/option-table.ts'
import { say } from '../terminal/say.ts'
import { useWords } from '../terminal/use-words.ts'
import { WorkBar } from '../terminal/work-bar.ts'
import { wrongUse } from '../terminal/wrong-use.ts'
import { generateWords } from './generate-words.ts'

const OPTIONS = {
  output: { short: 'o', value: 'F', names: 'file' },
  hosts: { short: 's', value: 'N' },
  urls: { short: 'u', value: 'N' },
  'url-spread': { short: 'v', value: 'N' },
  depth: { short: 'p', value: 'N' },
  'depth-spread': { short: 'q', value: 'N' },
  seed: { value: 'N' },
  quiet: {},
} as const satisfies OptionRows

const SEE = 'escalona generate --help'

/** How often the event loop gets a turn, for signals and the progress bar. */
const TURN_MS = 50

/** `escalona generate`: writes a load for the scheduler. */
export const GENERATE: Command = { run: generateCommand, help: () => generateWords().help, options: OPTIONS }

async function generateCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, OPTIONS, SEE)
  if (positionals.length > 0) throw wrongUse(useWords().belongsNowhere(printable(positionals[0]!)), SEE)
  if (values.output === undefined || values.output === '') throw wrongUse(generateWords().noOutput, SEE)
  const shape = shapeOf(values)
  const startMs = systemClock()
  const load = new Load(shape)
  const { output, signals } = openOutput(values.output)
  try {
    await write(load, output, values.quiet ?? false, startMs)
    output.commit()
  } finally {
    output.abandon()
    signals.close()
  }
  if (!values.quiet) for (const line of summary(load, shape, systemClock() - startMs)) say('info', line)
  return 0
}

async function write(load: Load, output: OutputFile, isQuiet: boolean, startMs: number): Promise<void> {
  const bar = new WorkBar(isQuiet, startMs)
  let bytes = 0
  let turnMs = startMs
  try {
    for (const chunk of load.chunks()) {
      output.write(chunk)
      bytes += chunk.length
      const nowMs = systemClock()
      if (nowMs - turnMs < TURN_MS) continue
      turnMs = nowMs
      bar.show(nowMs, load.written / load.urls, generateWords().written((bytes / 1e6).toFixed(0)))
      await setImmediate()
    }
  } finally {
    bar.hide()
  }
}

function summary(load: Load, shape: LoadShape, elapsedMs: number): string[] {
  const words = generateWords()
  return [
    words.summary(shownCount(load.urls), shownCount(shape.hosts), shownDecimal(elapsedMs / 1000, 2)),
    ...note(words.urlsPerHost, shape.urlSpread, load.urlLaw),
    ...note(words.depth, shape.depthSpread, load.depthLaw),
  ]
}

/** Not every standard deviation is possible with whole numbers from 1 up; if the one asked for is not, says what it became. */
function note(what: string, asked: number, law: SpreadLaw): string[] {
  if (Math.abs(law.spread - asked) <= 0.01 * Math.max(asked, 0.1)) return []
  return [generateWords().noSpread(shownDecimal(law.mean, 2), String(asked), what, shownDecimal(law.spread, 2))]
}

function shapeOf(values: Arguments<typeof OPTIONS>['values']): LoadShape {
  return {
    hosts: numberOf('-s', values.hosts, 10),
    urls: numberOf('-u', values.urls, 3),
    urlSpread: numberOf('-v', values['url-spread'], 1),
    depth: numberOf('-p', values.depth, 3),
    depthSpread: numberOf('-q', values['depth-spread'], 1),
    seed: numberOf('--seed', values.seed, 1),
  }
}

function numberOf(option: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise
  if (!/^\d+(?:\.\d+)?(?:e\d+)?$/i.test(text)) throw wrongUse(generateWords().notNumber(option, printable(text)), SEE)
  return Number(text)
}
