// A real crawl with --ui, asked and steered over HTTP, then looked at again after its end. Browsers are in test/e2e/.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { request } from 'node:http'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { MAIN, PLAIN } from '../cli/run-cli.ts'
import type { Answered, Asking } from '../server/ask-server.ts'
import { describedBy, Judge } from '../server/described.ts'
import { smallWeb } from './small-web.ts'

const LONGEST_MS = 40_000

/** A command that serves the live page. */
class Served {
  readonly child: ChildProcess
  readonly ended: Promise<number | null>
  stderr = ''
  private url: URL | undefined

  constructor(t: TestContext, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    this.child = spawn(process.execPath, [MAIN, ...args], {
      env: { ...process.env, ...PLAIN, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: LONGEST_MS,
    })
    t.after(() => this.child.kill('SIGKILL'))
    this.child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text
    })
    this.ended = new Promise(resolve => this.child.once('exit', resolve))
  }

  /** The address that is printed. */
  async address(): Promise<URL> {
    const found = await until(() => /(?:live page|reading room): (http:\S+?)["\s]/.exec(this.stderr)?.[1], this)
    this.url = new URL(found)
    return this.url
  }

  async ask(path: string, { method = 'GET', body }: Asking = {}): Promise<Answered> {
    const { hostname, port, searchParams } = this.url!
    const headers = { authorization: `Bearer ${searchParams.get('token')}`, 'content-type': 'application/json' }
    return new Promise((resolve, reject) => {
      const out = request({ hostname, port, path, method, headers, agent: false }, async answer => {
        const text = Buffer.concat(await answer.toArray()).toString()
        resolve({ status: answer.statusCode!, headers: answer.headers, text })
      })
      out.on('error', reject).end(body)
    })
  }

  async json<Shape>(path: string, asking?: Asking): Promise<Shape> {
    const { status, text } = await this.ask(path, asking)
    assert.equal(status, 200, `${path}: ${text}`)
    return JSON.parse(text) as Shape
  }
}

/** Waits for something to be there. */
async function until<Value>(
  look: () => Value | undefined | Promise<Value | undefined>,
  { child, ...served }: Served,
): Promise<Value> {
  for (let n = 0; n < 300 && child.exitCode === null; n++) {
    const found = await look()
    if (found !== undefined) return found
    await wait(50)
  }
  throw new Error(`it never came: ${served.stderr}`)
}

interface Now {
  readonly state: string
  readonly pages: number
  readonly openRequests: number
  readonly waitingFor: string
}

const ENDLESS = (path: string) => `<title>At ${path}</title>${[0, 1].map(n => `<a href="${path}${n}">x</a>`).join('')}`

test('live page: a crawl with --ui is asked, paused, changed and stopped; afterwards escalona ui shows it', async t => {
  const web = await smallWeb(
    t,
    [
      {
        name: 'a.test',
        address: '127.22.0.1',
        answer: path => {
          const headers = { 'Content-Type': 'text/plain' }
          if (path === '/robots.txt') return { headers, body: 'User-agent: *\nDisallow: /private\n' }
          return ENDLESS(path)
        },
      },
      {
        name: 'b.test',
        address: '127.22.0.2',
        answer: path => (path === '/robots.txt' ? undefined : '<title>B</title>'),
      },
    ],
    { seeds: ['a.test/'] },
  )
  const crawl = new Served(t, ['crawl', ...web.args, '--scope', 'host', '--delay', '40ms', '--log', 'json', '--ui'])
  const address = await crawl.address()
  assert.equal(address.hostname, '127.0.0.1')
  assert.match(address.searchParams.get('token')!, /^[\w-]{22}$/, 'a new token of 128 bits')
  const line = crawl.stderr.split('\n').find(one => one.includes('live page'))!
  const { event, url } = JSON.parse(line) as { event: string; url: string }
  assert.deepEqual([event, url], ['live page', address.href])
  const now = () => crawl.json<Now>('/api/crawl')
  const first = await until(async () => ((await now()).pages > 5 ? now() : undefined), crawl)
  assert.equal(first.state, 'running')
  assert.notEqual(first.waitingFor, '')
  const forbidden = encodeURIComponent(web.url('a.test', '/private/x'))
  const told = await crawl.json<{ history: { robots: { line: number; text: string } } }>(
    `/api/explain?url=${forbidden}`,
  )
  assert.deepEqual([told.history.robots.line, told.history.robots.text], [2, 'Disallow: /private'])

  // The web's own log decides what a pause is.
  await crawl.json('/api/crawl/pause', { method: 'POST' })
  await until(async () => ((await now()).openRequests === 0 ? true : undefined), crawl)
  const asked = web.log.length
  await wait(500)
  assert.deepEqual([web.log.length, (await now()).state], [asked, 'paused'])
  await crawl.json('/api/crawl/resume', { method: 'POST' })
  await until(() => (web.log.length > asked ? true : undefined), crawl)
  const seed = JSON.stringify({ urls: [web.url('b.test')] })
  assert.equal((await crawl.json<{ seeds: number }>('/api/seeds', { method: 'POST', body: seed })).seeds, 1)
  await until(() => web.log.find(({ host, path }) => host === 'b.test' && path === '/'), crawl)
  await crawl.json('/api/settings', { method: 'PATCH', body: '{"delayMs":60,"limit":null}' })
  const host = `/api/hosts/${encodeURIComponent(`a.test:${web.port}`)}`
  await crawl.json(host, { method: 'PATCH', body: '{"delayMs":50}' })
  const { status } = await crawl.ask('/api/settings', { method: 'PATCH', body: '{"concurrency":1000000}' })
  assert.equal(status, 422)

  await everythingIsAsDescribed(crawl, host, web.url('a.test'))
  await crawl.json('/api/crawl/stop', { method: 'POST' })
  assert.equal(await crawl.ended, 0)

  const after = new Served(t, ['ui', web.folder], { ESCALONA_UI_TOKEN: 'a-token-of-my-own' })
  const shown = await after.address()
  assert.equal(shown.searchParams.get('token'), 'YOUR_TOKEN', 'those who set it know it')
  shown.searchParams.set('token', 'a-token-of-my-own')
  assert.equal((await after.json<Now>('/api/crawl')).state, 'ended')
  await everythingIsAsDescribed(after, host, web.url('a.test'))
  const kinds = (await after.json<{ items: { kind: string }[] }>('/api/actions')).items.map(({ kind }) => kind)
  assert.deepEqual(kinds, ['stop', 'change host', 'change settings', 'add seeds', 'resume', 'pause'])
  const refused = await after.ask('/api/crawl/pause', { method: 'POST' })
  assert.match(refused.text, /CRAWL_NOT_RUNNING/)
  assert.equal(refused.status, 409)
  after.child.kill('SIGINT')
  assert.equal(await after.ended, 130)

  const room = new Served(t, ['replay', web.folder])
  assert.equal((await room.address()).pathname, '/pages')
  const { items } = await room.json<{ items: { status: number }[] }>(`/api/visits?url=a.test:${web.port}`)
  assert.deepEqual(
    items.map(({ status }) => status),
    [200],
  )
  const { key } = await room.json<{ key: string }>('/api/frame')
  const page = await room.ask(`/at/${key}/page/20260101000000/${encodeURIComponent(web.url('a.test'))}`)
  assert.deepEqual([page.status, /href="\/at\//.test(page.text)], [200, true], page.text)
  room.child.kill('SIGINT')
  assert.equal(await room.ended, 130)
})

/** All that can be read, of a real crawl. */
async function everythingIsAsDescribed(served: Served, host: string, url: string): Promise<void> {
  const all = await describedBy(path => served.ask(path))
  const judge = new Judge(all)
  const query = `url=${encodeURIComponent(url)}`
  for (const [route, path] of [
    ...['/api/crawl', '/api/series', '/api/settings', '/api/actions'].map(one => [one, one]),
    ['/api/hosts', '/api/hosts?sort=waiting'],
    ['/api/hosts/{host}', host],
    ['/api/pages', '/api/pages?q=at'],
    ['/api/page', `/api/page?${query}`],
    ['/api/visits', `/api/visits?${query}`],
    ['/api/difference', `/api/difference?${query}&from=0&to=9`],
    ['/api/explain', `/api/explain?${query}`],
  ] as [string, string][]) {
    const answer = await served.ask(path)
    assert.equal(answer.status, 200, `${path}: ${answer.text}`)
    judge.isAsDescribed(route, 'GET', answer)
  }
  const { items } = await served.json<{ items: unknown[] }>('/api/pages?q=AT')
  assert.ok(items.length > 0)
}
