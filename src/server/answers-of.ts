import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { unguessable } from '../base/random.ts'
import { excerpt } from '../base/words/printable.ts'
import { createApp, type Shown } from './app.ts'
import { Gate, type GateOptions, HEADERS } from './gate.ts'
import { serverWords } from './messages.ts'
import { Metrics } from './metrics.ts'
import { PageFiles } from './page-files.ts'
import { ReadingKeys } from './reading-keys.ts'

/** Answers a request. */
export type Answer = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>

export interface AnswersOptions extends GateOptions {
  /** Undefined until the crawl has been opened. */
  readonly shown: () => Shown | undefined
  /** Hears of answers that failed for no known reason. */
  readonly onTrouble: (message: string) => void
}

/** How many different defects are reported. */
const MOST_TROUBLES = 10

/** The answers of a server: everything that the packages are needed for. */
export function answersOf({ shown, onTrouble, ...gate }: AnswersOptions): Answer {
  const app = createApp({
    gate: new Gate(gate),
    keys: new ReadingKeys(unguessable()),
    files: new PageFiles(),
    metrics: new Metrics(),
    shown,
    onDefect: firstOf(onTrouble),
  })
  const answer = getRequestListener(app.fetch as never, { overrideGlobalObjects: false })
  return async (incoming, outgoing) => {
    for (const [name, value] of Object.entries(HEADERS)) outgoing.setHeader(name, value)
    await answer(incoming, outgoing)
  }
}

/** Passes on what has not been said before; a defect may repeat with every request. */
function firstOf(onTrouble: (message: string) => void): (error: unknown) => void {
  const said = new Set<string>()
  return error => {
    const message = serverWords().answerFailed(excerpt(String(error)))
    if (said.has(message) || said.size >= MOST_TROUBLES) return
    said.add(message)
    onTrouble(message)
  }
}
