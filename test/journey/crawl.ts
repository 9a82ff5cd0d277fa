// A whole crawl by the real command, of a web that is served by this process.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { MAIN, PLAIN, temporaryFolder } from '../cli/run-cli.ts'
import {
  hostsFile,
  makeWeb,
  type Place,
  type Served,
  seedsFile,
  serveWeb,
  urlOf,
  type Web,
} from '../web/synthetic-web.ts'

/** Where a journey begins, and all that it needs. */
export interface Journey {
  readonly web: Web
  readonly server: Served
  /** The crawl's own folder, not there yet. */
  readonly folder: string
  /** Arguments that every crawl of this web needs. */
  readonly args: readonly string[]
}

export interface Ending {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
  readonly tookMs: number
  /** The most memory that the process ever had, as far as it was seen; 0 where /proc is missing. */
  readonly peakMb: number
}

/** True in `npm run test:soak`: tests take their full size. */
export const IS_SOAK = Number(process.env.ESCALONA_SOAK ?? 1) > 1

/** What stands around the command. */
export interface Surroundings {
  /** `crawl` unless given. */
  readonly command?: string
  /** Stands in front of the command: a tool that runs it. */
  readonly before?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Then it is killed; a minute when nothing is said. */
  readonly longestMs?: number
}

const LONGEST_MS = 60_000

/** Makes and serves a web for one test. */
export async function journey(t: TestContext, options: Parameters<typeof makeWeb>[0]): Promise<Journey> {
  const web = makeWeb(options)
  const server = await serveWeb(web)
  t.after(() => server.close())
  const files = temporaryFolder(t)
  const [seeds, hosts, folder] = [join(files, 'seeds.txt'), join(files, 'hosts.txt'), join(files, 'crawl')]
  writeFileSync(seeds, seedsFile(web, server.port))
  writeFileSync(hosts, hostsFile(web))
  const args = ['-s', seeds, '-o', folder, '--hosts', hosts, '--allow-network', '127.0.0.0/8', '--delay', '100ms']
  return { web, server, folder, args }
}

/** The command, started. */
export class Running {
  readonly ending: Promise<Ending>
  /** When the process began. */
  readonly startMs = performance.timeOrigin + performance.now()
  stdout = ''
  stderr = ''
  private readonly child: ChildProcess
  private readonly isGroup: boolean
  private peakKib = 0

  constructor(
    args: readonly string[],
    { command = 'crawl', before = [], env = {}, longestMs = LONGEST_MS }: Surroundings = {},
  ) {
    const [program = '', ...rest] = [...before, process.execPath, MAIN, command, ...args]
    // With a tool in front: in a group of its own, so that a signal reaches both. Otherwise Ctrl-C reaches it with the tests.
    this.isGroup = before.length > 0
    this.child = spawn(program, rest, {
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: this.isGroup,
      env: { ...process.env, ...PLAIN, ...env },
    })
    this.child.stdout!.setEncoding('utf8').on('data', text => (this.stdout += text))
    this.child.stderr!.setEncoding('utf8').on('data', text => (this.stderr += text))
    const memory = setInterval(() => this.readMemory(), 20)
    const deadline = setTimeout(() => this.kill('SIGKILL'), longestMs)
    this.ending = new Promise((resolve, reject) => {
      this.child.on('error', reject)
      this.child.on('close', (code, signal) => {
        clearInterval(memory)
        clearTimeout(deadline)
        const tookMs = performance.timeOrigin + performance.now() - this.startMs
        const { stdout, stderr } = this
        resolve({ code, signal, stdout, stderr, tookMs, peakMb: this.peakKib / 1024 })
      })
    })
  }

  get pid(): number {
    return this.child.pid!
  }

  kill(signal: NodeJS.Signals): void {
    try {
      process.kill(this.isGroup ? -this.pid : this.pid, signal)
    } catch {
      // It has ended.
    }
  }

  /** Resolves once it has said this on standard error, or ended. */
  async says(words: RegExp): Promise<void> {
    let hasEnded = false
    void this.ending.then(() => {
      hasEnded = true
    })
    while (!words.test(this.stderr) && !hasEnded) await wait(20)
    assert.match(this.stderr, words)
  }

  private readMemory(): void {
    try {
      const text = readFileSync(`/proc/${this.child.pid}/status`, 'utf8')
      this.peakKib = Math.max(this.peakKib, Number(/VmHWM:\s+(\d+)/.exec(text)?.[1] ?? 0))
    } catch {
      // It is gone, or there is no /proc.
    }
  }
}

/** Nothing that a test starts lives longer than it. */
export function running(t: TestContext, args: readonly string[], around: Surroundings = {}): Running {
  const command = new Running(args, around)
  t.after(() => command.kill('SIGKILL'))
  return command
}

/** Runs a crawl to its end. */
export function crawl({ args }: Pick<Journey, 'args'>, ...options: string[]): Promise<Ending> {
  return new Running([...args, ...options]).ending
}

/** Waits until the server has had so many requests. */
export async function requests({ server }: { readonly server: Pick<Served, 'log'> }, count: number): Promise<void> {
  for (let n = 0; n < 3000 && server.log.length < count; n++) await wait(5)
  assert.ok(server.log.length >= count, `only ${server.log.length} requests came`)
}

/** What a crawl must have found, as URLs, sorted. */
export function urlsOf(places: Iterable<Place>, { server }: Journey): string[] {
  return [...places].map(place => urlOf(place, server.port)).sort()
}

/** Everything that was asked for but robots.txt, as URLs, sorted, as often as it was asked for. */
export function requestedUrls({ server, web }: Journey): string[] {
  const isPage = (host: string, path: string) =>
    web.sites.find(site => site.name === host)?.pages.get(path)?.kind !== 'robots.txt'
  const asked = server.log.filter(({ host, path }) => path !== '/robots.txt' && isPage(host, path))
  return asked.map(({ host, path }) => urlOf(host + path, server.port)).sort()
}

export function differences(got: readonly string[], wanted: readonly string[]): { missing: string[]; extra: string[] } {
  const [have, want] = [new Set(got), new Set(wanted)]
  return { missing: wanted.filter(one => !have.has(one)), extra: got.filter(one => !want.has(one)) }
}

export function twice(list: readonly string[]): string[] {
  return list.filter((one, n) => list.indexOf(one) !== n)
}
