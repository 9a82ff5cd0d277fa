// The real command, as a user would start it.
import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { EscalonaError } from '../../src/base/errors.ts'
import { type CommandName, runCommand } from '../../src/cli/commands.ts'

/** The command as it is shipped, bundled by scripts/test.mjs. */
export const MAIN = fileURLToPath(new URL('../../bundle/cli/main.js', import.meta.url))

export interface Ending {
  /** The exit code; null when a signal ended the command. */
  readonly code: number | null
  readonly stdout: Buffer
  readonly stderr: string
}

export interface Surroundings {
  readonly stdin?: string | Buffer
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
}

/** What a test does not want from the machine that it runs on: its language and its proxies. */
export const PLAIN: Readonly<Record<string, string>> = {
  LC_ALL: 'C',
  HTTP_PROXY: '',
  HTTPS_PROXY: '',
  http_proxy: '',
  https_proxy: '',
}

export function escalona(args: readonly string[], around: Surroundings = {}): Ending {
  const ending: SpawnSyncReturns<Buffer> = spawnSync(process.execPath, [MAIN, ...args], {
    input: around.stdin ?? '',
    cwd: around.cwd,
    env: { ...process.env, ...PLAIN, ...around.env },
    timeout: 120_000,
    maxBuffer: 1 << 28,
  })
  if (ending.error) throw ending.error
  return { code: ending.status, stdout: ending.stdout, stderr: ending.stderr.toString('latin1') }
}

/** The same, without holding this process up: it may serve what the command asks for. */
export async function escalonaBeside(args: readonly string[], around: Surroundings = {}): Promise<Ending> {
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: around.cwd,
    env: { ...process.env, ...PLAIN, ...around.env },
    timeout: 120_000,
    killSignal: 'SIGKILL',
  })
  child.stdin.end(around.stdin ?? '')
  const [stdout, stderr, code] = await Promise.all([
    child.stdout.toArray(),
    child.stderr.toArray(),
    new Promise<number | null>(resolve => child.on('close', resolve)),
  ])
  return { code, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString() }
}

/**
 * What a command says when it refuses its arguments. It is called in this process, since starting one for each of many refusals takes
 * seconds: src/cli/main.ts prints the message of such an error and ends with 2, whichever it is.
 */
export async function refusalOf(command: CommandName, args: readonly string[]): Promise<string> {
  try {
    await runCommand(command, args)
  } catch (error) {
    if (error instanceof EscalonaError) return error.message
    throw error
  }
  throw new Error(`${command} ${args.join(' ')} was not refused`)
}

/** A test, or `{ after }` of node:test for what a whole file uses. */
export interface Owner {
  after(then: () => unknown): void
}

/** A folder of the test's own, gone when the test ends. */
export function temporaryFolder(t: Owner): string {
  const folder = mkdtempSync(join(tmpdir(), 'escalona-test-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export interface ScriptEnding {
  readonly code: number | null
  /** The lines of the output. */
  readonly output: string[]
  /** The lines of standard error, without a summary. */
  readonly errors: string[]
}

/** Runs commands from standard input to standard output. A character stands for a byte (latin1) both ways. */
export function runCommands(commands: string | readonly string[], ...options: string[]): ScriptEnding {
  const text = typeof commands === 'string' ? commands : commands.map(line => `${line}\n`).join('')
  const ending = escalona(['-q', ...options, '-'], { stdin: Buffer.from(text, 'latin1') })
  return { code: ending.code, output: linesOf(ending.stdout.toString('latin1')), errors: linesOf(ending.stderr) }
}

/** Every line must have its end, the last one too. */
function linesOf(text: string): string[] {
  if (text === '') return []
  if (!text.endsWith('\n')) throw new Error(`the last line has no end: ${JSON.stringify(text.slice(-80))}`)
  return text.slice(0, -1).split('\n')
}
