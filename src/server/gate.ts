import { isIP } from 'node:net'
import { hostname } from 'node:os'
import { getCookie } from 'hono/cookie'
import { inLanguage } from '../base/words/language.ts'
import { type Asked, languageIn, refusal } from './asked.ts'
import type { Connections } from './connections.ts'
import { serverWords } from './messages.ts'
import type { Token } from './token.ts'

/**
 * Nothing is loaded from elsewhere, nothing inline runs, nobody may frame the page. Its own frames stay on this server, also when a link in
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

/** Sent with every answer. */
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

export interface GateOptions {
  readonly token: Token
  readonly connections: Connections
  /** The address that the server was bound to. */
  readonly bind: string
  readonly port: number
}

/** Decides who may come in: by the names that the server answers to, the sites that may ask, and the token. */
export class Gate {
  private readonly options: GateOptions
  private readonly names: readonly string[]

  constructor(options: GateOptions) {
    this.options = options
    this.names = ['localhost', options.bind, hostname()].map(name => name.toLowerCase())
  }

  /**
   * Throws when the request was not meant for this server: a name in `Host` that is not the machine's own means that a site had
   * its name resolved to this address (DNS rebinding).
   */
  checkName(asked: Asked): void {
    const { host = '' } = asked.env.incoming.headers
    const name = host.replace(/:\d*$/, '').toLowerCase()
    const isAddress = isIP(name) === 4 || (/^\[.*\]$/.test(name) && isIP(name.slice(1, -1)) === 6)
    if (!isAddress && !this.names.includes(name)) throw refusal(asked, 'UI_WRONG_HOST', words => words.wrongHost)
  }

  /** Throws when another site asks; `Origin` names it. */
  checkSender(asked: Asked): void {
    const { host = '', origin } = asked.env.incoming.headers
    if (!isOwnSite(asked, host, origin)) throw refusal(asked, 'UI_FOREIGN_ORIGIN', words => words.foreignOrigin)
  }

  /** Throws without the token. A browser that has it in the URL gets a cookie, if it has none, and is sent to the same URL without it. */
  checkToken(asked: Asked): Response | undefined {
    const { token, connections } = this.options
    const cookie = getCookie(asked, this.cookieName())
    const inUrl = asked.req.method === 'GET' ? new URL(asked.req.url).searchParams.get('token') : null
    if (cookie !== undefined && token.isCookie(cookie)) {
      this.checkCookieUse(asked)
      connections.welcome(asked.env.incoming.socket)
      return inUrl === null ? undefined : this.letIn(asked)
    }
    const bearer = /^bearer +(\S+) *$/i.exec(asked.req.header('authorization') ?? '')?.[1]
    const given = bearer ?? inUrl
    if (given === null) throw this.noToken(asked)
    const verdict = token.judge(given)
    if (verdict === 'slow down') throw refusal(asked, 'UI_TOO_MANY_TOKENS', words => words.tooManyTokens)
    if (verdict === 'wrong') throw this.noToken(asked)
    connections.welcome(asked.env.incoming.socket)
    return bearer === undefined ? this.letIn(asked) : undefined
  }

  /** A browser sends a cookie on its own: what changes something must come from the page itself. */
  private checkCookieUse(asked: Asked): void {
    const { method } = asked.req
    if (method === 'GET' || method === 'HEAD') return
    const { origin, 'sec-fetch-site': site } = asked.env.incoming.headers
    if (origin === undefined && site !== 'same-origin')
      throw refusal(asked, 'UI_FOREIGN_ORIGIN', words => words.foreignOrigin)
  }

  private letIn(asked: Asked): Response {
    const { pathname, searchParams } = new URL(asked.req.url)
    searchParams.delete('token')
    const query = searchParams.size === 0 ? '' : `?${searchParams}`
    // More than one slash in front would be the address of another host.
    const location = `/${pathname.replace(/^[/\\]+/, '')}${query}`
    const cookie = `${this.cookieName()}=${this.options.token.cookie}; Path=/; HttpOnly; SameSite=Strict`
    return asked.body(null, 303, { location, 'set-cookie': cookie })
  }

  private noToken(asked: Asked) {
    return refusal(asked, 'UI_NO_TOKEN', words => words.noToken)
  }

  /** Cookies are shared by all ports of a host, so that of each server has a name of its own. */
  private cookieName(): string {
    return `escalona-${this.options.port}`
  }
}

/** Whether the request was made by the page itself, by a program, or by a person who opens an address. */
function isOwnSite(asked: Asked, host: string, origin: string | undefined): boolean {
  if (origin !== undefined) return URL.canParse(origin) && new URL(origin).host === host.toLowerCase()
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode } = asked.env.incoming.headers
  const isOpened = asked.req.method === 'GET' && mode === 'navigate'
  return isOpened || (site !== 'cross-site' && site !== 'same-site')
}

/** What a person sees who opens a page without the token. */
export function noTokenPage(asked: Asked): string {
  const language = languageIn(asked)
  const { noTokenTitle, noTokenPage: lines } = inLanguage(language, serverWords)
  const paragraphs = lines.map(line => `<p>${line}</p>`).join('\n')
  return `<!doctype html>
<html lang="${language === 'pt' ? 'pt-BR' : 'en'}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Escalona</title>
<main>
<h1>${noTokenTitle}</h1>
${paragraphs}
</main>
</html>
`
}
