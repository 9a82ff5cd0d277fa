import { type ChildProcess, spawn } from 'node:child_process'

/** Ends servers whose test has died without ending them: a shell that waits until the test's process is gone. */
export class Guard {
  private readonly child: ChildProcess

  constructor(folder: string) {
    const wait = 'while read -r pid; do pids="$pids $pid"; done; kill -9 $pids; sleep 1; rm -rf "$0"'
    this.child = spawn('sh', ['-c', wait, folder], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
    this.child.unref()
    this.child.stdin!.on('error', () => {})
  }

  /** From now on this process ends at the latest with the test's. */
  watch(pid: number): void {
    this.child.stdin!.write(`${pid}\n`)
  }

  /** The test has ended everything itself. */
  dismiss(): void {
    this.child.kill('SIGKILL')
  }
}
