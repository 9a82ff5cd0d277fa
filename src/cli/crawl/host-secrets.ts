import { OwnHeaders } from '../../fetch/own-headers.ts'
import { type HostSettings, hostHeaders } from '../../settings/host-settings.ts'
import type { Environment } from '../terminal/arguments.ts'
import { wrongUse } from '../terminal/use-words.ts'
import { crawlWords } from './crawl-words.ts'

interface SecretOptions {
  readonly header: readonly string[] | undefined
  readonly cookie: readonly string[] | undefined
  readonly auth: readonly string[] | undefined
}

const ENV = 'env:'

/** Turns `--header`, `--cookie` and `--auth` into settings of the hosts they name. Error messages never contain a secret. */
export function hostSecrets({ header = [], cookie = [], auth = [] }: SecretOptions, env: Environment): HostSettings[] {
  return [
    ...header.map(text => headerOf(text, env)),
    ...cookie.map(text => {
      const [host, value] = cutAt(text, '=', '--cookie', 'HOST=NAME=VALUE')
      return { host, headers: { Cookie: revealed(value, env) } }
    }),
    ...auth.map(text => {
      const [host, login] = cutAt(text, '=', '--auth', 'HOST=USER:PASSWORD')
      return { host, headers: { Authorization: basicLogin(login, env) } }
    }),
  ]
}

/** `env:NAME` becomes the value of that environment variable; anything else stays as it is. */
export function revealed(text: string, env: Environment): string {
  if (!text.startsWith(ENV)) return text
  const name = text.slice(ENV.length)
  const value = env[name]
  if (value === undefined) throw wrongUse(crawlWords().noVariable(/^\w+$/.test(name) ? name : '?'))
  return value
}

/** The host may have a port, so it ends at the last colon before the header's name. */
function headerOf(text: string, env: Environment): HostSettings {
  const [, host, name, value] = /^(\S+): *([^\s:]+): *([\s\S]*)$/.exec(text) ?? []
  if (host === undefined) throw wrongUse(crawlWords().header('--header', '"HOST: Name: value"'))
  return { host, headers: { [name!]: revealed(value!, env) } }
}

function basicLogin(login: string, env: Environment): string {
  const whole = revealed(login, env)
  const [user, password] = cutAt(whole, ':', '--auth', 'HOST=USER:PASSWORD')
  return `Basic ${Buffer.from(`${user}:${revealed(password, env)}`).toString('base64')}`
}

function cutAt(text: string, mark: string, option: string, form: string): [string, string] {
  const at = text.indexOf(mark)
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)]
  throw wrongUse(crawlWords().header(option, form))
}

/** A header of a host's settings that no seed gets. */
interface UnsentHeader {
  readonly name: string
  /** As it was given. */
  readonly host: string
  /** The origin of a seed with that host name but another port or over http; undefined: no seed is on that host. */
  readonly origin: string | undefined
  /** How to name the host so that this origin gets the header. */
  readonly instead: string | undefined
}

/** The headers that no seed gets, because no seed is on their host, its port differs, or it is asked over http. */
export function unsentHeaders(all: readonly HostSettings[], seeds: readonly string[]): UnsentHeader[] {
  const given = hostHeaders(all)
  if (given.length === 0) return []
  const origins = [...new Set(seeds.map(seed => new URL(seed).origin))]
  return given.flatMap(one => {
    const own = new OwnHeaders([one])
    const sent = new Set(origins.flatMap(origin => own.of(origin)))
    const near = origins.find(origin => isOn(origin, one.host))
    const instead = near && namedAs(near, one.host)
    const unsent = Object.keys(one.headers).filter(name => !sent.has(name))
    return unsent.map(name => ({ name, host: one.host, origin: near, instead }))
  })
}

/** Whether an origin has the host name, whatever its scheme and port. */
function isOn(origin: string, host: string): boolean {
  const { hostname } = new URL(origin)
  const name = bareName(host)
  return isWildcard(host) ? hostname.endsWith(`.${name}`) : hostname === name
}

function namedAs(origin: string, host: string): string {
  if (!isWildcard(host)) return origin
  const { protocol, port } = new URL(origin)
  return `${protocol}//*.${bareName(host)}${port === '' ? '' : `:${port}`}`
}

function isWildcard(host: string): boolean {
  return /^\s*(?:https?:\/\/)?\*\./i.test(host)
}

/** The host name in lower case, without scheme, wildcard and port. */
function bareName(host: string): string {
  const rest = host.trim().replace(/^(?:https?:\/\/)?(?:\*\.)?/i, '')
  return new URL(`http://${rest}`).hostname
}
