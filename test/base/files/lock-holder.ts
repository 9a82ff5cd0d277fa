import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'

const HOLDER = fileURLToPath(new URL('hold-lock.js', import.meta.url))

/** Runs a program as in a container of its own: it sees no process but its own, and nobody there is what /proc says here. */
export const IN_CONTAINER = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc']
/** With a /proc that shows a user only its own processes, as another user. */
export const HIDDEN = [
  ...['unshare', '--mount', 'sh', '-c'],
  'mount -t proc -o hidepid=2 proc /proc && exec setpriv --reuid 65534 --regid 65534 --clear-groups "$@"',
  'sh',
]
/** Without /proc, as on other systems. */
export const WITHOUT_PROC = ['unshare', '--mount', 'sh', '-c', 'mount -t tmpfs none /proc && exec "$@"', 'sh']

/** Why a program can't be run in this way, or false. */
export function whyNot(before: readonly string[]): string | false {
  const [file = '', ...args] = [...before, process.execPath, '-e', '0']
  return spawnSync(file, args).status === 0 ? false : `"${before.slice(0, 2).join(' ')}" is not permitted here`
}

/** A folder that is gone after the test, and that every user may write to. */
export function lockFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'escalona-lock-'))
  spawnSync('chmod', ['777', folder])
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A process that acquires a lock and keeps it. */
export class Holder {
  readonly child: ChildProcess
  private said: string[] = []
  private hasEnded = false

  /** `before` stands in front of the command, for example to slow down some of its calls. */
  constructor(t: TestContext, folder: string, before: readonly string[] = [], ...more: string[]) {
    const [file = '', ...args] = [...before, process.execPath, HOLDER, folder, ...more]
    this.child = spawn(file, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    this.child.once('close', () => {
      this.hasEnded = true
    })
    let text = ''
    this.child.stdout!.setEncoding('utf8').on('data', part => {
      text += part
      this.said = text.split('\n').slice(0, -1)
    })
    t.after(() => this.kill())
  }

  /** What it says about the lock in the end; `waits` is not the end. */
  async outcome(): Promise<string> {
    const found = () => this.said.find(line => line !== 'waits')
    while (found() === undefined && !this.hasEnded) {
      await Promise.race([once(this.child.stdout!, 'data'), once(this.child, 'close')])
    }
    return found() ?? 'nothing'
  }

  get hasWaited(): boolean {
    return this.said.includes('waits')
  }

  /** Resolves when it has said this. */
  async says(line: string): Promise<void> {
    while (!this.said.includes(line)) await once(this.child.stdout!, 'data')
  }

  /** Lets it go in peace: it releases the lock. */
  async end(): Promise<void> {
    this.child.stdin!.end()
    if (!this.hasEnded) await once(this.child, 'close')
  }

  async kill(): Promise<void> {
    if (this.hasEnded) return
    this.child.kill('SIGKILL')
    await once(this.child, 'close')
  }
}
