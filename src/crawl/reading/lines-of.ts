import { join } from 'node:path'
import { PAGES_FILE } from '../../archive/names.ts'
import { type PageLine, parsePageLine } from '../../archive/pages-file.ts'
import { lastLineWith, linesFrom } from '../../base/files/line-file.ts'
import { FAILURES_FILE, type FailureLine, isFailure, type RequeuedLine } from '../failures-file.ts'

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

/** The lines of `failures.jsonl` that still hold: not those of links that went back in the queue later. */
export function* failureLines(folder: string): Generator<FailureLine, void, undefined> {
  const path = join(folder, FAILURES_FILE)
  const requeuedAt = new Map<string, number>()
  for (const { text, end } of linesFrom(path)) {
    const line = text.includes('"requeued":true') ? parsed(text) : undefined
    if (line !== undefined && 'requeued' in line) requeuedAt.set(line.url, end)
  }
  for (const { text, end } of linesFrom(path)) {
    const line = parseFailureLine(text)
    if (line !== undefined && end > (requeuedAt.get(line.url) ?? 0)) yield line
  }
}

function beginningOf(url: string): Uint8Array {
  return Buffer.from(`{"url":${JSON.stringify(url)},`)
}

/** Parses a line; undefined when it is not that of a link that ended. */
function parseFailureLine(text: string): FailureLine | undefined {
  const line = parsed(text)
  return line !== undefined && isFailure(line) ? line : undefined
}

function parsed(text: string): FailureLine | RequeuedLine | undefined {
  try {
    const line: unknown = JSON.parse(text)
    return typeof line === 'object' && line !== null ? (line as FailureLine | RequeuedLine) : undefined
  } catch {
    return undefined
  }
}
