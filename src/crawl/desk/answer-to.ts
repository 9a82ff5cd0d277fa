import { EscalonaError } from '../../base/errors.ts'
import { catalogue } from '../../base/words/language.ts'
import type { Cursor, LinkFilter } from '../../frontier/frontier.ts'
import type { Desk, HostFilter } from './desk.ts'
import type { Answer } from './desk-wire.ts'

const words = catalogue({
  en: {
    badQuestion: 'the running crawl does not understand this question; use the same version of Escalona',
    failed: (reason: string) => `the running crawl could not answer: ${reason}; try again`,
  },
  pt: {
    badQuestion: 'a coleta em execução não entende esta pergunta; use a mesma versão do Escalona',
    failed: (reason: string) => `a coleta em execução não conseguiu responder: ${reason}; tente de novo`,
  },
})

/** Answers one line of the wire. Never rejects: errors are answers too. */
export async function answerTo(line: string, desk: Desk): Promise<Answer> {
  let id = 0
  try {
    const question = object(JSON.parse(line))
    if (Number.isSafeInteger(question.id)) id = question.id as number
    return { id, answer: await asked(question.ask, question.with, desk) }
  } catch (error) {
    if (error instanceof EscalonaError) return { id, error: { code: error.code, message: error.message } }
    const isTheirs = error instanceof SyntaxError
    const message = isTheirs ? words().badQuestion : words().failed((error as Error).message)
    return { id, error: { code: isTheirs ? 'DESK_BAD_QUESTION' : 'DESK_FAILED', message } }
  }
}

function asked(ask: unknown, given: unknown, desk: Desk): Promise<unknown> {
  switch (ask) {
    case 'status':
      return desk.status()
    case 'hosts': {
      const { page, filter } = object(given)
      return desk.hosts(cursorIn(page), hostFilterIn(filter))
    }
    case 'links': {
      const { which, page } = object(given)
      return desk.links(linkFilterIn(which), cursorIn(page))
    }
    case 'explain': {
      const { url } = object(given)
      return desk.explain(text(url))
    }
    default:
      throw bad()
  }
}

function cursorIn(value: unknown): Cursor {
  const { after, limit } = object(value)
  if (typeof limit !== 'number') throw bad()
  return after === undefined ? { limit } : { after: text(after), limit }
}

function hostFilterIn(value: unknown): HostFilter {
  const { host } = object(value ?? {})
  return host === undefined ? {} : { host: text(host) }
}

function linkFilterIn(value: unknown): LinkFilter {
  const { state, reasons, host } = object(value)
  if (state !== 'waiting' && state !== 'refused') throw bad()
  if (reasons !== undefined && !Array.isArray(reasons)) throw bad()
  return {
    state,
    ...(reasons !== undefined && { reasons: reasons.map(text) }),
    ...(host !== undefined && { host: text(host) }),
  }
}

function object(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw bad()
  return value as Record<string, unknown>
}

function text(value: unknown): string {
  if (typeof value !== 'string') throw bad()
  return value
}

function bad(): EscalonaError {
  return new EscalonaError('DESK_BAD_QUESTION', words().badQuestion)
}
