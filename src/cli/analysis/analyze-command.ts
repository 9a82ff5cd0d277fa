import { basename, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import {
  analysisPage,
  drawnMaps,
  histogramPictures,
  mapPictures,
  type NamedPicture,
} from '../../analysis/analysis-page.ts'
import { type Analysis, analyze, LogFile } from '../../analysis/analyze.ts'
import { BadLog } from '../../analysis/log-parser.ts'
import { histogramRows } from '../../analysis/stack-distances.ts'
import type { SvgSize } from '../../analysis/svg-picture.ts'
import { systemClock } from '../../base/clock.ts'
import { catalogue } from '../../base/words/language.ts'
import { printable } from '../../base/words/printable.ts'
import { shownCount, shownDecimal } from '../../base/words/quantity.ts'
import type { Command } from '../commands.ts'
import { type OptionRows, readArguments } from '../terminal/option-table.ts'
import { isSameFile, makeFolder, writeWhole } from '../terminal/output.ts'
import { say, tell } from '../terminal/say.ts'
import { useWords, wrongUse } from '../terminal/use-words.ts'
import { runWork, WorkBar } from '../terminal/work-bar.ts'

const OPTIONS = {
  output: { short: 'o', value: 'F', names: 'file' },
  json: {},
  svg: { value: 'DIR', names: 'folder' },
  all: {},
  quiet: { short: 'q' },
} as const satisfies OptionRows

const PART_LENGTH = 1 << 16
export const MAP_SIZE = { width: 1000, height: 600 }
export const HISTOGRAM_SIZE = { width: 640, height: 380 }

/** `escalona analyze`: draws what a log of memory accesses shows. */
export const ANALYZE: Command = {
  run: analyzeCommand,
  help: () => words(),
  options: OPTIONS,
  names: 'file',
}

async function analyzeCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, OPTIONS)
  const [path, extra] = positionals
  if (path === undefined) throw wrongUse(words().noLog)
  if (extra !== undefined) throw wrongUse(useWords().oneAtATime(words().log, printable(extra)))
  const outputPath = values.output ?? (values.json ? '-' : 'analysis.html')
  if (outputPath === '') throw wrongUse(useWords().outputHasNoName)
  if (isSameFile(path, outputPath)) throw wrongUse(words().logIsOutput(printable(outputPath)))
  const name = path === '-' ? '<stdin>' : printable(path)
  const startMs = systemClock()
  let analysis: Analysis
  try {
    analysis = await read(path, values.quiet ?? false, startMs)
  } catch (error) {
    if (!(error instanceof BadLog)) throw error
    tell(`${name}:${error.line}: ${error.message}\n`)
    return 1
  }
  const drawn = values.all ? analysis.maps : drawnMaps(analysis)
  if (values.svg === '') throw wrongUse(words().svgFolder)
  if (values.svg !== undefined) {
    makeFolder(values.svg)
    await writeSvgs(values.svg, mapPictures(analysis, drawn), MAP_SIZE)
    await writeSvgs(values.svg, histogramPictures(analysis), HISTOGRAM_SIZE)
  }
  const logName = path === '-' ? words().standardInput : basename(path)
  writeWhole(outputPath, values.json ? numbers(analysis) : [analysisPage(analysis, logName, drawn)])
  if (!values.quiet) {
    const seconds = shownDecimal((systemClock() - startMs) / 1000, 2)
    say('info', words().analyzed(shownCount(analysis.accesses), shownCount(analysis.maps.length), seconds))
    if (!analysis.isWhole) say('warn', words().cutOff(name))
  }
  return 0
}

async function read(path: string, isQuiet: boolean, startMs: number): Promise<Analysis> {
  const log = await LogFile.open(path)
  const bar = new WorkBar(isQuiet, startMs)
  try {
    return await runWork(analyze(log), (nowMs, share) =>
      bar.show(nowMs, share, share < 0.5 ? words().reach : words().distances),
    )
  } finally {
    bar.hide()
    log.close()
  }
}

