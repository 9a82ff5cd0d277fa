// Real redis-server processes on free ports of loopback, alone or as a cluster, with an append-only file that is synced every
// second. They end with this process at the latest. ESCALONA_REDIS_SERVER names another binary, Valkey's for example.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '@redis/client'

const PROGRAM = process.env.ESCALONA_REDIS_SERVER || 'redis-server'
const SLOTS = 16_384
/** A cluster that takes longer to form, or a file to be rewritten, has something wrong with it. */
const PATIENCE_MS = 60_000

/**
 * Starts `primaries` servers, each with `replicas` others that follow it. One without replicas is a plain Redis, anything
 * else a cluster with the slots divided evenly.
 */
export async function startServers({ primaries = 1, replicas = 0 } = {}) {
  const isCluster = primaries + replicas > 1
  const folder = mkdtempSync(join(tmpdir(), 'escalona-bench-redis-'))
  const nodes = []
  const end = () => {
    for (const { child } of nodes) child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', end)
  const stop = async () => {
    process.off('exit', end)
    for (const { client } of nodes) client.destroy()
    await Promise.all(nodes.map(({ child }) => ended(child)))
    rmSync(folder, { recursive: true, force: true })
  }
  for (let n = 0; n < primaries * (1 + replicas); n++) nodes.push(await startNode(join(folder, String(n)), isCluster))
  if (isCluster) await joinAsCluster(nodes, primaries)
  const leaders = nodes.slice(0, primaries)
  return {
    /** Of the primaries. */
    addresses: leaders.map(({ port }) => `127.0.0.1:${port}`),
    /** What the primaries have used so far: seconds of processor time, and bytes of data in memory. */
    use: async () => total(await Promise.all(leaders.map(useOf))),
    /** How often each command was called so far, inside scripts or not, and the microseconds it took. */
    commands: async () =>
      commandsOf(await Promise.all(leaders.map(({ client }) => client.sendCommand(['INFO', 'commandstats'])))),
    /** Bytes of the append-only files, after they were rewritten. */
    fileBytes: async () => (await Promise.all(leaders.map(fileBytesOf))).reduce((sum, bytes) => sum + bytes),
    flush: () => Promise.all(leaders.map(({ client }) => client.sendCommand(['FLUSHALL', 'SYNC']))),
    stop,
  }
}

export async function serverVersion() {
  const child = spawn(PROGRAM, ['--version'], { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.on('data', data => (text += data))
  await new Promise(resolve => child.on('close', resolve))
  return /^(\S+ ?\S*).*?v=([\d.]+)/.exec(text)?.slice(1).join(' ') ?? text.trim()
}

async function startNode(folder, isCluster) {
  mkdirSync(folder)
  const [port, busPort] = [await freePort(), await freePort()]
  const options = { port, bind: '127.0.0.1', dir: folder, save: '', appendonly: 'yes', appendfsync: 'everysec' }
  Object.assign(options, { logfile: join(folder, 'log'), 'repl-diskless-sync': 'yes', 'repl-diskless-sync-delay': 0 })
  if (isCluster)
    Object.assign(options, { 'cluster-enabled': 'yes', 'cluster-port': busPort, 'cluster-node-timeout': 2000 })
  const words = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)])
  const child = spawn(PROGRAM, words, { stdio: ['ignore', 'ignore', 'inherit'] })
  const hasEnded = new Promise((_, reject) =>
    child.once('exit', () =>
      reject(new Error(`${PROGRAM} ended:\n${readFileSync(options.logfile, 'utf8').slice(-1000)}`)),
    ),
  )
  hasEnded.catch(() => {})
  const client = createClient({ RESP: 2, socket: { host: '127.0.0.1', port, reconnectStrategy: 20 } })
  client.on('error', () => {})
  await Promise.race([client.connect(), hasEnded])
  return { port, busPort, child, client }
}

async function joinAsCluster(nodes, primaries) {
  const ask = (node, ...words) => node.client.sendCommand(words.map(String))
  const [first] = nodes
  for (const [n, node] of nodes.entries()) {
    await ask(node, 'CLUSTER', 'SET-CONFIG-EPOCH', n + 1)
    if (node !== first) await ask(node, 'CLUSTER', 'MEET', '127.0.0.1', first.port, first.busPort)
    if (n >= primaries) continue
    const [from, to] = [n, n + 1].map(i => Math.floor((SLOTS * i) / primaries))
    await ask(node, 'CLUSTER', 'ADDSLOTSRANGE', from, to - 1)
  }
  const info = async node => String(await ask(node, 'CLUSTER', 'INFO'))
  for (const node of nodes) {
    await until(async () => (await info(node)).includes(`cluster_known_nodes:${nodes.length}`))
    await until(async () => /cluster_state:ok/.test(await info(node)))
  }
  for (const [n, node] of nodes.entries()) {
    if (n < primaries) continue
    const leader = String(await ask(nodes[n % primaries], 'CLUSTER', 'MYID'))
    // Refused until the replica has heard of its primary.
    await until(() => ask(node, 'CLUSTER', 'REPLICATE', leader).catch(() => false))
  }
  for (const node of nodes.slice(primaries)) {
    await until(async () => /master_link_status:up/.test(String(await ask(node, 'INFO', 'replication'))))
  }
  const replicasSeenBy = async node => String(await ask(node, 'CLUSTER', 'NODES')).match(/\bslave\b/g)?.length ?? 0
  for (const node of nodes) await until(async () => (await replicasSeenBy(node)) === nodes.length - primaries)
}

async function until(isSo) {
  for (const start = performance.now(); !(await isSo()); await sleep(20)) {
    if (performance.now() - start > PATIENCE_MS)
      throw new Error(`the servers are not ready after ${PATIENCE_MS / 1000} s`)
  }
}

/** Buffers come and go, so they don't count as data. */
async function useOf({ client }) {
  const text = String(await client.sendCommand(['INFO', 'everything']))
  const value = name => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(text)?.[1] ?? 0)
  const buffers = ['mem_clients_normal', 'mem_clients_slaves', 'mem_aof_buffer', 'mem_total_replication_buffers']
  return {
    cpuSeconds: value('used_cpu_user') + value('used_cpu_sys'),
    bytes: value('used_memory') - buffers.reduce((sum, name) => sum + value(name), 0),
  }
}

async function fileBytesOf({ client }) {
  const info = async () => String(await client.sendCommand(['INFO', 'persistence']))
  const isIdle = async () => /aof_rewrite_in_progress:0[\s\S]*aof_rewrite_scheduled:0/.test(await info())
  await until(isIdle)
  await client.sendCommand(['BGREWRITEAOF'])
  await until(isIdle)
  return Number(/aof_current_size:(\d+)/.exec(await info())[1])
}

function total(list) {
  const sum = key => list.reduce((all, one) => all + one[key], 0)
  return { cpuSeconds: sum('cpuSeconds'), bytes: sum('bytes') }
}

function commandsOf(texts) {
  const all = {}
  for (const [, name, calls, us] of texts.join('\n').matchAll(/cmdstat_(\S+?):calls=(\d+),usec=(\d+)/g)) {
    all[name] ??= { calls: 0, us: 0 }
    all[name].calls += Number(calls)
    all[name].us += Number(us)
  }
  return all
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}

function ended(child) {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  return new Promise(resolve => child.once('exit', resolve))
}
