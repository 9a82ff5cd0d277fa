import { basename, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { analysisPage, histogramPictures, mapPictures, type NamedPicture } from '../analysis/analysis-page.ts'
import { type Analysis, analyze } from '../analysis/analyze.ts'
import { LogFile } from '../analysis/log-file.ts'
import { BadLog } from '../analysis/log-parser.ts'
import { histogramRows } from '../analysis/stack-distances.ts'
import { systemClock } from '../base/clock.ts'
import { printable } from '../base/words/printable.ts'
import { isSameFile } from './same-file.ts'
import { answer, tell } from './tell.ts'
import { WorkBar } from './work-bar.ts'
import { makeFolder, writeWhole } from './write-whole.ts'
import { wrongArguments, wrongUse } from './wrong-use.ts'

const HELP = `Examples
  escalona coleta1.txt -l access.log                 record every access to memory
  escalona analyze access.log -o analysis.html       draw the access maps and stack distances
  escalona analyze access.log --svg figures          also as SVG files, for a paper
  escalona analyze access.log --json                 only the numbers

Usage: escalona analyze LOG [options]
  -o, --output F   the page to write (default analysis.html), or the numbers with --json; - is standard output
      --json       print the numbers instead: histogram, rows of [phase, id, distance, count], and totals
      --svg DIR    also write every picture as an SVG file into this folder
  -q, --quiet      no summary
  -h, --help       this page

Exit codes: 0 fine, 1 mistakes in LOG, 2 wrong use or unusable file
`

const SEE = 'escalona analyze --help'

/** The event loop gets a turn this often: for signals and the progress bar. */
const TURN_MS = 50
const PART_LENGTH = 1 << 16
const MAP_SIZE = { width: 1000, height: 600 }
const HISTOGRAM_SIZE = { width: 640, height: 380 }

/** `escalona analyze`: what a log of accesses to memory tells. Returns the exit code. */
export async function analyzeCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = parsed(args)
  if (values.help) {
    answer(HELP)
    return 0
  }
  const [path, extra] = positionals
  if (path === undefined) throw wrongUse('analyze needs a LOG', SEE)
  if (extra !== undefined) throw wrongUse(`one LOG at a time; remove ${printable(extra)}`, SEE)
  const outputPath = values.output ?? (values.json ? '-' : 'analysis.html')
  if (outputPath === '') throw wrongUse('the output has no name', SEE)
  if (isSameFile(path, outputPath)) {
    throw wrongUse(`${printable(outputPath)} is the log itself; name another output with -o`, SEE)
  }
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
  if (values.svg === '') throw wrongUse('--svg takes the name of a folder', SEE)
  if (values.svg !== undefined) await writeSvgs(analysis, values.svg)
  const logName = path === '-' ? 'standard input' : basename(path)
  writeWhole(outputPath, values.json ? numbers(analysis) : [analysisPage(analysis, logName)])
  if (!values.quiet) {
    const counts = `${analysis.accesses.toLocaleString('en-US')} accesses of ${analysis.maps.length} structures`
    tell(`escalona: ${counts} analyzed, ${((systemClock() - startMs) / 1000).toFixed(2)} s\n`)
    if (!analysis.isWhole) tell(`escalona: ${name} is cut off: its last line, F, is missing\n`)
  }
  return 0
}

async function read(path: string, isQuiet: boolean, startMs: number): Promise<Analysis> {
  const log = await LogFile.open(path)
  const bar = new WorkBar(isQuiet, startMs)
  try {
    const work = analyze(log)
    let turnMs = startMs
    for (;;) {
      const { done, value } = work.next()
      if (done) return value
      const nowMs = systemClock()
      if (nowMs - turnMs < TURN_MS) continue
      turnMs = nowMs
      bar.show(nowMs, value, value < 0.5 ? 'looking how far the log reaches' : 'measuring stack distances')
      await setImmediate()
    }
  } finally {
    bar.hide()
    log.close()
  }
}

/** One line a row, so that a person can read it too; piece by piece, since there may be millions. */
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

async function writeSvgs(analysis: Analysis, folder: string): Promise<void> {
  makeFolder(folder)
  const { svgPicture } = await import('../analysis/svg-picture.ts')
  const write = async ({ name, picture }: NamedPicture, size: typeof MAP_SIZE) => {
    writeWhole(join(folder, `${name}.svg`), [svgPicture(picture, size)])
    await setImmediate()
  }
  for (const picture of mapPictures(analysis)) await write(picture, MAP_SIZE)
  for (const picture of histogramPictures(analysis)) await write(picture, HISTOGRAM_SIZE)
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        output: { type: 'string', short: 'o' },
        json: { type: 'boolean' },
        svg: { type: 'string' },
        quiet: { type: 'boolean', short: 'q' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    throw wrongArguments(error, SEE)
  }
}
