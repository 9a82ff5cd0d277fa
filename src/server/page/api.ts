import { catalogue } from '../../base/words/language.ts'
import { excerpt } from '../../base/words/printable.ts'
import type { ActionDone, HostChange, SettingsChange } from './wire.ts'

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

/** An answer that is not what was asked for. `message` is for people; `status` is 0 when there was no answer. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
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
  changeSettings: (settings: SettingsChange) => change('PATCH', '/api/settings', settings),
  changeHost: (host: string, what: HostChange) => change('PATCH', hostPath(host), what),
}

function change(method: string, path: string, body?: unknown): Promise<ActionDone> {
  if (body === undefined) return ask<ActionDone>(path, { method })
  const headers = { 'content-type': 'application/json' }
  return ask<ActionDone>(path, { method, headers, body: JSON.stringify(body) })
}

async function ask<Answer>(path: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(path, init).catch(error => {
    if (init.signal?.aborted === true) throw error
    throw new ApiError(0, 'NO_ANSWER', words().noAnswer)
  })
  const answer: unknown = await response.json().catch(() => undefined)
  if (response.ok) return answer as Answer
  if (response.status === 401) throw new ApiError(401, 'NO_ACCESS', words().noAccess)
  const { code, message } = (answer as { error?: { code?: string; message?: string } } | undefined)?.error ?? {}
  throw new ApiError(response.status, code ?? '', excerpt(message ?? words().strange(response.status), MOST_MESSAGE))
}
