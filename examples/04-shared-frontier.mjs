// One frontier for two crawlers, in Redis. The example starts a redis-server of its own on loopback and ends it; in your own
// project, give the address of one that runs, or of some nodes of a cluster. See docs/scaling.md.
// @ts-check
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openRedis, parseWhere } from 'escalona/frontier'

/** @type {number} */
const port = await new Promise(resolve => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
    server.close(() => resolve(port))
  })
})
const folder = mkdtempSync(join(tmpdir(), 'escalona-redis-'))
const program = process.env.ESCALONA_REDIS_SERVER || 'redis-server'
const redis = spawn(program, ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''], {
  stdio: 'ignore',
})

// Each crawler has an id of its own, by which it is known when it comes back.
const where = parseWhere(`redis://127.0.0.1:${port}/example?shards=4`)
const ana = await openRedis({ where, crawler: 'ana', delayMs: 60_000 })
const bia = await openRedis({ where, crawler: 'bia', delayMs: 60_000 })

const hosts = ['ufmg.br', 'globo.com', 'uol.com.br', 'usp.br', 'unb.br', 'ufrj.br']
const links = hosts.flatMap(host => [
  { url: `https://${host}/`, rank: 0, hops: 0 },
  { url: `https://${host}/news`, rank: 1, hops: 0 },
])
console.log(`ana offers ${links.length} links: ${await ana.offer(links)} are new`)
console.log(`bia offers the same: ${await bia.offer(links)} are new`)

// A host has one open ticket, no matter who asks.
const first = await ana.take(4)
const second = await bia.take(10)
console.log(`ana has ${first.tickets.length} tickets, bia ${second.tickets.length}`)
const asked = new Set([...first.tickets, ...second.tickets].map(ticket => ticket.host))
console.log(`together at ${asked.size} different hosts`)

await ana.settle(
  first.tickets.map(({ id }) => ({
    ticketId: id,
    outcome: { kind: 'done', isPage: true },
    links: [],
    shown: 'answer',
    delayMs: 0,
  })),
)
// The delay after a visit holds for everybody.
console.log(`at once, bia gets ${(await bia.take(10)).tickets.length}`)

// What a crawler gives back waits again.
await bia.giveBack(second.tickets.map(ticket => ticket.id))
const { known, done, leased, waiting } = await ana.counts()
console.log(`${known} known: ${done} done, ${leased} leased, ${waiting} waiting`)

await ana.close()
await bia.close()
redis.kill()
await new Promise(resolve => redis.once('exit', resolve))
rmSync(folder, { recursive: true })
