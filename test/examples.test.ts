// The examples run as the README says: in a clone that is built, with plain Node.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { packCopy, ROOT } from './packed.ts'

const EXAMPLES = readdirSync(join(ROOT, 'examples'))
  .filter(name => name.endsWith('.mjs'))
  .sort()

const copy = mkdtempSync(join(tmpdir(), 'escalona-examples-'))
before(() => void packCopy(copy))
after(() => rmSync(copy, { recursive: true, force: true }))

const shown = new Map<string, string[]>()

/** Runs an example to its end, once; returns the lines it prints. */
function linesOf(name: string): string[] {
  const before = shown.get(name)
  if (before !== undefined) return before
  const { status, stdout, stderr } = spawnSync(process.execPath, [join('examples', name)], {
    cwd: copy,
    encoding: 'utf8',
    timeout: 30_000,
  })
  assert.deepEqual([status, stderr], [0, ''], name)
  const lines = stdout.split('\n')
  shown.set(name, lines)
  return lines
}

test('ours: there are examples, and they are numbered in the order in which to read them', () => {
  const numbers = EXAMPLES.map(name => Number(/^(\d\d)-[a-z-]+\.mjs$/.exec(name)?.[1]))
  assert.ok(numbers.length > 0)
  assert.deepEqual(
    numbers,
    numbers.map((_, n) => n + 1),
  )
})

for (const name of EXAMPLES) {
  test(`ours: the example ${name} runs to its end and shows something`, () => {
    assert.ok(linesOf(name).length > 1)
  })
}

test("examples: the examples import 'escalona', as their readers will", () => {
  for (const name of EXAMPLES) {
    const imports = [...readFileSync(join(ROOT, 'examples', name), 'utf8').matchAll(/from '([^']+)'/g)].map(
      ([, from]) => from!,
    )
    assert.ok(
      imports.some(from => /^escalona(\/|$)/.test(from)),
      name,
    )
    assert.deepEqual(
      imports.filter(from => from.startsWith('.')),
      [],
      name,
    )
  }
})

test('ours: the example of the frontier shows leases, places, politeness and reopening', () => {
  assert.deepEqual(linesOf('02-frontier.mjs'), [
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
  const lines = linesOf('01-scheduler.mjs')
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

test('examples: what npm start collects goes to a new private folder each time', () => {
  const shared = mkdtempSync(join(copy, 'tmp-'))
  const program = `
    import { collectSyntheticWeb } from './examples/web/demo.mjs'
    await collectSyntheticWeb({ escalona: 'dist/cli/main.js', hosts: 41, limit: 3 })
  `
  for (const _ of [1, 2]) {
    const args = ['--input-type=module', '--eval', program]
    const { status, stdout } = spawnSync(process.execPath, args, {
      cwd: copy,
      encoding: 'utf8',
      timeout: 30_000,
      env: { ...process.env, TMPDIR: shared },
    })
    assert.equal(status, 0)
    assert.ok(existsSync(new URL(/file:\S+report\.html/.exec(stdout)![0])))
  }
  const folders = readdirSync(shared).filter(name => name.startsWith('escalona-demo-'))
  assert.equal(folders.length, 2)
  for (const name of folders) assert.equal(statSync(join(shared, name)).mode & 0o777, 0o700)
})

test('examples: a focused crawl finds more of its topic, and links say more than pages', () => {
  const counts = linesOf('05-focused-crawl.mjs').map(line => /: (\d+) of/.exec(line)?.[1])
  const found = counts.filter(count => count !== undefined).map(Number)
  assert.equal(found.length, 3)
  const [plain, scored, ranked] = found as [number, number, number]
  assert.ok(scored > 1.5 * plain && ranked > 1.5 * scored, found.join(' '))
})
