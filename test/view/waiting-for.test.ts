import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { inLanguage, setLanguage } from '../../src/base/words/language.ts'
import type { HostView } from '../../src/frontier/frontier.ts'
import { type Rest, Rests } from '../../src/run/rests.ts'
import type { WorkFacts } from '../../src/run/run-status.ts'
import { shownDoing, shownTrouble, type Watched } from '../../src/view/process/waiting-for.ts'

const NOW_MS = new Date(2026, 10, 15, 17, 0).getTime()
const HOST: HostView = {
  host: 'example.org',
  waiting: 5,
  due: 0,
  state: 'waiting',
  readyInMs: 18_000,
  delayMs: 0,
  server: '10.0.0.1',
  pages: 3,
  received: 0,
  turns: 3,
  failures: 0,
  isDown: false,
}
const NOTHING = { ready: 0, resting: 0, down: 0, next: undefined }
const FACTS: WorkFacts = {
  nowMs: NOW_MS,
  outlook: NOTHING,
  waiting: 9,
  slots: { open: 0, size: 48, waiting: 0, paceMs: undefined },
  isShort: true,
  lookups: 0,
  network: { missing: undefined, probeInMs: 0 },
  isEnding: false,
  isPaused: false,
  isChanging: false,
  heldUpBy: undefined,
  maxRequestsPerSecond: Infinity,
  delayMs: () => 100,
  rest: () => undefined,
  isServerSlower: false,
}

/** Why no page came for some seconds. */
function waitingFor(facts: WorkFacts): string {
  return shownTrouble({ kind: 'working', facts }, true)
}

/** One host rests. */
function resting(host: Partial<HostView>, more: Partial<WorkFacts> = {}): string {
  return waitingFor({ ...FACTS, outlook: { ...NOTHING, resting: 1, next: { ...HOST, ...host } }, ...more })
}

function restsFor(cause: Rest['cause'], ms: number): Partial<WorkFacts> {
  return { rest: () => ({ cause, untilMs: NOW_MS + ms }) }
}

function open(count: number): WorkFacts['slots'] {
  return { ...FACTS.slots, open: count }
}

test('waiting for: who asked for the delay is named', () => {
  assert.equal(resting({ delayMs: 30_000 }), 'example.org asked for 30 s between requests; next in 18 s')
  assert.equal(
    resting({ readyInMs: 1_200_000 }, { delayMs: () => 3_600_000 }),
    'example.org is left alone for 1 h between requests (--delay); next in 20 min',
  )
  assert.equal(
    resting({ readyInMs: 2_700_000 }, restsFor('retry-after', 2_700_000)),
    'example.org asked to be left alone until 17:45 (Retry-After)',
  )
  assert.equal(
    resting({}, restsFor('retry-after', 18_000)),
    'example.org asked to be left alone (Retry-After); next in 18 s',
  )
  assert.equal(resting({ failures: 3 }), 'example.org failed 3 times in a row and is left alone for now; next in 18 s')
  assert.equal(resting({ failures: 1, readyInMs: 800 }), 'example.org failed and is left alone for now; next in 0.8 s')
  assert.equal(
    resting({ failures: 1 }),
    'example.org is left alone for now; next in 18 s',
    'longer than one failure explains',
  )
  assert.equal(
    resting({}, restsFor('error', 18_000)),
    'example.org is left alone for now after an error on one of its pages; next in 18 s',
  )
  assert.equal(
    resting({ readyInMs: 2000 }, restsFor('slow', 2000)),
    'example.org is left alone for as long as its slow answer took; next in 2.0 s',
  )
  assert.equal(resting({}), 'example.org is left alone for now; next in 18 s', 'a wish of an earlier run is forgotten')
  assert.equal(
    resting({ delayMs: 30_000 }, restsFor('retry-after', -1)),
    'example.org asked for 30 s between requests; next in 18 s',
    'that Retry-After is over',
  )
})

