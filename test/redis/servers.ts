// Real processes of Redis or Valkey on free ports of the loopback, for tests: one alone, or a cluster. They end with the test that
// started them, and with its process.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Argument, RedisConnection, type Reply } from '../../src/frontier/redis/engine/connection.ts'
import { type NodeAddress, parseWhere } from '../../src/frontier/redis/engine/where.ts'
import { type EngineProgram, REDIS } from './engines.ts'
import { Guard } from './guard.ts'

/** A test, or `{ after }` of node:test for the servers of a whole file. */
export interface Owner {
  after(then: () => unknown): void
}

export interface ServerOptions {
  /** Default: Redis. */
  readonly program?: EngineProgram
  /** More options of the server: `['--maxmemory', '5mb']`. */
  readonly flags?: readonly string[]
  readonly password?: string
}

const DURABLE = ['--appendonly', 'yes', '--appendfsync', 'everysec', '--save', '']
/** A replica that starts copying at once, and a cluster that misses a node after 2 s. */
const CLUSTERED = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '2000', '--cluster-announce-ip', '127.0.0.1']
const COPYING = ['--repl-diskless-sync-delay', '0', '--repl-ping-replica-period', '1']
const START_MS = 10_000
/** Where the append-only file is. */
const FILES = 'appendonlydir'

/** One process of an engine with its folder. Keeps port and data over `restart()`. */
export class Server {
  readonly address: NodeAddress
  readonly password: string | undefined
  private readonly program: string
  private readonly folder: string
  private readonly flags: readonly string[]
  private readonly guard: Guard
  private child: ChildProcess | undefined
  private control: RedisConnection | undefined
  private isFrozen = false

  constructor(guard: Guard, folder: string, port: number, { program = REDIS, flags = [], password }: ServerOptions) {
    this.guard = guard
    this.program = program.path
    this.folder = folder
    this.address = { host: '127.0.0.1', port }
    this.password = password
    this.flags = password === undefined ? flags : [...flags, '--requirepass', password, '--masterauth', password]
    mkdirSync(folder)
  }

  get port(): number {
    return this.address.port
  }

  get pid(): number {
    return this.child!.pid!
  }

  /** Whether it runs, and is not frozen. */
  get isUp(): boolean {
    return this.child !== undefined && this.child.exitCode === null && this.child.signalCode === null && !this.isFrozen
  }

  /** `redis://127.0.0.1:PORT/NAME`, without a password. */
  url(name: string, query = ''): string {
    return `redis://127.0.0.1:${this.port}/${name}${query}`
  }

  async start(): Promise<void> {
    const place = ['--port', String(this.port), '--bind', '127.0.0.1', '--dir', this.folder, '--logfile', 'log']
    const child = spawn(this.program, [...place, ...DURABLE, ...COPYING, ...this.flags], { stdio: 'ignore' })
    await once(child, 'spawn')
    this.child = child
    this.guard.watch(child.pid!)
    await until(`a server on port ${this.port}`, START_MS, async () => {
      if (child.exitCode !== null) throw new Error(`${this.program} has ended:\n${this.log()}`)
      return (await this.ask('PING').catch(() => '')) === 'PONG'
    })
  }

  /** Asks a command on a connection of the test's own; strings as text. */
  async ask(...command: Argument[]): Promise<Told> {
    return told(await this.send(command))
  }

  /** Asks a command whose reply is a list of strings, as bytes. */
  async raw(...command: Argument[]): Promise<readonly Buffer[]> {
    return (await this.send(command)) as readonly Buffer[]
  }

  private async send(command: readonly Argument[]): Promise<Reply> {
    if (this.control === undefined || !this.control.isOpen) {
      const login = this.password === undefined ? '' : `:${encodeURIComponent(this.password)}@`
      this.control = await RedisConnection.open(this.address, parseWhere(`redis://${login}127.0.0.1/x`))
    }
    return this.control.send(command)
  }

