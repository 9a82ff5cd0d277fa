import { createHash, timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import { hostname } from 'node:os'
import { getCookie } from 'hono/cookie'
import { type Clock, systemClock } from '../base/clock.ts'
import { EscalonaError } from '../base/errors.ts'
import { unguessable } from '../base/random.ts'
import { catalogue, inLanguage } from '../base/words/language.ts'
import { crawlPrefix } from './crawl-path.ts'
import { languageIn, type RequestContext } from './request-context.ts'
import type { Connections } from './ui-server.ts'

/** The page for a browser without a token. */
const words = catalogue({
  en: {
    title: 'This page needs its token',
    lines: [
      'Open the address that escalona printed when it started: it ends with ?token=… After that, this browser keeps a cookie.',
      'Each start has a new token, unless --ui-token or ESCALONA_UI_TOKEN sets it. Programs send the header Authorization: Bearer TOKEN.',
    ],
  },
  pt: {
    title: 'Esta página precisa do token',
    lines: [
      'Abra o endereço que o escalona mostrou ao iniciar: ele termina com ?token=… Depois disso, este navegador guarda um cookie.',
      'Cada início tem um novo token, a não ser que --ui-token ou ESCALONA_UI_TOKEN o defina. Programas enviam o cabeçalho Authorization: Bearer TOKEN.',
    ],
  },
})

/**
 * Nothing is loaded from elsewhere, nothing inline runs, no other page may frame it. Its own frames stay on this server, also when a link in
 * them leads away.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

export const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'cache-control': 'no-store',
}

export interface AccessOptions {
  readonly token: string
  readonly connections: Connections
  readonly bind: string
  readonly port: number
}

/** Decides who may come in: by the names that the server answers to, the sites that may ask, and the token. */
export class AccessControl {
  private readonly options: AccessOptions
  private readonly token: Token
  private readonly names: readonly string[]

  constructor(options: AccessOptions) {
    this.options = options
    this.token = new Token(options.token, unguessable(), systemClock)
    this.names = ['localhost', options.bind, hostname()].map(name => name.toLowerCase())
  }

  /**
   * Throws when the request was not meant for this server: a name in `Host` that is not the machine's own means that a site had
   * its name resolved to this address (DNS rebinding).
   */
  checkName(context: RequestContext): void {
    const { host = '' } = context.env.incoming.headers
    const name = host.replace(/:\d*$/, '').toLowerCase()
    const isAddress = isIP(name) === 4 || (/^\[.*\]$/.test(name) && isIP(name.slice(1, -1)) === 6)
    if (!isAddress && !this.names.includes(name)) throw new EscalonaError('UI_WRONG_HOST')
  }

  /** Throws when another site asks; `Origin` names it. */
  checkSender(context: RequestContext): void {
    const { host = '', origin } = context.env.incoming.headers
    if (!isOwnSite(context, host, origin)) throw new EscalonaError('UI_FOREIGN_ORIGIN')
  }

  /** Throws without the token. A browser that has it in the URL gets a cookie, if it has none, and is sent to the same URL without it. */
  checkToken(context: RequestContext): Response | undefined {
    const { token } = this
    const { connections } = this.options
    const cookie = getCookie(context, this.cookieName())
    const inUrl = context.req.method === 'GET' ? new URL(context.req.url).searchParams.get('token') : null
    if (cookie !== undefined && token.isCookie(cookie)) {
      this.checkCookieUse(context)
      connections.welcome(context.env.incoming.socket)
      return inUrl === null ? undefined : this.letIn(context)
    }
    const bearer = /^bearer +(\S+) *$/i.exec(context.req.header('authorization') ?? '')?.[1]
    const given = bearer ?? inUrl
    if (given === null) throw this.noToken(context)
    const verdict = token.judge(given)
    if (verdict === 'slow down') throw new EscalonaError('UI_TOO_MANY_TOKENS')
    if (verdict === 'wrong') throw this.noToken(context)
    connections.welcome(context.env.incoming.socket)
    return bearer === undefined ? this.letIn(context) : undefined
  }

  /** A browser sends a cookie on its own: what changes something must come from the page itself. */
  private checkCookieUse(context: RequestContext): void {
    const { method } = context.req
    if (method === 'GET' || method === 'HEAD') return
    const { origin, 'sec-fetch-site': site } = context.env.incoming.headers
    if (origin === undefined && site !== 'same-origin') throw new EscalonaError('UI_FOREIGN_ORIGIN')
  }

  private letIn(context: RequestContext): Response {
    const { pathname, searchParams } = new URL(context.req.url)
    searchParams.delete('token')
    const query = searchParams.size === 0 ? '' : `?${searchParams}`
    // More than one slash in front would be the address of another host.
    const location = `${crawlPrefix(context)}/${pathname.replace(/^[/\\]+/, '')}${query}`
    const cookie = `${this.cookieName()}=${this.token.cookie}; Path=/; HttpOnly; SameSite=Strict`
    return context.body(null, 303, { location, 'set-cookie': cookie })
  }

  private noToken(_context: RequestContext) {
    return new EscalonaError('UI_NO_TOKEN')
  }

  /** Cookies are shared by all ports of a host, so that of each server has a name of its own. */
  private cookieName(): string {
    return `escalona-${this.options.port}`
  }
}

/** Whether the request was made by the page itself, by a program, or by a person who opens an address. */
function isOwnSite(context: RequestContext, host: string, origin: string | undefined): boolean {
  if (origin !== undefined) return URL.canParse(origin) && new URL(origin).host === host.toLowerCase()
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode } = context.env.incoming.headers
  const isOpened = context.req.method === 'GET' && mode === 'navigate'
  return isOpened || (site !== 'cross-site' && site !== 'same-site')
}

