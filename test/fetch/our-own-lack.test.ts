// What this machine lacks is not the host's failure.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { rawServer } from './raw-server.ts'

const ASK_ONCE = fileURLToPath(new URL('./ask-once.js', import.meta.url))
const ASK_WITHOUT_FILES = fileURLToPath(new URL('./ask-without-files.js', import.meta.url))

const NO_NAMESPACES =
  spawnSync('unshare', ['-rn', 'true'], { timeout: 5000 }).status === 0
    ? false
    : 'a process without a network needs unshare, which is missing or not allowed here'

async function outputOf(command: string, args: readonly string[]): Promise<string> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.on('data', data => (text += data))
  await once(child, 'close')
  return text
}

test('ours: without a file descriptor left a request fails as files, and then goes well', {
  skip: process.platform === 'win32' ? 'needs ulimit' : false,
}, async t => {
  const server = await rawServer(t, socket => socket.end('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>fine'))
  const command = 'ulimit -n 80 && exec "$0" "$1" "$2"'
  const text = await outputOf('sh', ['-c', command, process.execPath, ASK_WITHOUT_FILES, `${server.origin}/`])
  assert.equal(text, 'files false\n<p>fine')
})

test('ours: without a network a request fails as network', { skip: NO_NAMESPACES }, async () => {
  assert.equal(await outputOf('unshare', ['-rn', process.execPath, ASK_ONCE, '5000', 'http://127.0.0.1:1/']), 'network')
})

test('ours: with a way there, nobody listening is the host’s failure', async () => {
  assert.equal(await outputOf(process.execPath, [ASK_ONCE, '5000', 'http://127.0.0.1:1/']), 'connect')
})
