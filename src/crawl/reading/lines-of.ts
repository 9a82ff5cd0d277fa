import { join } from 'node:path'
import { PAGES_FILE } from '../../archive/names.ts'
import { type PageLine, parsePageLine } from '../../archive/pages-file.ts'
import { lastLineWith } from '../../base/files/line-file.ts'
import { FAILURES_FILE, type FailureLine, isFailure } from '../failures-file.ts'

/** Finds the newest line of a URL in `pages.jsonl`, by searching its bytes from the end of the file. */
export function pageLineOf(folder: string, url: string): PageLine | undefined {
  const line = lastLineWith(join(folder, PAGES_FILE), beginningOf(url))
  return line && parsePageLine(line.text)
}

/** Finds the newest line of a URL in `failures.jsonl`. */
export function failureLineOf(folder: string, url: string): FailureLine | undefined {
  const line = lastLineWith(join(folder, FAILURES_FILE), beginningOf(url))
  return line && parseFailureLine(line.text)
}

function beginningOf(url: string): Uint8Array {
  return Buffer.from(`{"url":${JSON.stringify(url)},`)
}

/** Parses a line; undefined when it is not ours or incomplete. */
export function parseFailureLine(text: string): FailureLine | undefined {
  try {
    const line = JSON.parse(text) as FailureLine
    return isFailure(line) ? line : undefined
  } catch {
    return undefined
  }
}
