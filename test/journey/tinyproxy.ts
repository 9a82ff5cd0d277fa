// tinyproxy, a proxy that others wrote, on a port of loopback.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { temporaryFolder } from '../cli/run-cli.ts'

export const NO_TINYPROXY = spawnSync('tinyproxy', ['-v']).status === 0 ? false : 'tinyproxy is missing'

/** Starts it; it ends with the test. `login`: `user password`, if it is to ask for them. Returns `http://127.0.0.1:port`. */
export async function tinyproxy(t: TestContext, login?: string): Promise<string> {
  const port = await freePort()
  const config = join(temporaryFolder(t), 'tinyproxy.conf')
  const lines = [`Port ${port}`, 'Listen 127.0.0.1', 'Allow 127.0.0.1', 'Timeout 60', 'MaxClients 100']
  if (login !== undefined) lines.push(`BasicAuth ${login}`)
  writeFileSync(config, `${lines.join('\n')}\n`)
  const child = spawn('tinyproxy', ['-d', '-c', config], { stdio: 'ignore' })
  t.after(async () => {
    if (child.exitCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'close')
  })
  await listening(child, port)
  return `http://127.0.0.1:${port}`
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  return port
}

async function listening(child: ChildProcess, port: number): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`tinyproxy ended with ${child.exitCode}`)
    const socket = connect(port, '127.0.0.1')
    const isOpen = await new Promise(resolve =>
      socket.on('connect', () => resolve(true)).on('error', () => resolve(false)),
    )
    socket.destroy()
    if (isOpen) return
    await wait(20)
  }
}