test('waiting for: of many hosts their number is given, and the next one with when and why', () => {
  const outlook = { ...NOTHING, resting: 1310, next: { ...HOST, readyInMs: 190 } }
  assert.equal(
    waitingFor({ ...FACTS, outlook, slots: open(12) }),
    '1,310 hosts are waiting, the next one in 0.2 s: example.org; 12 of 48 requests are open',
  )
  const two = { ...NOTHING, resting: 2, next: { ...HOST, delayMs: 30_000 } }
  assert.equal(
    waitingFor({ ...FACTS, outlook: two }),
    '2 hosts are waiting, the next one in 18 s: example.org (Crawl-delay 30 s)',
  )
  assert.equal(
    waitingFor({ ...FACTS, outlook: two, ...restsFor('retry-after', 18_000) }),
    '2 hosts are waiting, the next one in 18 s: example.org (Retry-After)',
  )
  const gone = { ...NOTHING, resting: 3, down: 3, next: { ...HOST, isDown: true, readyInMs: 240_000 } }
  assert.equal(
    waitingFor({ ...FACTS, outlook: gone }),
    'the remaining hosts do not answer (3); trying example.org again in 4 min',
  )
  assert.equal(
    waitingFor({ ...FACTS, outlook: { ...NOTHING, ready: 40 }, slots: open(4) }),
    '40 hosts are waiting for their turn at servers (--server-delay, --per-server); 4 of 48 requests are open',
  )
  const alone = { ...FACTS, outlook: { ...NOTHING, ready: 1 } }
  assert.equal(waitingFor(alone), '', 'it shares its server with nobody, and is taken at once')
  assert.equal(waitingFor({ ...alone, isServerSlower: true }), 'one host is waiting for its turn')
  assert.equal(waitingFor({ ...FACTS, slots: open(1) }), '1 request is open and was not answered yet')
})

test('waiting for: what holds everything up comes first', () => {
  const outlook = { ...NOTHING, resting: 1, next: HOST }
  const say = (more: Partial<WorkFacts>) => waitingFor({ ...FACTS, outlook, ...more })
  assert.equal(say({ network: { missing: 'network', probeInMs: 5000 } }), 'the network is down; trying again in 5.0 s')
  assert.equal(say({ network: { missing: 'proxy', probeInMs: 0 } }), 'the proxy cannot be reached; trying again now')
  assert.equal(say({ heldUpBy: 'disk' }), 'waiting for the disk, which cannot keep up')
  assert.equal(say({ heldUpBy: 'reader' }), 'waiting for the program that reads the pages')
  assert.equal(say({ isEnding: true, slots: open(3), heldUpBy: 'disk' }), 'finishing 3 open requests')
  assert.equal(
    say({ slots: { ...open(9), waiting: 5, paceMs: 4 }, maxRequestsPerSecond: 200 }),
    '--max-rate allows 200 per second; 9 of 48 requests are open',
  )
  assert.equal(
    say({ slots: { ...open(12), waiting: 7 } }),
    'hosts that have never answered share a quarter of the requests, and 7 of them are waiting; 12 of 48 requests are open',
  )
  assert.equal(say({ lookups: 3 }), 'host names are being looked up: 3')
})

test('waiting for: while pages come there is no trouble, whatever waits', () => {
  const outlook = { ...NOTHING, ready: 100, resting: 5, next: HOST }
  const calm = (facts: Partial<WorkFacts>) => shownTrouble({ kind: 'working', facts: { ...FACTS, ...facts } }, false)
  assert.equal(calm({ outlook, slots: { ...open(48), waiting: 24 } }), '')
  assert.equal(calm({ outlook: { ...NOTHING, resting: 6, next: HOST } }), '')
  assert.equal(calm({ isEnding: true }), '')
  assert.equal(calm({ isPaused: true }), 'paused; nothing is open', 'what a person did is always said')
  const all = { outlook, slots: { ...open(48), waiting: 24 } }
  assert.equal(waitingFor({ ...FACTS, ...all }), '48 requests are open and were not answered yet')
})

test('waiting for: in Portuguese, and what a host is called can do no harm', (t: TestContext) => {
  setLanguage('pt')
  t.after(() => setLanguage('en'))
  assert.equal(
    resting({ delayMs: 1500, readyInMs: 1200, host: 'evil\u001b[2J.example' }),
    'evil\\u{1b}[2J.example pediu 1,5 s entre requisições; próxima em 1,2 s',
  )
})

test('waiting for: when all that waits belongs to one host, that is said', () => {
  const all = { waiting: 1209 }
  assert.equal(
    resting({ readyInMs: 2_700_000, waiting: 1209 }, { ...restsFor('retry-after', 2_700_000), ...all }),
    'all 1,209 waiting URLs belong to example.org, which asked to be left alone until 17:45 (Retry-After)',
  )
  assert.equal(
    resting({ readyInMs: 2_700_000, waiting: 1209 }, { ...restsFor('blocked', 2_700_000), ...all }),
    'all 1,209 waiting URLs belong to example.org, which you blocked until 17:45',
  )
  assert.equal(
    resting({ readyInMs: 86_400_000 }, restsFor('blocked', 86_400_000)),
    'example.org is blocked by you until 2026-11-16 17:00',
  )
  assert.equal(
    resting({ waiting: 1 }, { waiting: 1 }),
    'the only waiting URL belongs to example.org, which is left alone for now; next in 18 s',
  )
})