export function noTokenPage(context: RequestContext): string {
  const language = languageIn(context)
  const { title, lines } = inLanguage(language, words)
  const paragraphs = lines.map(line => `<p>${line}</p>`).join('\n')
  return `<!doctype html>
<html lang="${language === 'pt' ? 'pt-BR' : 'en'}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Escalona</title>
<main>
<h1>${title}</h1>
${paragraphs}
</main>
</html>
`
}

/** A token shorter than this could be guessed by trying. */
const LONG_ENOUGH = 16
/** How many wrong tokens are accepted at once, and how many more per second, while the token could be guessed. */
const BURST = 20
const PER_SECOND = 5

/** Compares without revealing by its time where texts differ, nor how long the secret is. */
export function isSame(given: string, secret: string): boolean {
  return timingSafeEqual(digest(given), digest(secret))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/**
 * The token, and the cookie that replaces it. The cookie has its own secret, so that guesses at a short token can be slowed
 * down for everyone without locking out the browsers that are in already.
 */
class Token {
  private readonly token: string
  private readonly clock: Clock
  readonly cookie: string
  private guesses = BURST
  private countedAtMs: number

  constructor(token: string, cookie: string, clock: Clock) {
    this.token = token
    this.cookie = cookie
    this.clock = clock
    this.countedAtMs = clock()
  }

  /** `slow down`: too many wrong ones came lately. */
  judge(given: string): 'right' | 'wrong' | 'slow down' {
    const isGuessable = this.token.length < LONG_ENOUGH
    if (isGuessable && !this.mayGuess()) return 'slow down'
    if (isSame(given, this.token)) return 'right'
    if (isGuessable) this.guesses--
    return 'wrong'
  }

  isCookie(given: string): boolean {
    return isSame(given, this.cookie)
  }

  private mayGuess(): boolean {
    const nowMs = this.clock()
    this.guesses = Math.min(BURST, this.guesses + ((nowMs - this.countedAtMs) / 1000) * PER_SECOND)
    this.countedAtMs = nowMs
    return this.guesses >= 1
  }
}
