import { statSync } from 'node:fs'
import { join } from 'node:path'
import { PAGES_FILE } from '../archive/names.ts'
import { type PageLine, parsePageLine } from '../archive/pages-file.ts'
import type { RecordLocation } from '../archive/scan.ts'
import { findAnswer } from '../archive/visits-of.ts'
import { lastLineWith } from '../base/files/line-file.ts'
import { FAILURES_FILE, type FailureLine, isFailure, parseFailuresLine } from './failures-file.ts'
import { readLines } from './json-lines-file.ts'

export interface Places {
  pageLineOf(url: string): Promise<PageLine | undefined>
  /** Its newest line in `failures.jsonl`; undefined when it went back in the queue since. */
  failureLineOf(url: string): Promise<FailureLine | undefined>
  /** Where its newest answer is in the archive, of whatever kind: page, redirect or robots.txt. */
  answerOf(url: string): Promise<RecordLocation | undefined>
}

/** Finds each by searching the files, for those who ask once. */
export function searchedPlaces(folder: string): Places {
  return {
    pageLineOf: async url => pageLineOf(folder, url),
    failureLineOf: async url => failureLineOf(folder, url),
    answerOf: async url => findAnswer(folder, url),
  }
}

/** The lines of `pages.jsonl`, in the order in which the pages were archived. */
export function* pageLines(folder: string): Generator<PageLine, void, undefined> {
  for (const { line } of readLines(join(folder, PAGES_FILE), parsePageLine)) yield line
}

/** Those in the last bytes of `pages.jsonl`. */
export function* newestPageLines(folder: string, bytes: number): Generator<PageLine, void, undefined> {
  const path = join(folder, PAGES_FILE)
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  for (const { line } of readLines(path, parsePageLine, Math.max(0, size - bytes))) yield line
}

export function pageLineOf(folder: string, url: string): PageLine | undefined {
  const line = lastLineWith(join(folder, PAGES_FILE), beginningOf(url))
  return line && parsePageLine(line.text)
}

export function failureLineOf(folder: string, url: string): FailureLine | undefined {
  const line = lastLineWith(join(folder, FAILURES_FILE), beginningOf(url))
  return line && parseFailureLine(line.text)
}

/** The lines of `failures.jsonl` that still hold: not those of links that went back in the queue later. */
export function* failureLines(folder: string): Generator<FailureLine, void, undefined> {
  const path = join(folder, FAILURES_FILE)
  const requeuedAt = new Map<string, number>()
  const parse = (text: string) => (text.includes('"requeued":true') ? parseFailuresLine(text) : undefined)
  for (const { line, end } of readLines(path, parse)) if ('requeued' in line) requeuedAt.set(line.url, end)
  for (const { line, end } of readLines(path, parseFailureLine)) if (end > (requeuedAt.get(line.url) ?? 0)) yield line
}

function beginningOf(url: string): Uint8Array {
  return Buffer.from(`{"url":${JSON.stringify(url)},`)
}

export function parseFailureLine(text: string): FailureLine | undefined {
  const line = parseFailuresLine(text)
  return line !== undefined && isFailure(line) ? line : undefined
}
