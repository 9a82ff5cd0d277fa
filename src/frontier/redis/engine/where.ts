import { EscalonaError } from '../../../base/errors.ts'
import { type Message, message } from '../../../base/messages/message.ts'
import { excerpt } from '../../../base/words/printable.ts'

/** One process of Redis or Valkey. */
export interface NodeAddress {
  readonly host: string
  readonly port: number
}

/** Where a shared crawl lives: the engine, and the crawl's name in it. */
export interface Where {
  /** Processes to ask first; a cluster names the others itself. */
  readonly addresses: readonly NodeAddress[]
  readonly isTls: boolean
  readonly username: string | undefined
  readonly password: string | undefined
  readonly name: string
  /** As the URL says; undefined when it does not say. */
  readonly shards: number | undefined
  /** How many replicas must have a change before it is acknowledged; undefined when the URL does not say. */
  readonly wait: number | undefined
}

const DEFAULT_PORT = 6379
/** A name is part of every key, inside the braces of a hash tag. */
const NAME = /^[A-Za-z0-9._-]{1,100}$/
/** Taking looks at every shard: more of them would make it slow. */
const MOST_SHARDS = 4096
const MOST_REPLICAS = 100
const PARTS = /^(rediss?):\/\/(?:([^@/?#]*)@)?([^@/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/i

/** Whether a text is meant as a URL rather than as a folder. Only `parseWhere` knows whether it is right: it may have a password. */
export function isWhere(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text)
}

/**
 * Reads `redis://[USER:PASSWORD@]HOST:PORT[,HOST:PORT…]/NAME[?shards=64&wait=1]`; `rediss://` for TLS. `password` is
 * used when the URL has none. Messages about a URL that is wrong never show its password.
 */
export function parseWhere(text: string, password?: string): Where {
  const parts = PARTS.exec(text.trim())
  if (parts === null) throw wrong(text, message('redis/where-form'))
  const [, scheme, login, hosts, name, query] = parts
  const [username, ownPassword] = loginOf(text, login)
  const given = ownPassword ?? (password === '' ? undefined : password)
  if (name === undefined || !NAME.test(name)) throw wrong(text, message('redis/where-name'))
  const options = new URLSearchParams(query ?? '')
  for (const key of options.keys()) {
    if (key !== 'shards' && key !== 'wait') throw wrong(text, message('redis/where-option', { key: excerpt(key, 40) }))
  }
  return {
    addresses: hosts!.split(',').map(host => addressOf(text, host)),
    isTls: scheme!.toLowerCase() === 'rediss',
    username,
    password: given,
    name,
    shards: numberOf(text, options, 'shards', 1, MOST_SHARDS),
    wait: numberOf(text, options, 'wait', 0, MOST_REPLICAS),
  }
}

/** The URL as people may see it: without the password. */
export function shownWhere(where: Where): string {
  const login = where.username === undefined ? '' : `${encodeURIComponent(where.username)}@`
  const options = [
    where.shards === undefined ? [] : [`shards=${where.shards}`],
    where.wait === undefined ? [] : [`wait=${where.wait}`],
  ].flat()
  const query = options.length === 0 ? '' : `?${options.join('&')}`
  return `${where.isTls ? 'rediss' : 'redis'}://${login}${where.addresses.map(shownAddress).join(',')}/${where.name}${query}`
}

export function shownAddress({ host, port }: NodeAddress): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}

function loginOf(text: string, login: string | undefined): [string | undefined, string | undefined] {
  if (login === undefined) return [undefined, undefined]
  const colon = login.indexOf(':')
  try {
    const user = decodeURIComponent(colon < 0 ? login : login.slice(0, colon))
    const password = colon < 0 ? '' : decodeURIComponent(login.slice(colon + 1))
    return [user === '' ? undefined : user, password === '' ? undefined : password]
  } catch {
    throw wrong(text, message('redis/where-login'))
  }
}

function addressOf(text: string, host: string): NodeAddress {
  const match = /^(?:\[([0-9a-f:.]+)\]|([^:[\]\s]+))(?::(\d{1,5}))?$/i.exec(host)
  const port = Number(match?.[3] ?? DEFAULT_PORT)
  if (match === null || port < 1 || port > 65_535)
    throw wrong(text, message('redis/where-address', { host: excerpt(host, 60) }))
  return { host: (match[1] ?? match[2])!, port }
}

function numberOf(text: string, options: URLSearchParams, key: string, least: number, most: number) {
  const all = options.getAll(key)
  if (all.length === 0) return undefined
  const value = /^\d{1,6}$/.test(all[0]!) ? Number(all[0]) : Number.NaN
  if (all.length > 1 || !(value >= least && value <= most))
    throw wrong(text, message('redis/where-number', { key, least, most }))
  return value
}

function wrong(text: string, why: Message): EscalonaError {
  // Whatever is in front of the last @ may be a password.
  const shown = excerpt(text.replace(/^(\w*:?\/*).*@/s, '$1…@'), 120)
  return new EscalonaError('FRONTIER_BAD_URL', { shown, why })
}
