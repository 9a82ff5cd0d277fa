// A few hosts that do just what one test needs. Whole webs are made by the synthetic one.
import { writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Owner, temporaryFolder } from '../cli/run-cli.ts'
import type { Request } from '../web/synthetic-web.ts'

export interface SmallHost {
  readonly name: string
  readonly address: string
  /**
   * What it says at a path; undefined: 404. `times`: how often this path was asked for, this time included. `headers`: of the
   * request.
   */
  answer(path: string, times: number, headers?: IncomingHttpHeaders): Reply | undefined
}

/** Text is a page. `hang`: no answer, ever. `reset`: the connection ends instead of an answer. `raw`: these bytes, then it ends. */
export type Reply =
  | string
  | 'hang'
  | 'reset'
  | { readonly raw: string }
  | {
      readonly status?: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: string
      readonly waitMs?: number
      /** Instead of a body: pieces of it, and what to wait for in between. */
      readonly pieces?: readonly (string | Promise<unknown>)[]
    }

export interface SmallWeb {
  readonly port: number
  readonly log: readonly Request[]
  /** The crawl's own folder, not there yet. */
  readonly folder: string
  /** Arguments that every crawl of this web needs; `--hosts` is not among them where a DNS server is named. */
  readonly args: readonly string[]
  url(name: string, path?: string): string
  /** From now on nobody listens. */
  goAway(): Promise<void>
  comeBack(): Promise<void>
}

export interface SmallWebOptions {
  /** Names and paths; default: the front pages of all hosts. */
  readonly seeds?: readonly string[]
  /** `ADDRESS:PORT`, to look names up instead of in a file. */
  readonly dns?: string
  /** More addresses to listen at. */
  readonly addresses?: readonly string[]
}

const HTML = { 'Content-Type': 'text/html' }
const ATTEMPTS = 20

/** Serves hosts for one test, and writes the files that a crawl of them needs. Links may say `{{port}}`. */
export async function smallWeb(
  t: Owner,
  hosts: readonly SmallHost[],
  { seeds = hosts.map(({ name }) => `${name}/`), dns, addresses = [] }: SmallWebOptions = {},
): Promise<SmallWeb> {
  const log: { -readonly [Name in keyof Request]: Request[Name] }[] = []
  const byName = new Map(hosts.map(host => [host.name, host]))
  const times = new Map<string, number>()
  const wildcard = byName.get('*')
  let servers: Server[] = []
  let port = 0

  const take = (
    { address, host, path }: { address: string; host: string; path: string },
    headers: IncomingHttpHeaders,
    response: ServerResponse,
  ) => {
    const entry: (typeof log)[number] = {
      address,
      host,
      path,
      agent: undefined,
      startMs: nowMs(),
      sentBytes: 0,
      isKnown: byName.has(host),
    }
    log.push(entry)
    response.on('close', () => {
      entry.endMs = nowMs()
      entry.status = response.statusCode
      entry.retryAfterMs = Number(response.getHeader('Retry-After') ?? 0) * 1000
    })
    const n = (times.get(host + path) ?? 0) + 1
    times.set(host + path, n)
    const answered = () => (entry.answeredMs = nowMs())
    void give((byName.get(host) ?? wildcard)?.answer(path, n, headers), response, port, answered)
  }

  const listen = async (): Promise<void> => {
    for (const address of new Set([...hosts.map(host => host.address), ...addresses])) {
      const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
        const host = (request.headers.host ?? '').replace(/:\d+$/, '')
        take({ address, host, path: request.url ?? '' }, request.headers, response)
      })
      await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, address, resolve))
      servers.push(server)
      port = (server.address() as { port: number }).port
    }
  }
  const goAway = async () => {
    const leaving = servers
    servers = []
    await Promise.all(
      leaving.map(server => {
        const closed = new Promise(resolve => server.close(resolve))
        server.closeAllConnections()
        return closed
      }),
    )
  }
  for (let attempt = 1; ; attempt++) {
    try {
      await listen()
      break
    } catch (error) {
      await goAway()
      port = 0
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || attempt === ATTEMPTS) throw error
    }
  }
  t.after(goAway)

  const files = temporaryFolder(t)
  const [seedsFile, hostsFile, folder] = [join(files, 'seeds.txt'), join(files, 'hosts.txt'), join(files, 'crawl')]
  const url = (name: string, path = '/') => `http://${name}:${port}${path}`
  writeFileSync(seedsFile, seeds.map(place => `http://${place.replace('/', `:${port}/`)}\n`).join(''))
  writeFileSync(hostsFile, hosts.map(({ name, address }) => `${address} ${name}\n`).join(''))
  const names = dns === undefined ? ['--hosts', hostsFile] : ['--dns', dns]
  const args = ['-s', seedsFile, '-o', folder, ...names, '--allow-network', '127.0.0.0/8', '--delay', '100ms']
  return { port, log, folder, args, url, goAway, comeBack: listen }
}

/** `answered` is called just before the last of the answer is handed over. */
async function give(
  reply: Reply | undefined,
  response: ServerResponse,
  port: number,
  answered: () => void,
): Promise<void> {
  if (reply === 'hang') return
  if (reply === 'reset') {
    answered()
    return void response.socket?.resetAndDestroy()
  }
  if (typeof reply === 'object' && 'raw' in reply) return void response.socket?.end(reply.raw)
  const { status, headers = HTML, body = '', waitMs = 0, pieces } = partsOf(reply)
  if (waitMs > 0) await wait(waitMs)
  if (pieces !== undefined) {
    response.writeHead(status ?? 200, headers)
    for (const piece of pieces) {
      if (typeof piece !== 'string') await piece
      else response.write(piece.replaceAll('{{port}}', String(port)))
    }
    response.end()
    return
  }
  answered()
  response.writeHead(status ?? 200, headers).end(body.replaceAll('{{port}}', String(port)))
}

type Parts = Exclude<Reply, string | { readonly raw: string }>

function partsOf(reply: string | Parts | undefined): Parts {
  if (reply === undefined) return { status: 404 }
  return typeof reply === 'string' ? { body: reply } : reply
}

/** A page with these links. */
export function pageWith(title: string, links: readonly string[]): string {
  return `<!doctype html><title>${title}</title>${links.map(href => `<a href="${href}">x</a>\n`).join('')}`
}

/** A host with so many pages beside its front page, all linked from there: `/1`, `/2`, … */
export function plainHost(name: string, address: string, pages: number, waitMs = 0): SmallHost {
  const links = Array.from({ length: pages }, (_, n) => `/${n + 1}`)
  const paths = new Set(links)
  return {
    name,
    address,
    answer(path) {
      if (path === '/') return { headers: HTML, body: pageWith(name, links), waitMs }
      return paths.has(path) ? { headers: HTML, body: pageWith(`${name}${path}`, ['/']), waitMs } : undefined
    },
  }
}

/** The URLs of a plain host's pages. */
export function urlsOfPlain(web: SmallWeb, name: string, pages: number): string[] {
  return [web.url(name), ...Array.from({ length: pages }, (_, n) => web.url(name, `/${n + 1}`))]
}

export function robotsTxt(body: string): Reply {
  return { headers: { 'Content-Type': 'text/plain' }, body }
}

function nowMs(): number {
  return performance.timeOrigin + performance.now()
}