test('waiting for: what a crawl is doing is always said, in both languages', () => {
  const calm: Watched = { isStalled: false, pagesPerSecond: 0, pace: undefined }
  const cases: readonly (readonly [facts: Partial<WorkFacts>, watched: Partial<Watched>, en: string])[] = [
    [{}, { pagesPerSecond: 7.04, pace: 'delays' }, "collecting 7.0 pages/s, as fast as the hosts' delays allow"],
    [
      {},
      { pagesPerSecond: 131.7, pace: 'requests' },
      'collecting 132 pages/s, as fast as the open requests are answered',
    ],
    [{}, { pagesPerSecond: 1 }, 'collecting 1.0 pages/s'],
    [{ slots: open(12) }, {}, '12 of 48 requests are open'],
    [{}, {}, 'the next requests are about to begin'],
    [{ waiting: 0 }, {}, 'nothing is left to do'],
    [
      { isPaused: true, slots: open(3), network: { missing: 'network', probeInMs: 0 } },
      { pagesPerSecond: 3 },
      'paused; 3 requests are still open',
    ],
    [{ isPaused: true, slots: open(1) }, {}, 'paused; 1 request is still open'],
    [{ isPaused: true }, {}, 'paused; nothing is open'],
    [{ isChanging: true, slots: open(2) }, {}, 'the settings are being changed; 2 requests are still open'],
    [{ isPaused: true, isEnding: true, slots: open(2) }, {}, 'finishing 2 open requests'],
    [{ isEnding: true }, {}, 'all requests are finished; the last pages are being written'],
    [{ heldUpBy: 'disk' }, { pagesPerSecond: 3 }, 'waiting for the disk, which cannot keep up'],
  ]
  for (const [facts, watched, en] of cases) {
    const say = () => shownDoing({ kind: 'working', facts: { ...FACTS, ...facts } }, { ...calm, ...watched })
    assert.equal(say(), en)
    const pt = inLanguage('pt', say)
    assert.ok(pt !== '' && pt !== en, pt)
    assert.equal(say(), en, 'the language of the process stays')
  }
})

test('ours: blocks by people outlast other rests, end with them, and only so many are remembered', () => {
  const rests = new Rests()
  const change = (host: string, blockedUntilMs: number | null) =>
    rests.hear({ kind: 'action', action: { kind: 'change host', host, change: { blockedUntilMs } }, result: {} }, 1000)
  const answered = (host: string, retryAfterMs: number) =>
    rests.hear({ kind: 'answered', url: `http://${host}/`, status: 503, wireBytes: 0, tookMs: 5, retryAfterMs }, 1000)
  change('a', 5000)
  answered('a', 2000)
  assert.deepEqual(rests.of('a'), { cause: 'blocked', untilMs: 5000 })
  answered('a', 9000)
  assert.deepEqual(rests.of('a'), { cause: 'retry-after', untilMs: 10_000 })
  assert.deepEqual([rests.blockedUntilMs('a', 4999), rests.blockedUntilMs('a', 5000)], [5000, undefined])
  change('a', null)
  assert.deepEqual([rests.of('a'), rests.blockedAt(1000)], [undefined, 0], 'it may be asked at once')
  for (let n = 0; n < 10_001; n++) change(`h${n}`, 2000 + n)
  assert.deepEqual([rests.of('h0'), rests.blockedAt(1000), rests.blockedAt(3000)], [undefined, 10_000, 9000])
})

test('ours: why hosts rest is remembered for the newest ten thousand, the longest rest of each', () => {
  const rests = new Rests()
  const answered = (host: string, tookMs: number, retryAfterMs?: number) =>
    rests.hear({ kind: 'answered', url: `http://${host}/`, status: 503, wireBytes: 0, tookMs, retryAfterMs }, 1000)
  answered('fast', 20)
  for (let n = 0; n < 10_001; n++) answered(`h${n}`, 20, n)
  answered('h1', 2000)
  answered('h9999', 2000)
  rests.hear({ kind: 'again', url: 'http://new/', why: 'status-500', restMs: 5000 }, 1000)
  assert.deepEqual(
    ['fast', 'h0', 'h1', 'h2', 'h9999', 'new'].map(host => rests.of(host)),
    [
      undefined,
      undefined,
      { cause: 'slow', untilMs: 3000 },
      undefined,
      { cause: 'retry-after', untilMs: 10_999 },
      { cause: 'error', untilMs: 6000 },
    ],
  )
})