  /** The lines `key:value` of INFO. */
  async info(section = 'everything'): Promise<Readonly<Record<string, string>>> {
    const lines = String(await this.ask('INFO', section)).matchAll(/^(\w+):(.*?)\r?$/gm)
    return Object.fromEntries([...lines].map(([, key, value]) => [key!, value!]))
  }

  /** Ends at once (SIGKILL), as in a crash. */
  async kill(): Promise<void> {
    this.control?.end()
    const child = this.child
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }

  async restart(): Promise<void> {
    await this.kill()
    await this.start()
  }

  /**
   * Keeps a copy of its files, with everything that was acknowledged before. With a sync every second, a server puts off writing for up to
   * two seconds while its disk is still busy with the last sync.
   */
  async copyFiles(): Promise<void> {
    await until('the file to be written', START_MS, async () => {
      return (await this.info('persistence')).aof_buffer_length === '0'
    })
    rmSync(this.copy, { recursive: true, force: true })
    cpSync(join(this.folder, FILES), this.copy, { recursive: true })
  }

  /** Ends at once, and comes back with the files of the copy: what was acknowledged since is forgotten. */
  async rollBack(): Promise<void> {
    await this.kill()
    rmSync(join(this.folder, FILES), { recursive: true })
    cpSync(this.copy, join(this.folder, FILES), { recursive: true })
    await this.start()
  }

  private get copy(): string {
    return `${this.folder}-copy`
  }

  /** SIGSTOP: the process stays, its sockets too, and nothing is answered. */
  freeze(): void {
    process.kill(this.pid, 'SIGSTOP')
    this.isFrozen = true
  }

  thaw(): void {
    process.kill(this.pid, 'SIGCONT')
    this.isFrozen = false
  }

  log(): string {
    return readFileSync(join(this.folder, 'log'), 'utf8')
  }
}

/** A reply as text. */
export type Told = string | number | null | readonly Told[]

function told(reply: Reply): Told {
  if (Buffer.isBuffer(reply)) return reply.toString()
  return Array.isArray(reply) ? reply.map(told) : (reply as number | null)
}

/** One Redis without cluster mode. */
export async function startRedis(owner: Owner, options: ServerOptions = {}): Promise<Server> {
  const [server] = await makeServers(owner, 1, options, [])
  await server!.start()
  return server!
}

/** Servers that do not run yet, and that end, with their folders, after the test. */
export async function makeServers(
  owner: Owner,
  count: number,
  options: ServerOptions,
  clusterFlags: readonly string[],
): Promise<Server[]> {
  const folder = mkdtempSync(join(tmpdir(), 'escalona-redis-'))
  const guard = new Guard(folder)
  const ports = await freePorts(count * 2)
  const servers = Array.from({ length: count }, (_, i) => {
    const bus = clusterFlags.length === 0 ? [] : ['--cluster-port', String(ports[count + i])]
    const place = join(folder, String(ports[i]))
    return new Server(guard, place, ports[i]!, {
      ...options,
      flags: [...clusterFlags, ...bus, ...(options.flags ?? [])],
    })
  })
  owner.after(async () => {
    await Promise.all(servers.map(server => server.kill()))
    guard.dismiss()
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  })
  return servers
}

export { CLUSTERED }

/** Waits until something is true. Fails after `ms`. */
export async function until(what: string, ms: number, isTrue: () => Promise<boolean> | boolean): Promise<void> {
  const endMs = performance.now() + ms
  while (!(await isTrue())) {
    if (performance.now() > endMs) throw new Error(`waited ${ms} ms in vain for ${what}`)
    await sleep(20)
  }
}

/** Ports that nobody listens on now; all different. */
export async function freePorts(count: number): Promise<number[]> {
  const holders = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(holders.map(holder => once(holder, 'listening')))
  const ports = holders.map(holder => (holder.address() as { port: number }).port)
  await Promise.all(holders.map(holder => once(holder.close(), 'close')))
  return ports
}
