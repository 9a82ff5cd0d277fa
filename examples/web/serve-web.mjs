// Serves a web on loopback: one listening socket for each address in use, all on the same port, and a log of every request.
import { once } from 'node:events'
import { appendFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { withPort } from './site.mjs'

const PORT_ATTEMPTS = 20
const CHUNK = Buffer.alloc(65_536, 'x')

/**
 * `log` grows by an entry a request, in order of arrival; `answeredMs` is when the last of the answer is
 * handed over, `endMs` when it was given or given up. Times are milliseconds since 1970. `logFile` gets the same as JSON lines, each when its request ends.
 */
export async function serveWeb(web, { port = 0, logFile } = {}) {
  const log = []
  const sites = new Map(web.sites.map(site => [site.name, site]))
  const counts = new Map()
  const answer = (request, response) => {
    const host = (request.headers.host ?? '').replace(/:\d+$/, '')
    const path = request.url ?? ''
    const address = request.socket.localAddress
    const entry = { address, host, path, agent: request.headers['user-agent'], startMs: nowMs(), sentBytes: 0 }
    log.push(entry)
    response.on('close', () => {
      entry.endMs = nowMs()
      entry.status = response.statusCode
      entry.retryAfterMs = Number(response.getHeader('Retry-After') ?? 0) * 1000
      if (logFile !== undefined) appendFileSync(logFile, `${JSON.stringify(entry)}\n`)
    })
    const times = (counts.get(host + path) ?? 0) + 1
    counts.set(host + path, times)
    const site = sites.get(host)
    entry.isKnown = site !== undefined && (site.pages.has(path) || site.endless?.isHere(path) === true)
    const page = site?.pages.get(path) ?? (entry.isKnown ? endlessPage(site, path) : NOT_HERE)
    give(page, times, response, entry, servers.port).catch(() => response.destroy())
  }
  const servers = await listen(new Set(web.sites.map(site => site.address)), port, answer)
  return { port: servers.port, log, close: servers.close }
}

const NOT_HERE = { status: 404, headers: { 'Content-Type': 'text/html' }, body: '<p>Not here</p>', act: {} }

function endlessPage(site, path) {
  const links = site.endless.links(path).map(one => `<a href="${one}">liga</a>`)
  const body = `<!doctype html><title>Session</title><p>${path}</p>${links.join('')}`
  return { status: 200, headers: { 'Content-Type': 'text/html' }, body, act: {} }
}

async function give({ status, headers, body, act }, times, response, entry, port) {
  if (act.hangs) return
  if (act.resets) {
    entry.answeredMs = nowMs()
    return void response.socket.resetAndDestroy()
  }
  const first = act.first?.[times - 1]
  if (first) {
    response.statusCode = first.status
    for (const [name, value] of Object.entries(first.headers)) response.setHeader(name, value)
    entry.answeredMs = nowMs()
    return void response.end()
  }
  if (act.waitMs) await wait(act.waitMs)
  response.statusCode = status
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) response.setHeader(name, Buffer.from(withPort(value, port)).toString('latin1'))
  }
  if (act.streamBytes) return stream(act.streamBytes, response, entry)
  const bytes = typeof body === 'function' ? body(port) : Buffer.from(body)
  entry.sentBytes = bytes.length
  if (act.cuts) response.write(bytes, () => setTimeout(() => response.socket?.destroy(), 20))
  else {
    entry.answeredMs = nowMs()
    response.end(bytes)
  }
}

/** Only as fast as it is read, so `sentBytes` tells what the other side let itself be given. */
async function stream(bytes, response, entry) {
  const closed = once(response, 'close')
  while (entry.sentBytes < bytes && !response.destroyed) {
    entry.sentBytes += CHUNK.length
    if (!response.write(CHUNK)) await Promise.race([once(response, 'drain'), closed])
  }
  if (!response.destroyed) entry.answeredMs = nowMs()
  response.end()
}

/** The same port on every address; another one when somebody has it on one of them. */
async function listen(addresses, wanted, answer) {
  for (let attempt = 1; ; attempt++) {
    const servers = []
    const close = async () => {
      await Promise.all(
        servers.map(server => {
          const closed = new Promise(resolve => server.close(resolve))
          server.closeAllConnections()
          return closed
        }),
      )
    }
    try {
      let port = wanted
      for (const address of addresses) {
        const server = createServer({ keepAliveTimeout: 60_000 }, answer)
        await new Promise((resolve, reject) => server.once('error', reject).listen(port, address, resolve))
        servers.push(server)
        port = server.address().port
      }
      return { port, close }
    } catch (error) {
      await close()
      if (error.code !== 'EADDRINUSE' || wanted !== 0 || attempt === PORT_ATTEMPTS) throw error
    }
  }
}

function nowMs() {
  return performance.timeOrigin + performance.now()
}
