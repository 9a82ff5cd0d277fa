import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Action, ActionResult } from './actions.ts'
import { JsonLinesFile, type JsonLinesOptions } from './json-lines-file.ts'

export const ACTIONS_FILE = 'actions.jsonl'

/** A line of `actions.jsonl`: what a person did to the crawl, and when. */
export type ActionLine = Action & {
  /** In milliseconds since 1970. */
  readonly atMs: number
  readonly result: ActionResult
}

/** Opens `actions.jsonl` of a crawl's folder for writing. */
export function openActions(crawl: string, options: JsonLinesOptions): JsonLinesFile<ActionLine> {
  return new JsonLinesFile(join(crawl, ACTIONS_FILE), options)
}

/** The newest actions, oldest first, without lock or change; at most `most`. */
export function readActions(crawl: string, most: number): ActionLine[] {
  let text: string
  try {
    text = readFileSync(join(crawl, ACTIONS_FILE), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  return whole
    .split('\n')
    .slice(-most - 1)
    .flatMap(line => actionLine(line) ?? [])
}

function actionLine(text: string): ActionLine | undefined {
  try {
    const line = JSON.parse(text) as Partial<ActionLine> | null
    return typeof line?.kind === 'string' && typeof line.atMs === 'number' ? (line as ActionLine) : undefined
  } catch {
    return undefined
  }
}
