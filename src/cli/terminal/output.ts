import { fstatSync, realpathSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { EscalonaError } from '../../base/errors.ts'
import { makeFolder as makeFolders } from '../../base/files/make-folder.ts'
import { leadsTo, OutputFile } from '../../base/files/output-file.ts'
import { reasonOf } from '../../base/system-error.ts'
import { printable } from '../../base/words/printable.ts'
import { Signals } from './signals.ts'
import { useWords } from './use-words.ts'

export interface OpenOutput {
  readonly output: OutputFile
  readonly signals: Signals
}

/** Opens an output file that a signal removes while it is unfinished, however early the signal arrives. Both are to be closed. */
export function openOutput(path: string, isHeldBack = false): OpenOutput {
  let output: OutputFile | undefined
  const signals = new Signals(() => output?.abandon())
  try {
    output = new OutputFile(path, isHeldBack)
    return { output, signals }
  } finally {
    if (!output?.isBesideItsPlace) signals.close()
  }
}

/** Has `work` write a file that appears complete or not at all; `-` is standard output. */
export async function writeOutput<Result>(
  path: string,
  work: (output: OutputFile) => Promise<Result>,
): Promise<Result> {
  const { output, signals } = openOutput(path)
  try {
    const result = await work(output)
    output.commit()
    return result
  } finally {
    output.abandon()
    signals.close()
  }
}

/** Writes a text, given in parts, to a file that appears complete or not at all; `-` is standard output. */
export function writeWhole(path: string, text: Iterable<string>): void {
  // All of it is synchronous: a signal is handled before or after, and finds either the complete file or none.
  const { output, signals } = openOutput(path)
  try {
    for (const part of text) output.write(Buffer.from(part))
    output.commit()
  } finally {
    output.abandon()
    signals.close()
  }
}

/** Creates a folder and its missing parents. */
export function makeFolder(folder: string): void {
  try {
    makeFolders(folder)
  } catch (error) {
    const message = useWords().cannotMake(printable(folder), reasonOf(error))
    throw new EscalonaError('FILE_UNWRITABLE', message, { cause: error })
  }
}

/** The place in a crawl's folder to which an output would be written, by whatever symbolic links; undefined: it is outside. */
export function placeInCrawl(path: string, folder: string): string | undefined {
  if (path === '-') return undefined
  try {
    const target = resolve(leadsTo(path))
    const place = join(realpathSync(dirname(target)), basename(target))
    return place.startsWith(`${realpathSync(folder)}${sep}`) ? place : undefined
  } catch {
    // What is not there is reported when it is opened.
    return undefined
  }
}

const STANDARD_INPUT = 0
const STANDARD_OUTPUT = 1

/** Whether writing the output would overwrite the input, even under another name; `-` is standard input or output. */
export function isSameFile(input: string, output: string): boolean {
  return areOne(statOf(input, STANDARD_INPUT), statOf(output, STANDARD_OUTPUT))
}

/** Whether two outputs would overwrite each other. Files that do not exist yet are compared by path. */
export function isSameOutput(one: string, other: string): boolean {
  if (one === '-' && other === '-') return true
  const [a, b] = [statOf(one, STANDARD_OUTPUT), statOf(other, STANDARD_OUTPUT)]
  return a === undefined && b === undefined ? placeOf(one) === placeOf(other) : areOne(a, b)
}

/** False for devices and pipes, which cannot be overwritten. */
function areOne(a: Stats | undefined, b: Stats | undefined): boolean {
  if (a === undefined || b === undefined) return false
  return b.isFile() && a.dev === b.dev && a.ino === b.ino
}

function statOf(path: string, standard: number): Stats | undefined {
  try {
    return path === '-' ? fstatSync(standard) : statSync(path)
  } catch {
    // A path that cannot be examined cannot be opened either; the error is reported then.
    return undefined
  }
}

function placeOf(path: string): string {
  const whole = resolve(path)
  try {
    return join(realpathSync(dirname(whole)), basename(whole))
  } catch {
    return whole
  }
}
