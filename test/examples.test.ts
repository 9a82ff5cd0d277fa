import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

/** The compiled examples. */
const FOLDER = fileURLToPath(new URL('../examples/', import.meta.url))
const SOURCES = readdirSync(FOLDER).filter(name => name.endsWith('.js'))

/** Runs an example to its end; gives the lines it prints. */
function linesOf(name: string): string[] {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(FOLDER, name)], {
    encoding: 'utf8',
    timeout: 30_000,
  })
  assert.deepEqual([status, stderr], [0, ''], name)
  return stdout.split('\n')
}

test('ours: there are examples, and their numbers tell in which order to read them', () => {
  const numbers = SOURCES.sort().map(name => Number(/^(\d\d)-[a-z-]+\.js$/.exec(name)?.[1]))
  assert.ok(numbers.length > 0)
  assert.deepEqual(
    numbers,
    numbers.map((_, n) => n + 1),
  )
})

for (const name of SOURCES) {
  test(`ours: the example ${name} runs to its end and shows something`, () => {
    assert.ok(linesOf(name).length > 1)
  })
}

test('ours: the example of the frontier shows leases, places, politeness and reopening', () => {
  assert.deepEqual(linesOf('02-frontier.js'), [
    '4 of 5 links are new',
    'leased, one per host: https://ufmg.br/, https://globo.com/, https://g1.globo.com/',
    'no room at the server of g1.globo.com: its link waits again',
    'at once: 0 tickets; the next one in 500 ms',
    'after half a second: https://g1.globo.com/',
    'after two seconds: https://ufmg.br/news',
    'https://ufmg.br/ is done',
    'https://ufmg.br/dcc/pos is waiting',
    'https://g1.globo.com/ is leased',
    'https://uol.com.br/ is unknown',
    '6 known: 2 done, 2 leased, 2 waiting',
    '',
  ])
})

test('ours: the example of the scheduler shows what the three strategies do', () => {
  const lines = linesOf('01-scheduler.js')
  const verdicts = [
    'http://globo.com/videos/ is duplicate',
    'http://globo.com/logo.gif is refused: extension',
    'ftp://ftp.globo.com is refused: protocol',
  ]
  for (const line of verdicts) assert.ok(lines.includes(line), line)
  const order = (strategy: string) => {
    const from = lines.indexOf(`${strategy}-first`) + 1
    assert.ok(from > 0, strategy)
    const end = lines.indexOf('', from)
    return lines
      .slice(from, end)
      .map(line => /http:\S+/.exec(line)?.[0])
      .filter(url => url !== undefined)
  }
  const [root, post, videos, sport] = [
    'http://ufmg.br',
    'http://ufmg.br/dcc/pos',
    'http://globo.com/videos',
    'http://uol.com.br/esporte?page=2',
  ]
  assert.deepEqual(order('depth'), [root, post, videos, sport])
  assert.deepEqual(order('breadth'), [root, videos, sport, post])
  assert.deepEqual(order('best'), [root, post, videos, sport])
})
