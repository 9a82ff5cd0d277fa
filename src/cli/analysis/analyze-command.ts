import { basename, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { analysisPage, histogramPictures, mapPictures, type NamedPicture } from '../../analysis/analysis-page.ts'
import { type Analysis, analyze } from '../../analysis/analyze.ts'
import { LogFile } from '../../analysis/log-file.ts'
import { BadLog } from '../../analysis/log-parser.ts'
import { histogramRows } from '../../analysis/stack-distances.ts'
import { systemClock } from '../../base/clock.ts'
import { printable } from '../../base/words/printable.ts'
import { shownCount, shownDecimal } from '../../base/words/quantity.ts'
import type { Command } from '../commands.ts'
import { type OptionRows, readArguments } from '../terminal/option-table.ts'
import { isSameFile } from '../terminal/same-file.ts'
import { say } from '../terminal/say.ts'
import { tell } from '../terminal/tell.ts'
import { useWords } from '../terminal/use-words.ts'
import { WorkBar } from '../terminal/work-bar.ts'
import { makeFolder, writeWhole } from '../terminal/write-whole.ts'
import { wrongUse } from '../terminal/wrong-use.ts'
import { analysisWords } from './analysis-words.ts'

const OPTIONS = {
  output: { short: 'o', value: 'F', names: 'file' },
  json: {},
  svg: { value: 'DIR', names: 'folder' },
  quiet: { short: 'q' },
} as const satisfies OptionRows

const SEE = 'escalona analyze --help'

/** How often the event loop gets a turn, for signals and the progress bar. */
const TURN_MS = 50
const PART_LENGTH = 1 << 16
const MAP_SIZE = { width: 1000, height: 600 }
const HISTOGRAM_SIZE = { width: 640, height: 380 }

/** `escalona analyze`: draws what a log of memory accesses shows. */
export const ANALYZE: Command = {
  run: analyzeCommand,
  help: () => analysisWords().analyzeHelp,
  options: OPTIONS,
  names: 'file',
}

async function analyzeCommand(args: readonly string[]): Promise<number> {
  const words = analysisWords()
  const { values, positionals } = readArguments(args, OPTIONS, SEE)
  const [path, extra] = positionals
  if (path === undefined) throw wrongUse(words.noLog, SEE)
  if (extra !== undefined) throw wrongUse(useWords().oneAtATime(words.log, printable(extra)), SEE)
  const outputPath = values.output ?? (values.json ? '-' : 'analysis.html')
  if (outputPath === '') throw wrongUse(useWords().outputHasNoName, SEE)
  if (isSameFile(path, outputPath)) throw wrongUse(words.logIsOutput(printable(outputPath)), SEE)
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
  if (values.svg === '') throw wrongUse(words.svgFolder, SEE)
  if (values.svg !== undefined) await writeSvgs(analysis, values.svg)
  const logName = path === '-' ? words.standardInput : basename(path)
  writeWhole(outputPath, values.json ? numbers(analysis) : [analysisPage(analysis, logName)])
  if (!values.quiet) {
    const seconds = shownDecimal((systemClock() - startMs) / 1000, 2)
    say('info', words.analyzed(shownCount(analysis.accesses), shownCount(analysis.maps.length), seconds))
    if (!analysis.isWhole) say('warn', words.cutOff(name))
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
      bar.show(nowMs, value, value < 0.5 ? analysisWords().reach : analysisWords().distances)
      await setImmediate()
    }
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

async function writeSvgs(analysis: Analysis, folder: string): Promise<void> {
  makeFolder(folder)
  const { svgPicture } = await import('../../analysis/svg-picture.ts')
  const write = async ({ name, picture }: NamedPicture, size: typeof MAP_SIZE) => {
    writeWhole(join(folder, `${name}.svg`), [svgPicture(picture, size)])
    await setImmediate()
  }
  for (const picture of mapPictures(analysis)) await write(picture, MAP_SIZE)
  for (const picture of histogramPictures(analysis)) await write(picture, HISTOGRAM_SIZE)
}
