import assert from 'node:assert/strict'
import { type IncomingHttpHeaders, request } from 'node:http'
import type { TestContext } from 'node:test'
import { UiServer } from '../../src/server/ui-server.ts'
import { StandInView } from './stand-in-view.ts'

export const TOKEN = 'a-token-that-nobody-guesses'

export interface Served {
  readonly view: StandInView
  readonly server: UiServer
  readonly port: number
}

/** The server of a stand-in view, for one test. */
export async function serveStandIn(t: TestContext, token = TOKEN, view = new StandInView()): Promise<Served> {
  const server = await UiServer.listen({ port: 0, bind: '127.0.0.1', token }, message => assert.fail(message))
  t.after(() => server.close())
  server.show(view)
  return { view, server, port: Number(new URL(server.url).port) }
}

export interface Asking {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** False: without the token. */
  readonly isKnown?: boolean
}

export interface Answered {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** Asks exactly this: no header is added or checked, unlike with fetch. */
export async function ask(port: number, path: string, asking: Asking = {}): Promise<Answered> {
  const { method = 'GET', headers = {}, body, isKnown = true } = asking
  const auth = isKnown ? { authorization: `Bearer ${TOKEN}` } : {}
  const json = body === undefined ? {} : { 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    const all = { ...auth, ...json, ...headers }
    const out = request({ host: '127.0.0.1', port, path, method, headers: all, agent: false }, answer => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', () =>
        resolve({ status: answer.statusCode!, headers: answer.headers, text: Buffer.concat(chunks).toString() }),
      )
    })
    out.on('error', reject)
    out.end(body)
  })
}

/** The code of an answer that is an error. */
export function codeOf({ text }: Answered): string {
  return (JSON.parse(text) as { error: { code: string } }).error.code
}
