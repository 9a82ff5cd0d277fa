import { fstatSync, realpathSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

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