/** One line per row, so that people can read it too; generated piece by piece, since there may be millions. */
function* numbers({ accesses, isWhole, lowestAddress, highestAddress, stacks }: Analysis): Generator<string> {
  yield `${JSON.stringify({ accesses, isWhole, lowestAddress, highestAddress }).slice(0, -1)},\n"histogram":[`
  let part = '\n'
  for (const row of histogramRows(stacks)) {
    part += JSON.stringify(row)
    if (part.length > PART_LENGTH) {
      yield part
      part = ''
    }
    part += ',\n'
  }
  const totals = stacks.map(({ total }) => JSON.stringify(total))
  yield `${part.replace(/,\n$/, '\n')}],\n"totals":[\n${totals.join(',\n')}\n]}\n`
}

/** Writes pictures as SVG files. */
export async function writeSvgs(folder: string, pictures: Iterable<NamedPicture>, size: SvgSize): Promise<void> {
  const { svgPicture } = await import('../../analysis/svg-picture.ts')
  for (const { name, picture } of pictures) {
    writeWhole(join(folder, `${name}.svg`), [svgPicture(picture, size)])
    await setImmediate()
  }
}

const words = catalogue({
  en: {
    head: `Examples
  escalona coleta1.txt -l access.log                 record every access to memory
  escalona analyze access.log -o analysis.html       draw the access maps and stack distances
  escalona analyze access.log --svg figures          also write SVG files, for a paper
  escalona analyze access.log --json                 print only the numbers

Usage: escalona analyze LOG [options]
  -o, --output F   the page to write (default analysis.html), or the numbers with --json; - is standard output
      --json       print the numbers instead: histogram, rows of [phase, id, distance, count], and totals
      --svg DIR    also write every picture as an SVG file into this folder
      --all        the access maps of all structures; otherwise of the ten busiest, where there are more than 20
  -q, --quiet      no summary
  -h, --help       this page

Exit codes: 0 success, 1 mistakes in LOG, 2 wrong usage or unusable file
`,
    noLog: 'analyze needs a LOG',
    log: 'LOG',
    logIsOutput: (path: string) => `${path} is the log itself; name another output with -o`,
    svgFolder: '--svg takes the name of a folder',
    standardInput: 'standard input',
    reach: 'finding the extent of the log',
    distances: 'measuring stack distances',
    analyzed: (accesses: string, structures: string, seconds: string) =>
      `${accesses} accesses of ${structures} structures analyzed, ${seconds} s`,
    cutOff: (name: string) => `${name} is cut off: its last line, F, is missing`,
  },
  pt: {
    head: `Exemplos
  escalona coleta1.txt -l access.log                 registra cada acesso à memória
  escalona analyze access.log -o analysis.html       desenha mapas de acesso e distâncias de pilha
  escalona analyze access.log --svg figuras          também como arquivos SVG, para um artigo
  escalona analyze access.log --json                 só os números

Uso: escalona analyze LOG [opções]
  -o, --output F   a página a escrever (padrão analysis.html), ou os números com --json; - é a saída padrão
      --json       escreve os números: histograma, linhas de [fase, id, distância, contagem], e totais
      --svg PASTA  escreve também cada figura como arquivo SVG nessa pasta
      --all        mapas de acesso de todas as estruturas; sem ela, das dez mais usadas quando são mais de 20
  -q, --quiet      sem resumo
  -h, --help       esta página

Códigos de saída: 0 sucesso, 1 erros no LOG, 2 uso errado ou arquivo inutilizável
`,
    noLog: 'analyze precisa de um LOG',
    log: 'LOG',
    logIsOutput: path => `${path} é o próprio registro; indique outra saída com -o`,
    svgFolder: '--svg recebe o nome de uma pasta',
    standardInput: 'entrada padrão',
    reach: 'vendo até onde vai o registro',
    distances: 'medindo distâncias de pilha',
    analyzed: (accesses, structures, seconds) =>
      `${accesses} acessos de ${structures} estruturas analisados, ${seconds} s`,
    cutOff: name => `${name} está cortado: falta a última linha, F`,
  },
})
