import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { startUi } from '../../src/server/start-ui.ts'
import { temporaryFolder } from '../cli/run-cli.ts'
import { ask, codeOf, TOKEN } from './ask-server.ts'

const HERE = { port: 0, bind: '127.0.0.1', token: TOKEN }

test('live page: the thread listens before there is a crawl, and says when there is nothing to show', async t => {
  const troubles: string[] = []
  const ui = await startUi(HERE, message => troubles.push(message))
  t.after(() => ui.close())
  const port = Number(new URL(ui.url).port)
  const early = await ask(port, '/api/crawl')
  assert.deepEqual([early.status, codeOf(early)], [503, 'UI_STARTING'])
  await assert.rejects(startUi({ ...HERE, port }, assert.fail), {
    code: 'UI_PORT_TAKEN',
    message: /is in use; choose another/,
  })
  ui.show(temporaryFolder(t), undefined)
  for (let n = 0; n < 100 && troubles.length === 0; n++) await wait(50)
  assert.match(troubles[0] ?? '', /^the live page has nothing to show: /)
  assert.equal((await ask(port, '/healthz')).status, 200)
})

/** A server that cannot open any file when its first request comes, on a connection that it has accepted before. */
const SCARCE = `
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { connect } from 'node:net'
const { UiServer } = await import(process.argv[1])
const troubles = []
const server = await UiServer.listen({ port: 0, bind: '127.0.0.1', token: 'x' }, message => troubles.push(message))
const port = Number(new URL(server.url).port)
const ask = async socket => {
  socket.write('GET /healthz HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n')
  const [data] = await once(socket.setEncoding('utf8'), 'data')
  return Number(data.slice(9, 12))
}
const open = async () => {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}
const early = await open()
const files = []
try {
  for (;;) files.push(openSync('/dev/null'))
} catch {}
const statuses = [await ask(early)]
for (const file of files) closeSync(file)
statuses.push(await ask(await open()))
process.stdout.write(JSON.stringify({ statuses, troubles: troubles.length }))
await server.close()
`

test('ours: a page that cannot be loaded says so, and ends nothing', { skip: process.platform === 'win32' }, () => {
  const module = new URL('../../src/server/ui-server.js', import.meta.url).href
  const command = 'ulimit -n 64; exec "$0" --input-type=module -e "$1" "$2"'
  const run = spawnSync('sh', ['-c', command, process.execPath, SCARCE, module], { timeout: 20_000, encoding: 'utf8' })
  assert.deepEqual([run.stdout, run.stderr], ['{"statuses":[503,503],"troubles":1}', ''])
})

test('live page: a page that nobody closes does not keep the process alive', t => {
  const module = new URL('../../src/server/start-ui.js', import.meta.url).href
  const file = join(temporaryFolder(t), 'program.mjs')
  writeFileSync(
    file,
    `import { startUi } from '${module}'\nawait startUi(${JSON.stringify(HERE)}, console.log)\nconsole.log('started')`,
  )
  const { status, stdout } = spawnSync(process.execPath, [file], { timeout: 20_000 })
  assert.deepEqual([status, stdout.toString()], [0, 'started\n'])
})
