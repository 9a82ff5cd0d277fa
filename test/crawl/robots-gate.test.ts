import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noteKey, originOf, RobotsGate } from '../../src/decide/robots-gate.ts'
import { compileRobots } from '../../src/robots/robots.ts'

const DAY_MS = 24 * 3_600_000
const ORIGIN = 'http://a.com'
const NO_NOTES = { noted: async () => undefined }

function rules(text: string): Uint8Array {
  return compileRobots(Buffer.from(text), 'escalona')
}

function gateThatKnows(text: string, atMs = 0): RobotsGate {
  const gate = new RobotsGate(NO_NOTES)
  gate.learn({ origin: ORIGIN, rules: rules(text), atMs: atMs })
  return gate
}

test('rule 5.4: the rules of each origin are its own: scheme, host and port', async () => {
  const gate = new RobotsGate(NO_NOTES)
  assert.deepEqual(await gate.ask('https://a.com:8443/x?y', 0), { kind: 'unknown' })
  gate.learn({ origin: 'https://a.com:8443', rules: rules(''), atMs: 0 })
  assert.deepEqual(await gate.ask('https://a.com:8443/x?y', 0), { kind: 'open' })
  assert.deepEqual(await gate.ask('http://a.com/x', 0), { kind: 'unknown' })
  assert.deepEqual(await gate.ask('http://a.com:8443/x', 0), { kind: 'unknown' })
})

test('rule 5.4: what it disallows is shut, and the line that decided is known', async () => {
  const gate = gateThatKnows('User-agent: *\nDisallow: /private\n')
  assert.deepEqual(await gate.ask(`${ORIGIN}/private/x`, 0), { kind: 'shut', reason: 'robots', line: 2 })
  assert.deepEqual(await gate.ask(`${ORIGIN}/public`, 0), { kind: 'open' })
})

test('rule 5.4: it is kept for 24 hours', async () => {
  const gate = gateThatKnows('User-agent: *\nDisallow: /')
  assert.equal((await gate.ask(`${ORIGIN}/x`, DAY_MS - 1)).kind, 'shut')
  assert.equal((await gate.ask(`${ORIGIN}/x`, DAY_MS)).kind, 'unknown')
})

test('ours: what is at hand is answered at once, without a promise', () => {
  assert.deepEqual(gateThatKnows('').ask(`${ORIGIN}/x`, 0), { kind: 'open' })
})

test('ours: what another machine noted need not be asked for', async () => {
  const asked: string[] = []
  const gate = new RobotsGate({
    noted: async (host, key) => {
      asked.push(`${host} ${key}`)
      return host === 'a.com' && key === noteKey(ORIGIN) ? rules('User-agent: *\nDisallow: /') : undefined
    },
  })
  assert.equal((await gate.ask(`${ORIGIN}/x`, 0)).kind, 'shut')
  assert.equal((await gate.ask(`${ORIGIN}/y`, 0)).kind, 'shut')
  assert.equal((await gate.ask('https://a.com/x', 0)).kind, 'unknown')
  assert.deepEqual(asked, ['a.com robots http', 'a.com robots https'])
})

test('ours: rules that are looked for at another host are not asked for again, for ten minutes', async () => {
  const gate = new RobotsGate(NO_NOTES)
  gate.learn({ origin: ORIGIN, rules: 'elsewhere', atMs: 0 })
  assert.equal((await gate.ask(`${ORIGIN}/x`, 599_999)).kind, 'elsewhere')
  assert.equal((await gate.ask(`${ORIGIN}/x`, 600_000)).kind, 'unknown')
  gate.learn({ origin: ORIGIN, rules: 'elsewhere', atMs: 0 })
  gate.learn({ origin: ORIGIN, rules: 'robots-unavailable', atMs: 0 })
  const shut = { kind: 'shut', reason: 'robots-unavailable', line: undefined }
  assert.deepEqual(await gate.ask(`${ORIGIN}/x`, 0), shut)
})

test('ours: one host, two files: the longer Crawl-delay holds; a day at most', () => {
  const gate = gateThatKnows('User-agent: *\nCrawl-delay: 3')
  gate.learn({ origin: 'https://a.com', rules: rules('User-agent: *\nCrawl-delay: 7'), atMs: 0 })
  assert.equal(gate.crawlDelayMs(ORIGIN), 7000)
  assert.equal(gate.crawlDelayMs('https://a.com'), 7000)
  assert.equal(gate.crawlDelayMs('http://b.com'), 0)
  assert.equal(gateThatKnows('User-agent: *\nCrawl-delay: 999999999').crawlDelayMs(ORIGIN), DAY_MS)
})

test('ours: memory for rules is bounded; the oldest are forgotten first', async () => {
  const gate = new RobotsGate(NO_NOTES)
  const large = rules(
    `User-agent: *\n${Array.from({ length: 8000 }, (_, n) => `Disallow: /some/long/path/${n}`).join('\n')}`,
  )
  const files = Math.ceil((64 << 20) / large.length) + 5
  for (let n = 0; n < files; n++) gate.learn({ origin: `http://h${n}.com`, rules: large, atMs: 0 })
  assert.equal((await gate.ask('http://h0.com/x', 0)).kind, 'unknown')
  assert.equal((await gate.ask(`http://h${files - 1}.com/x`, 0)).kind, 'open')
})

test('ours: rules that are learned again and again take the room of one file', async () => {
  const gate = gateThatKnows('')
  const large = rules(`User-agent: *\nDisallow: /${'x'.repeat(100_000)}`)
  for (let n = 0; n < (80 << 20) / large.length; n++) gate.learn({ origin: 'http://b.com', rules: large, atMs: 0 })
  assert.equal((await gate.ask(`${ORIGIN}/x`, 0)).kind, 'open')
})

test('ours: verdicts that take long leave everybody else a turn, one after the other', async () => {
  let nowMs = 0
  let turns = 0
  const gate = new RobotsGate(NO_NOTES, () => (nowMs += 0.5))
  gate.learn({ origin: ORIGIN, rules: rules('User-agent: *\nDisallow: /x'), atMs: 0 })
  const answers = Array.from({ length: 20 }, () => gate.ask(`${ORIGIN}/y`, 0))
  const late = answers.filter(answer => answer instanceof Promise)
  assert.equal(late.length, 14)
  let isOver = false
  const counting = (async () => {
    for (; !isOver; turns++) await new Promise(resolve => setImmediate(resolve))
  })()
  for (const answer of await Promise.all(answers)) assert.deepEqual(answer, { kind: 'open' })
  isOver = true
  await counting
  assert.ok(turns >= 14, `${turns} turns`)
})

test('ours: the origin of a URL', () => {
  assert.equal(originOf('https://a.com:8443/x/y?z'), 'https://a.com:8443')
  assert.equal(originOf('http://a.com'), 'http://a.com')
})
