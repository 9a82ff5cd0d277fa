import { cpus, release, totalmem, type } from 'node:os'
import { join } from 'node:path'
import { type Analysis, analyze, LogFile } from '../../analysis/analyze.ts'
import {
  type Experiment,
  experimentPage,
  experimentPictures,
  type Machine,
} from '../../analysis/experiment/experiment-page.ts'
import { type Extent, runTimings, type Timings } from '../../analysis/experiment/run-experiment.ts'
import { ORIGINAL_HOSTS, recordOriginal } from '../../analysis/original-load.ts'
import { histogramRows } from '../../analysis/stack-distances.ts'
import { systemClock } from '../../base/clock.ts'
import { catalogue, type Language, language, setLanguage } from '../../base/words/language.ts'
import { printable } from '../../base/words/printable.ts'
import type { Command } from '../commands.ts'
import { noArguments } from '../terminal/arguments.ts'
import { type OptionRows, readArguments } from '../terminal/option-table.ts'
import { makeFolder, writeOutput, writeWhole } from '../terminal/output.ts'
import { say } from '../terminal/say.ts'
import { useWords, wrongUse } from '../terminal/use-words.ts'
import { runWork, WorkBar } from '../terminal/work-bar.ts'
import { HISTOGRAM_SIZE, MAP_SIZE, writeSvgs } from './analyze-command.ts'

const OPTIONS = {
  output: { short: 'o', value: 'DIR', names: 'folder' },
  quick: {},
  full: {},
  quiet: { short: 'q' },
} as const satisfies OptionRows

const TIME_SIZE = { width: 1000, height: 480 }
/** Version of the format of experiment.json; increased when the meaning of a field changes. */
const FORMAT_VERSION = 1

/** `escalona experiment`: repeats the experiments of the documentation. */
export const EXPERIMENT: Command = {
  run: experimentCommand,
  help: () => words(),
  options: OPTIONS,
}

async function experimentCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, OPTIONS)
  noArguments(positionals)
  if (values.quick && values.full) throw wrongUse(useWords().contradict('--quick', '--full'))
  const folder = values.output ?? 'experiment'
  if (folder === '') throw wrongUse(useWords().outputHasNoName)
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
    say('info', words().done(page, ((systemClock() - startMs) / 1000).toFixed(0)))
  }
  return 0
}

async function timed(extent: Extent, isQuiet: boolean, startMs: number): Promise<Timings> {
  const bar = new WorkBar(isQuiet, startMs)
  const work = runTimings(extent, systemClock)
  return runWork(work, (nowMs, { share, words }) => bar.show(nowMs, share, words)).finally(() => bar.hide())
}

async function analyzedOriginal(path: string): Promise<Analysis> {
  await writeOutput(path, async output => recordOriginal(output, systemClock))
  const log = await LogFile.open(path)
  return runWork(analyze(log), () => {}).finally(() => log.close())
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
  makeFolder(folder)
  const { times, maps, histograms } = experimentPictures(experiment)
  await writeSvgs(folder, times, TIME_SIZE)
  await writeSvgs(folder, maps, MAP_SIZE)
  await writeSvgs(folder, histograms, HISTOGRAM_SIZE)
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
    processor: first?.model.trim() ?? words().unknownProcessor,
    cores: cpus().length,
    memoryGib: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
    node: process.versions.node,
  }
}

const words = catalogue({
  en: {
    head: `Examples
  escalona experiment                    up to a million URLs: a few minutes
  escalona experiment --quick -o /tmp/x  up to 3,000 URLs: a few seconds
  escalona experiment --full             up to ten million URLs: slow, and several GB of memory

Usage: escalona experiment [options]
  -o, --output DIR  where everything goes (default experiment)
      --quick       fewer and smaller sizes
      --full        more and larger sizes
  -q, --quiet       no summary
  -h, --help        this page

Times every command against the number of URLs, in three scenarios and with all three strategies, and fits the growth;
then records the memory accesses of the original load of 26 URLs. Writes experiment.html, experiment.json, original.log
and every picture as an SVG file, with the same pictures in Portuguese in the folder pt.
`,
    done: (page: string, seconds: string) => `${page} and its pictures written, ${seconds} s`,
    unknownProcessor: 'unknown processor',
  },
  pt: {
    head: `Exemplos
  escalona experiment                    até um milhão de URLs: alguns minutos
  escalona experiment --quick -o /tmp/x  até 3.000 URLs: alguns segundos
  escalona experiment --full             até dez milhões de URLs: demorado, e alguns GB de memória

Uso: escalona experiment [opções]
  -o, --output PASTA  onde tudo é escrito (padrão experiment)
      --quick         menos tamanhos, e menores
      --full          mais tamanhos, e maiores
  -q, --quiet         sem resumo
  -h, --help          esta página

Mede o tempo de cada comando pelo número de URLs, em três cenários e com as três estratégias, e ajusta o crescimento; e
registra os acessos à memória da carga original de 26 URLs. Escreve experiment.html, experiment.json, original.log
e cada figura como arquivo SVG; na pasta en, as mesmas figuras em inglês.
`,
    done: (page, seconds) => `${page} e suas figuras escritas, ${seconds} s`,
    unknownProcessor: 'processador desconhecido',
  },
})
