import { cpus, release, totalmem, type } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { NamedPicture } from '../../analysis/analysis-page.ts'
import { type Analysis, analyze } from '../../analysis/analyze.ts'
import {
  type Experiment,
  experimentPage,
  experimentPictures,
  type Machine,
} from '../../analysis/experiment/experiment-page.ts'
import { recordOriginal } from '../../analysis/experiment/record-original.ts'
import { type Extent, runTimings, type Timings } from '../../analysis/experiment/run-experiment.ts'
import { LogFile } from '../../analysis/log-file.ts'
import { ORIGINAL_HOSTS } from '../../analysis/original-load.ts'
import { histogramRows } from '../../analysis/stack-distances.ts'
import { systemClock } from '../../base/clock.ts'
import { OutputFile } from '../../base/files/output-file.ts'
import { type Language, language, setLanguage } from '../../base/words/language.ts'
import { printable } from '../../base/words/printable.ts'
import type { Command } from '../commands.ts'
import { type OptionRows, readArguments } from '../terminal/option-table.ts'
import { say } from '../terminal/say.ts'
import { useWords } from '../terminal/use-words.ts'
import { WorkBar } from '../terminal/work-bar.ts'
import { makeFolder, writeWhole } from '../terminal/write-whole.ts'
import { wrongUse } from '../terminal/wrong-use.ts'
import { analysisWords } from './analysis-words.ts'

const OPTIONS = {
  output: { short: 'o', value: 'DIR', names: 'folder' },
  quick: {},
  full: {},
  quiet: { short: 'q' },
} as const satisfies OptionRows

const TIME_SIZE = { width: 1000, height: 480 }
const MAP_SIZE = { width: 1000, height: 600 }
const HISTOGRAM_SIZE = { width: 640, height: 380 }
/** Version of the format of experiment.json; increased when the meaning of a field changes. */
const FORMAT_VERSION = 1

const SEE = 'escalona experiment --help'

/** `escalona experiment`: repeats the experiments of the documentation. */
export const EXPERIMENT: Command = {
  run: experimentCommand,
  help: () => analysisWords().experimentHelp,
  options: OPTIONS,
}

async function experimentCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, OPTIONS, SEE)
  if (positionals.length > 0) throw wrongUse(useWords().belongsNowhere(printable(positionals[0]!)), SEE)
  if (values.quick && values.full) throw wrongUse(useWords().contradict('--quick', '--full'), SEE)
  const folder = values.output ?? 'experiment'
  if (folder === '') throw wrongUse(useWords().outputHasNoName, SEE)
  makeFolder(folder)
  const startMs = systemClock()
  const extent: Extent = values.quick ? 'quick' : values.full ? 'full' : 'usual'
  // Recording comes last: watched arrays would spoil what the compiler has learned about the real ones.
  const timings = await timed(extent, values.quiet ?? false, startMs)
  const original = await analyzedOriginal(join(folder, 'original.log'))
  const experiment: Experiment = { machine: machine(), timings, original }
  await writePictures(folder, experiment)
  await inOtherLanguage(other => writePictures(join(folder, other), experiment))
  writeWhole(join(folder, 'experiment.html'), [experimentPage(experiment)])
  writeWhole(join(folder, 'experiment.json'), [numbers(experiment, extent)])
  if (!values.quiet) {
    const page = printable(join(folder, 'experiment.html'))
    say('info', analysisWords().experimentDone(page, ((systemClock() - startMs) / 1000).toFixed(0)))
  }
  return 0
}

async function timed(extent: Extent, isQuiet: boolean, startMs: number): Promise<Timings> {
  const bar = new WorkBar(isQuiet, startMs)
  const work = runTimings(extent, systemClock)
  try {
    for (;;) {
      const { done, value } = work.next()
      if (done) return value
      bar.show(systemClock(), value.share, value.words)
      await setImmediate()
    }
  } finally {
    bar.hide()
  }
}

async function analyzedOriginal(path: string): Promise<Analysis> {
  const file = new OutputFile(path)
  try {
    recordOriginal(file, systemClock)
    file.commit()
  } finally {
    file.abandon()
  }
  const log = await LogFile.open(path)
  try {
    const work = analyze(log)
    for (;;) {
      const { done, value } = work.next()
      if (done) return value
    }
  } finally {
    log.close()
  }
}

/** Runs `write` in the other language: the documentation exists in both, made from one experiment. */
async function inOtherLanguage(write: (other: Language) => Promise<void>): Promise<void> {
  const mine = language()
  const other = mine === 'en' ? 'pt' : 'en'
  setLanguage(other)
  try {
    await write(other)
  } finally {
    setLanguage(mine)
  }
}

async function writePictures(folder: string, experiment: Experiment): Promise<void> {
  const { svgPicture } = await import('../../analysis/svg-picture.ts')
  makeFolder(folder)
  const { times, maps, histograms } = experimentPictures(experiment)
  const write = (pictures: readonly NamedPicture[], size: typeof TIME_SIZE) => {
    for (const { name, picture } of pictures) writeWhole(join(folder, `${name}.svg`), [svgPicture(picture, size)])
  }
  write(times, TIME_SIZE)
  write(maps, MAP_SIZE)
  write(histograms, HISTOGRAM_SIZE)
}

function numbers({ machine, timings, original }: Experiment, extent: Extent): string {
  const { accesses, lowestAddress, highestAddress, stacks } = original
  const figures = {
    version: FORMAT_VERSION,
    extent,
    machine,
    originalFigure: timings.originalFigure,
    series: timings.series,
    original: {
      hostOfEachUrl: ORIGINAL_HOSTS,
      accesses,
      lowestAddress,
      highestAddress,
      totals: stacks.map(({ total }) => total),
      histogram: [...histogramRows(stacks)],
    },
  }
  return `${JSON.stringify(figures, null, 1)}\n`
}

function machine(): Machine {
  const [first] = cpus()
  return {
    processor: first?.model.trim() ?? analysisWords().unknownProcessor,
    cores: cpus().length,
    memoryGib: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
    node: process.versions.node,
  }
}
