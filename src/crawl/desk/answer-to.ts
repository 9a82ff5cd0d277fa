import { EscalonaError } from '../../base/errors.ts'
import { catalogue } from '../../base/words/language.ts'
import type { Cursor, LinkFilter } from '../../frontier/frontier.ts'
import type { Action } from '../../settings/actions.ts'
import type { CrawlDesk, HostFilter } from './desk.ts'
import type { Answer, Question } from './desk-wire.ts'
import { packed } from './host-rows.ts'

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

/** Reads a line of the wire. What is no question at all becomes one that nobody understands. */
export function questionIn(line: string): Partial<Question> & { readonly id: number } {
  try {
    const { id, ask, with: given } = object(JSON.parse(line))
    return { id: Number.isSafeInteger(id) ? (id as number) : 0, ask: ask as Question['ask'], with: given }
  } catch {
    return { id: 0 }
  }
}

/** Answers a question. Never rejects: errors are answers too. */
export async function answerTo(
  { id, ask, with: given }: ReturnType<typeof questionIn>,
  desk: CrawlDesk,
): Promise<Answer> {
  try {
    return { id, answer: await asked(ask, given, desk) }
  } catch (error) {
    const known =
      error instanceof EscalonaError
        ? error
        : new EscalonaError('DESK_FAILED', () => words().failed((error as Error).message))
    return { id, error: { code: known.code, message: { en: known.messageIn('en'), pt: known.messageIn('pt') } } }
  }
}

function asked(ask: unknown, given: unknown, desk: CrawlDesk): Promise<unknown> {
  switch (ask) {
    case 'status':
      return desk.status()
    case 'series':
      return desk.series()
    case 'events': {
      const { after, isBrief } = object(given)
      return desk.events(number(after), isBrief === true)
    }
    case 'named':
      return desk.named(texts(object(given).hosts))
    case 'explain':
      return desk.explain(text(object(given).url))
    case 'act':
      // The crawl checks it itself.
      return desk.act(object(given).action as Action)
    case 'hosts': {
      const { page, filter } = object(given)
      return desk.hosts(cursorIn(page), hostFilterIn(filter))
    }
    case 'links': {
      const { which, page } = object(given)
      return desk.links(linkFilterIn(which), cursorIn(page))
    }
    case 'rows':
      return desk.rows(cursorIn(object(given).page)).then(packed)
    default:
      throw bad()
  }
}

function cursorIn(value: unknown): Cursor {
  const { after, limit } = object(value)
  return after === undefined ? { limit: number(limit) } : { after: text(after), limit: number(limit) }
}

function hostFilterIn(value: unknown): HostFilter {
  const { host } = object(value ?? {})
  return host === undefined ? {} : { host: text(host) }
}

function linkFilterIn(value: unknown): LinkFilter {
  const { state, reasons, host } = object(value)
  if (state !== 'waiting' && state !== 'refused') throw bad()
  return {
    state,
    ...(reasons !== undefined && { reasons: texts(reasons) }),
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

function texts(value: unknown): string[] {
  if (!Array.isArray(value)) throw bad()
  return value.map(text)
}

function number(value: unknown): number {
  if (typeof value !== 'number') throw bad()
  return value
}

function bad(): EscalonaError {
  return new EscalonaError('DESK_BAD_QUESTION', () => words().badQuestion)
}
