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

test('issue 12.2: the thread listens before there is a crawl, and says when there is nothing to show', async t => {
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

test('issue 12.2: a page that nobody closes does not keep the process alive', t => {
  const module = new URL('../../src/server/start-ui.js', import.meta.url).href
  const file = join(temporaryFolder(t), 'program.mjs')
  writeFileSync(
    file,
    `import { startUi } from '${module}'\nawait startUi(${JSON.stringify(HERE)}, console.log)\nconsole.log('started')`,
  )
  const { status, stdout } = spawnSync(process.execPath, [file], { timeout: 20_000 })
  assert.deepEqual([status, stdout.toString()], [0, 'started\n'])
})
