import { statSync } from 'node:fs'
import { join } from 'node:path'
import { hasShape, parsedAs, type StoredShape } from '../base/structures/json-shape.ts'
import type { Action, ActionResult } from '../settings/actions.ts'
import { JsonLinesFile, type JsonLinesOptions, readLines } from './json-lines-file.ts'

export const ACTIONS_FILE = 'actions.jsonl'

/** A line of `actions.jsonl`: what a person did to the crawl, and when. */
export type ActionLine = Action & {
  /** In milliseconds since 1970. */
  readonly atMs: number
  readonly result: ActionResult
}

const LINE: StoredShape = {
  kind: 'string',
  atMs: 'number',
  result: { 'seeds?': 'number', 'requeued?': 'number', 'cleared?': 'number' },
}

const OF_KIND: Readonly<Record<string, StoredShape>> = {
  pause: {},
  resume: {},
  stop: {},
  'add seeds': { urls: ['string'] },
  'change settings': { settings: {} },
  'change host': { host: 'string', change: {} },
  'retry links': { which: {} },
  'let links in': { which: {} },
} satisfies Record<Action['kind'], StoredShape>

/** Seeds that a line names; `result` has their number, and `seeds.jsonl` all of them. */
const MOST_NAMED = 100
const MOST_NAMED_CHARS = 10_000
/** How far back the newest actions are looked for. */
const TAIL_BYTES = 4 << 20

/** `actions.jsonl` of a crawl that runs. It is created by the first action. */
export class ActionsFile {
  private readonly folder: string
  private readonly options: JsonLinesOptions
  private file: JsonLinesFile<ActionLine> | undefined

  constructor(folder: string, options: JsonLinesOptions) {
    this.folder = folder
    this.options = options
  }

  async append(line: ActionLine): Promise<void> {
    this.file ??= new JsonLinesFile(join(this.folder, ACTIONS_FILE), LINE, this.options)
    this.file.append([line])
    await this.file.sync()
  }

  async close(): Promise<void> {
    await this.file?.close()
  }
}

export function abridged(action: Action): Action {
  if (action.kind !== 'add seeds') return action
  let chars = 0
  const named = action.urls.filter((url, n) => {
    chars += url.length
    return n < MOST_NAMED && chars <= MOST_NAMED_CHARS
  })
  return { ...action, urls: named }
}

/** The newest actions, oldest first, without lock or change; at most `most`. */
export function readActions(crawl: string, most: number): ActionLine[] {
  const path = join(crawl, ACTIONS_FILE)
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  const texts = Array.from(
    readLines(path, text => text, Math.max(0, size - TAIL_BYTES)),
    ({ line }) => line,
  )
  return texts.slice(-most).flatMap(text => actionLine(text) ?? [])
}

export function* hostChangesIn(crawl: string): Generator<ActionLine & { readonly kind: 'change host' }> {
  const parse = (text: string) => (text.startsWith('{"kind":"change host"') ? actionLine(text) : undefined)
  for (const { line } of readLines(join(crawl, ACTIONS_FILE), parse)) if (line.kind === 'change host') yield line
}

/** Undefined for a line that is not ours, or cut off at its beginning. */
function actionLine(text: string): ActionLine | undefined {
  const line = parsedAs<ActionLine>(text, LINE)
  if (line === undefined || !Object.hasOwn(OF_KIND, line.kind) || !hasShape(line, OF_KIND[line.kind]!)) return undefined
  const { delayMs, blockedUntilMs } = line.kind === 'change host' ? line.change : {}
  return [delayMs, blockedUntilMs].every(ms => ms === undefined || ms === null || Number.isFinite(ms))
    ? line
    : undefined
}
