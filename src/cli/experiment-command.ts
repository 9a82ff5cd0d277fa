import { cpus, release, totalmem, type } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { NamedPicture } from '../analysis/analysis-page.ts'
import { type Analysis, analyze } from '../analysis/analyze.ts'
import {
  type Experiment,
  experimentPage,
  experimentPictures,
  type Machine,
} from '../analysis/experiment/experiment-page.ts'
import { recordOriginal } from '../analysis/experiment/record-original.ts'
import { type Extent, runTimings, type Timings } from '../analysis/experiment/run-experiment.ts'
import { LogFile } from '../analysis/log-file.ts'
import { ORIGINAL_HOSTS } from '../analysis/original-load.ts'
import { histogramRows } from '../analysis/stack-distances.ts'
import { systemClock } from '../base/clock.ts'
import { OutputFile } from '../base/files/output-file.ts'
import { printable } from '../base/words/printable.ts'
import { answer, tell } from './tell.ts'
import { WorkBar } from './work-bar.ts'
import { makeFolder, writeWhole } from './write-whole.ts'
import { wrongArguments, wrongUse } from './wrong-use.ts'

const HELP = `Examples
  escalona experiment                    up to a million URLs: a few minutes
  escalona experiment --quick -o /tmp/x  up to 3,000 URLs: a few seconds
  escalona experiment --full             up to ten million URLs: long, and some GB of memory

Usage: escalona experiment [options]
  -o, --output DIR  where everything goes (default experiment)
      --quick       fewer and smaller sizes
      --full        more and larger sizes
  -q, --quiet       no summary
  -h, --help        this page

Times every command over the number of URLs, in three scenarios and with the three strategies, and fits the growth; and
records the memory accesses of the original's load of 26 URLs. Writes experiment.html, experiment.json, original.log
and every picture as an SVG file.
`

const TIME_SIZE = { width: 1000, height: 480 }
const MAP_SIZE = { width: 1000, height: 600 }
const HISTOGRAM_SIZE = { width: 640, height: 380 }
/** Of experiment.json; grows when a field changes its meaning. */
const FORMAT_VERSION = 1

const SEE = 'escalona experiment --help'

/** `escalona experiment`: the experiments of the documentation, made anew. Returns the exit code. */
export async function experimentCommand(args: readonly string[]): Promise<number> {
  const values = parsed(args)
  if (values.help) {
    answer(HELP)
    return 0
  }
  if (values.quick && values.full) throw wrongUse('--quick and --full contradict each other', SEE)
  const folder = values.output ?? 'experiment'
  if (folder === '') throw wrongUse('the output has no name', SEE)
  makeFolder(folder)
  const startMs = systemClock()
  const extent: Extent = values.quick ? 'quick' : values.full ? 'full' : 'usual'
  // Recording comes last: watched arrays would spoil what the compiler has learned about the real ones.
  const timings = await timed(extent, values.quiet ?? false, startMs)
  const original = await analyzedOriginal(join(folder, 'original.log'))
  const experiment: Experiment = { machine: machine(), timings, original }
  await writePictures(folder, experiment)
  writeWhole(join(folder, 'experiment.html'), [experimentPage(experiment)])
  writeWhole(join(folder, 'experiment.json'), [numbers(experiment, extent)])
  if (!values.quiet) {
    const page = printable(join(folder, 'experiment.html'))
    tell(`escalona: ${page} and its pictures written, ${((systemClock() - startMs) / 1000).toFixed(0)} s\n`)
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

async function writePictures(folder: string, experiment: Experiment): Promise<void> {
  const { svgPicture } = await import('../analysis/svg-picture.ts')
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
    processor: first?.model.trim() ?? 'unknown processor',
    cores: cpus().length,
    memoryGib: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
    node: process.versions.node,
  }
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        output: { type: 'string', short: 'o' },
        quick: { type: 'boolean' },
        full: { type: 'boolean' },
        quiet: { type: 'boolean', short: 'q' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values
  } catch (error) {
    throw wrongArguments(error, SEE)
  }
}
