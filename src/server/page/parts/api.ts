import { useEffect, useState } from 'preact/hooks'
import { catalogue } from '../../../base/words/language.ts'
import { excerpt } from '../../../base/words/printable.ts'
import type { HostChange } from '../../../settings/actions.ts'
import type { LinkChoice } from '../../../settings/link-choice.ts'
import type { ActionDone, ErrorAnswer, SettingsRequest } from '../../../view/questions/action-shapes.ts'
import { crawlPath } from './crawl-path.ts'

const words = catalogue({
  en: {
    noAnswer: 'The server does not answer. If the crawl has ended, look at it with: escalona ui DIR',
    noAccess: 'This address needs its token: open the address that escalona printed at its start.',
    strange: (status: number) => `The server answered with status ${status}.`,
  },
  pt: {
    noAnswer: 'O servidor não responde. Se a coleta terminou, veja-a com: escalona ui DIR',
    noAccess: 'Este endereço precisa do seu token: abra o endereço que o escalona mostrou ao começar.',
    strange: status => `O servidor respondeu com status ${status}.`,
  },
})

const MOST_MESSAGE = 2000
const SOON_MS = 500

/** An answer that is not what was asked for. `message` is for people; `status` is 0 when there was no answer. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  /** The field of the request that it is about, if that is known. */
  readonly field: string | undefined

  constructor(status: number, code: string, message: string, field?: string) {
    super(message)
    this.field = field
    this.status = status
    this.code = code
  }
}

/** Half of a surrogate pair, which a browser refuses to encode. */
const HALF = /\p{Surrogate}/gu

export function hostPath(host: string): string {
  return `/api/hosts/${encodeURIComponent(host.replace(HALF, '\ufffd'))}`
}

/** A path with its query; what is undefined or empty is left out. */
export function withQuery(
  path: string,
  query: Readonly<Record<string, string | number | boolean | undefined>>,
): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '' && value !== false)
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? path : `${path}?${text}`
}

export function read<Answer>(path: string, signal?: AbortSignal): Promise<Answer> {
  return ask<Answer>(path, signal === undefined ? {} : { signal })
}

export const act = {
  pause: () => change('POST', '/api/crawl/pause'),
  resume: () => change('POST', '/api/crawl/resume'),
  stop: () => change('POST', '/api/crawl/stop'),
  addSeeds: (urls: readonly string[]) => change('POST', '/api/seeds', { urls }),
  retryLinks: (which: LinkChoice) => change('POST', '/api/links/retry', which),
  letLinksIn: (which: LinkChoice) => change('POST', '/api/links/let-in', which),
  changeSettings: (settings: SettingsRequest) => change('PATCH', '/api/settings', settings),
  changeHost: (host: string, what: HostChange) => change('PATCH', hostPath(host), what),
}

function change(method: string, path: string, body?: unknown): Promise<ActionDone> {
  if (body === undefined) return ask<ActionDone>(path, { method })
  const headers = { 'content-type': 'application/json' }
  return ask<ActionDone>(path, { method, headers, body: JSON.stringify(body) })
}

async function ask<Answer>(path: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(crawlPath() + path, init).catch(error => {
    if (init.signal?.aborted === true) throw error
    throw new ApiError(0, 'NO_ANSWER', words().noAnswer)
  })
  const answer: unknown = await response.json().catch(() => undefined)
  if (response.ok) return answer as Answer
  if (response.status === 401) throw new ApiError(401, 'NO_ACCESS', words().noAccess)
  const { code = '', message, field } = (answer as Partial<ErrorAnswer> | undefined)?.error ?? {}
  throw new ApiError(response.status, code, excerpt(message ?? words().strange(response.status), MOST_MESSAGE), field)
}

export interface Fetched<Answer> {
  /** The newest answer; that to an earlier question stays until there is one. */
  readonly answer: Answer | undefined
  readonly error: ApiError | undefined
  readonly isLoading: boolean
  readonly again: () => void
}

/**
 * Asks the server, and again every `everyMs` while the page is seen; `path` undefined: asks nothing. `isPartial`: whether an answer is
 * still being made, and worth asking for again soon.
 */
export function useAnswer<Answer>(
  path: string | undefined,
  everyMs?: number,
  isPartial: (answer: Answer) => boolean = () => false,
): Fetched<Answer> {
  const [state, setState] = useState<Omit<Fetched<Answer>, 'again'>>({
    answer: undefined,
    error: undefined,
    isLoading: path !== undefined,
  })
  const [count, setCount] = useState(0)
  useEffect(() => {
    if (path === undefined) {
      setState({ answer: undefined, error: undefined, isLoading: false })
      return
    }
    const stop = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const ask = async (): Promise<void> => {
      let waitMs = everyMs
      try {
        const answer = await read<Answer>(path, stop.signal)
        setState({ answer, error: undefined, isLoading: false })
        if (isPartial(answer)) waitMs = SOON_MS
      } catch (error) {
        if (stop.signal.aborted) return
        const known = error instanceof ApiError ? error : new ApiError(0, '', String(error))
        setState(({ answer }) => ({ answer: known.status === 0 ? answer : undefined, error: known, isLoading: false }))
        if (known.status === 404) waitMs = undefined
      }
      if (waitMs !== undefined && !stop.signal.aborted) timer = setTimeout(next, waitMs)
    }
    const next = (): void => {
      if (document.hidden) timer = setTimeout(next, everyMs)
      else void ask()
    }
    setState(former => ({ ...former, isLoading: true }))
    void ask()
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [path, everyMs, count])
  return { ...state, again: () => setCount(former => former + 1) }
}
