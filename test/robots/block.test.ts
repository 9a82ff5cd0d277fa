import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EscalonaError } from '../../src/base/errors.ts'
import { chanceAt } from '../../src/base/random.ts'
import { compileRobots } from '../../src/robots/robots.ts'
import { RobotsRules } from '../../src/robots/rules.ts'
import { fileOf } from './verdicts.ts'

const SEED = Number(process.env.ESCALONA_SEED ?? 20261115)

const FILE = fileOf(
  'User-agent: bee',
  'Disallow: /',
  'User-agent: ant',
  'Crawl-delay: 2.5',
  'Disallow: /a',
  'Allow: /a/b$',
  'Disallow: /*.php$',
  'Disallow: /é*x*y',
  'Sitemap: http://site.example/1',
  'Sitemap: http://site.example/é',
)

function expectFile(rules: RobotsRules): void {
  assert.deepEqual(rules.verdict('http://site.example/a/c'), { allowed: false, line: 5 })
  assert.deepEqual(rules.verdict('http://site.example/a/b'), { allowed: true, line: 6 })
  assert.deepEqual(rules.verdict('http://site.example/z.php'), { allowed: false, line: 7 })
  assert.deepEqual(rules.verdict('http://site.example/%C3%A9/x/y'), { allowed: false, line: 8 })
  assert.deepEqual(rules.verdict('http://site.example/'), { allowed: true, line: undefined })
  assert.deepEqual(rules.verdict('http://site.example/robots.txt'), { allowed: true, line: undefined })
  assert.equal(rules.crawlDelaySeconds, 2.5)
  assert.deepEqual(rules.sitemaps, ['http://site.example/1', 'http://site.example/é'])
}

test('ours: a block says to one crawler what the file does, wherever it lies', () => {
  const block = compileRobots(FILE, 'ant/1.0')
  expectFile(new RobotsRules(block))
  expectFile(new RobotsRules(structuredClone(block, { transfer: [block.buffer] })))
  for (let offset = 0; offset < 9; offset++) {
    const inside = new Uint8Array(offset + compileRobots(FILE, 'ant').length + 5)
    inside.set(compileRobots(FILE, 'ant'), offset)
    expectFile(new RobotsRules(inside.subarray(offset, -5)))
  }
})

test('ours: a block owns its memory, and nothing but it', () => {
  const block = compileRobots(FILE, 'ant')
  assert.equal(block.buffer.byteLength, block.byteLength)
})

test('ours: the same file makes the same block, and only what concerns the crawler is in it', () => {
  assert.deepEqual(compileRobots(FILE, 'ant'), compileRobots(FILE, 'Ant/2'))
  const rules = new RobotsRules(compileRobots(FILE, 'cat'))
  assert.deepEqual(rules.verdict('/a'), { allowed: true, line: undefined })
  assert.equal(rules.crawlDelaySeconds, undefined)
  const many = Buffer.concat([Buffer.from('User-agent: x\n'), Buffer.alloc(400_000, 'Disallow: /abc\n'), FILE])
  assert.ok(compileRobots(many, 'ant').length < 1000)
})

test('ours: an empty file has a block, too', () => {
  const rules = new RobotsRules(compileRobots(new Uint8Array(0), 'ant'))
  assert.deepEqual(rules.verdict('/a'), { allowed: true, line: undefined })
  assert.deepEqual([rules.crawlDelaySeconds, rules.sitemaps], [undefined, []])
})

test('ours: rules are made of a block of any size in no time', () => {
  const rule = (_: unknown, n: number) => `Disallow: /*${n}x`
  const large = compileRobots(fileOf('User-agent: *', ...Array.from({ length: 25_000 }, rule)), 'ant')
  const started = process.cpuUsage()
  for (let round = 0; round < 2000; round++) new RobotsRules(large)
  const { user, system } = process.cpuUsage(started)
  assert.ok((user + system) / 2000 < 100, `${(user + system) / 2000} µs; reading 25,000 rules would take milliseconds`)
})

function codeOf(read: () => unknown): string | undefined {
  try {
    read()
    return undefined
  } catch (error) {
    assert.ok(error instanceof EscalonaError, String(error))
    assert.match(error.message, /compile the file again/)
    return error.code
  }
}

test('ours: what is no block, of another version, or cut, is refused by name', () => {
  const block = compileRobots(FILE, 'ant')
  for (const foreign of [new Uint8Array(0), FILE, new Uint8Array(1000), block.subarray(0, 39), block.subarray(1)]) {
    assert.equal(
      codeOf(() => new RobotsRules(foreign)),
      'ROBOTS_BLOCK_FOREIGN',
    )
  }
  const newer = Uint8Array.from(block)
  newer[4]!++
  assert.equal(
    codeOf(() => new RobotsRules(newer)),
    'ROBOTS_BLOCK_VERSION',
  )
  for (const cut of [block.subarray(0, -1), block.subarray(0, 40), Buffer.concat([block, Buffer.of(0)])]) {
    assert.equal(
      codeOf(() => new RobotsRules(cut)),
      'ROBOTS_BLOCK_DAMAGED',
    )
  }
})

test(`ours: a damaged block neither hangs nor throws anything without a code (seed ${SEED})`, {
  timeout: 60_000,
}, () => {
  const block = compileRobots(FILE, 'ant')
  let n = 0
  const below = (limit: number) => Math.floor(chanceAt(SEED, n++) * limit)
  let damaged = 0
  for (let round = 0; round < 20_000; round++) {
    const broken = Uint8Array.from(block)
    for (let flips = 1 + below(3); flips > 0; flips--) broken[8 + below(block.length - 8)] = below(256)
    const code = codeOf(() => {
      const rules = new RobotsRules(broken)
      for (const url of ['/a/b', '/a/b.php', '/éxxy', '/']) rules.verdict(url)
      return rules.sitemaps
    })
    if (code !== undefined) damaged++
    assert.ok(code === undefined || code === 'ROBOTS_BLOCK_DAMAGED', code)
  }
  assert.ok(damaged > 5000, `${damaged} were noticed`)
})
