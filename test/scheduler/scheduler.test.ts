import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EscalonaError } from '../../src/index.ts'
import { type Added, Scheduler } from '../../src/scheduler.ts'
import { readClassicNaively } from '../model/classic-oracle.ts'
import { runOracle, STRATEGIES, type Strategy } from '../model/oracle.ts'
import { randomUrlLine } from '../model/random-script.ts'
import { RandomSource, seeds } from '../model/random-source.ts'

const MB = 2 ** 20
const ACCEPTED = { kind: 'accepted' }
const DUPLICATE = { kind: 'duplicate' }

function refused(reason: string) {
  return { kind: 'refused', reason }
}

function schedulerWith(urls: readonly string[], strategy: Strategy = 'depth'): Scheduler {
  const scheduler = new Scheduler({ strategy })
  for (const url of urls) assert.deepEqual(scheduler.add(url), ACCEPTED, url)
  return scheduler
}

function hasCode(code: string) {
  return (error: unknown) => error instanceof EscalonaError && error.code === code && error.name === 'EscalonaError'
}

test('ours: add tells what became of a URL', () => {
  const scheduler = new Scheduler()
  const results: [string, object][] = [
    ['http://www.ufmg.br/dcc/', ACCEPTED],
    ['HTTP://UFMG.br/dcc#top', DUPLICATE],
    ['https://ufmg.br', refused('protocol')],
    ['', refused('protocol')],
    ['http://', refused('malformed')],
    ['http://a b', refused('malformed')],
    ['http://a.com/x.PDF?d=1', refused('extension')],
  ]
  for (const [url, result] of results) assert.deepEqual(scheduler.add(url), result, url)
  assert.deepEqual([...scheduler], ['http://ufmg.br/dcc'])
})

test('ours: what add tells is a type that can be told apart by its kind', () => {
  const added: Added = new Scheduler().add('ftp://a.com')
  const told: string = added.kind === 'refused' ? added.reason : added.kind
  assert.equal(told, 'protocol')
})

test('ours: next takes one URL at a time, and undefined when none is waiting', () => {
  const scheduler = schedulerWith(['http://a.com/1', 'http://a.com'])
  assert.equal(scheduler.next(), 'http://a.com')
  assert.equal(scheduler.next(), 'http://a.com/1')
  assert.equal(scheduler.next(), undefined)
  assert.equal(scheduler.nextBytes(), undefined)
})

test('rule 2.5: a URL that has been scheduled may be added again', () => {
  const scheduler = schedulerWith(['http://a.com'])
  scheduler.next()
  assert.deepEqual(scheduler.add('http://a.com'), ACCEPTED)
  assert.deepEqual(scheduler.add('http://a.com'), DUPLICATE)
  assert.equal(scheduler.next(), 'http://a.com')
})

test('rule 3.1: the strategy chooses the host; depth-first when nothing is said', () => {
  const urls = ['http://a.com/1', 'http://b.com', 'http://b.com/1', 'http://b.com/2', 'http://a.com/2']
  const depth = ['http://a.com/1', 'http://a.com/2', 'http://b.com', 'http://b.com/1', 'http://b.com/2']
  assert.deepEqual([...schedulerWith(urls, 'depth')], depth)
  const unsaid = new Scheduler()
  for (const url of urls) unsaid.add(url)
  assert.deepEqual([...unsaid], depth)
  const breadth = ['http://a.com/1', 'http://b.com', 'http://a.com/2', 'http://b.com/1', 'http://b.com/2']
  assert.deepEqual([...schedulerWith(urls, 'breadth')], breadth)
  const best = ['http://b.com', 'http://a.com/1', 'http://b.com/1', 'http://a.com/2', 'http://b.com/2']
  assert.deepEqual([...schedulerWith(urls, 'best')], best)
})

test('ours: schedule takes at most so many, and who stops early leaves the rest waiting', () => {
  const urls = Array.from({ length: 10 }, (_, n) => `http://a.com/${n}`)
  const scheduler = schedulerWith(urls)
  assert.deepEqual([...scheduler.schedule(0)], [])
  assert.deepEqual([...scheduler.schedule(2)], urls.slice(0, 2))
  assert.deepEqual([...scheduler.schedule(1.5)], urls.slice(2, 3))
  for (const url of scheduler.schedule(5)) if (url === urls[4]) break
  assert.equal(scheduler.waiting(), 5)
  for (const url of scheduler) if (url === urls[6]) break
  assert.equal(scheduler.waiting(), 3)
  assert.deepEqual([...scheduler.schedule(100)], urls.slice(7))
  assert.deepEqual([...scheduler.schedule()], [])
})

test('ours: URLs that are added while others are being scheduled come too', () => {
  const scheduler = schedulerWith(['http://a.com/1'])
  const seen: string[] = []
  for (const url of scheduler) {
    seen.push(url)
    if (seen.length < 4) scheduler.add(`${url}/${seen.length}`)
  }
  assert.deepEqual(seen, ['http://a.com/1', 'http://a.com/1/1', 'http://a.com/1/1/2', 'http://a.com/1/1/2/3'])
})

test('ours: scheduleHost takes from one host, however its name is written', () => {
  const scheduler = schedulerWith(['http://a.com/1', 'http://b.com/2', 'http://b.com', 'http://b.com/1'])
  assert.deepEqual([...scheduler.scheduleHost('www.B.com', 1)], ['http://b.com'])
  for (const _ of scheduler.scheduleHost('b.com')) break
  assert.equal(scheduler.waiting('b.com'), 1)
  assert.deepEqual([...scheduler.scheduleHost('b.com/any/path')], ['http://b.com/1'])
  assert.deepEqual([...scheduler.scheduleHost('b.com')], [])
  for (const host of ['', 'c.com', 'www.', 'a.co', 'a.com.br', 'http://a.com']) {
    assert.deepEqual([...scheduler.scheduleHost(host)], [], host)
  }
  assert.equal(scheduler.waiting(), 1)
})

test('ours: a number of URLs below 0, or none at all, is an error', () => {
  const scheduler = schedulerWith(['http://a.com'])
  for (const max of [-1, -0.5, Number.NEGATIVE_INFINITY, Number.NaN]) {
    assert.throws(() => [...scheduler.schedule(max)], hasCode('SCHEDULER_BAD_LIMIT'), `${max}`)
    assert.throws(() => [...scheduler.scheduleHost('a.com', max)], hasCode('SCHEDULER_BAD_LIMIT'), `${max}`)
  }
  assert.equal(scheduler.waiting(), 1)
})

test('ours: hosts are shown in the order in which they became known, also empty ones', () => {
  const scheduler = schedulerWith(['http://b.com', 'http://www.a.com:80/x', 'http://c.com'])
  assert.deepEqual([...scheduler.schedule()].length, 3)
  scheduler.add('http://new.com')
  scheduler.add('http://a.com:80/y')
  scheduler.add('http://refused.com/x.gif')
  assert.deepEqual([...scheduler.hosts()], ['b.com', 'a.com:80', 'c.com', 'new.com'])
  assert.equal(scheduler.knownHosts, 4)
  for (const host of scheduler.hosts()) if (host === 'a.com:80') break
})

test('ours: urls shows a list in its order, and nothing leaves', () => {
  const scheduler = schedulerWith(['http://a.com/1/2', 'http://a.com/2', 'http://a.com/1', 'http://b.com'])
  const list = ['http://a.com/2', 'http://a.com/1', 'http://a.com/1/2']
  for (let times = 0; times < 2; times++) assert.deepEqual([...scheduler.urls('WWW.a.com')], list)
  for (const host of ['', 'c.com', 'a.co']) assert.deepEqual([...scheduler.urls(host)], [], host)
  assert.equal(scheduler.waiting(), 4)
})

test('ours: a list that changes while it is shown is an error', () => {
  const changes: Record<string, (scheduler: Scheduler) => unknown> = {
    add: scheduler => scheduler.add('http://a.com/new'),
    next: scheduler => scheduler.next(),
    nextBytes: scheduler => scheduler.nextBytes(),
    schedule: scheduler => [...scheduler.schedule(1)],
    scheduleHost: scheduler => [...scheduler.scheduleHost('b.com', 1)],
    'clear a host': scheduler => scheduler.clear('b.com'),
    clear: scheduler => scheduler.clear(),
  }
  for (const [name, change] of Object.entries(changes)) {
    const scheduler = schedulerWith(['http://a.com/1', 'http://a.com/2', 'http://a.com/3', 'http://b.com'])
    const shown = scheduler.urls('a.com')
    assert.equal(shown.next().value, 'http://a.com/1')
    change(scheduler)
    assert.throws(() => shown.next(), hasCode('SCHEDULER_CHANGED'), name)
  }
})

test('ours: looking at a scheduler, or at another one, while a list is shown changes nothing', () => {
  const scheduler = schedulerWith(['http://a.com/1', 'http://a.com/2', 'http://a.com/3'])
  const other = schedulerWith(['http://a.com/other'])
  const seen: string[] = []
  for (const url of scheduler.urls('a.com')) {
    seen.push(url)
    assert.equal(scheduler.waiting('a.com'), 3)
    assert.deepEqual([...scheduler.hosts()], ['a.com'])
    assert.equal(scheduler.counts.accepted, 3)
    assert.equal([...scheduler.urls('a.com')].length, 3)
    other.add(`${url}/of-the-other`)
    other.next()
  }
  assert.deepEqual(seen, ['http://a.com/1', 'http://a.com/2', 'http://a.com/3'])
})

test('ours: the error about a changed list says what to do', () => {
  const scheduler = schedulerWith(['http://a.com/1', 'http://a.com/2'])
  const look = () => {
    for (const url of scheduler.urls('a.com')) scheduler.add(`${url}/x`)
  }
  assert.throws(look, /copy the list first, with \[\.\.\.urls\(host\)\]/)
})

test('ours: clear(host) empties a list, and the host stays known in its place', () => {
  const scheduler = schedulerWith(['http://a.com/1', 'http://b.com', 'http://a.com/2'])
  scheduler.clear('www.A.com')
  scheduler.clear('unknown.com')
  scheduler.clear('')
  assert.deepEqual([...scheduler.hosts()], ['a.com', 'b.com'])
  assert.deepEqual([scheduler.waiting(), scheduler.waiting('a.com')], [1, 0])
  assert.deepEqual(scheduler.add('http://a.com/2'), ACCEPTED)
  assert.deepEqual([...scheduler], ['http://a.com/2', 'http://b.com'])
  assert.equal(scheduler.counts.scheduled, 2)
})

test('ours: clear() forgets all URLs and all hosts', () => {
  for (const strategy of STRATEGIES) {
    const scheduler = schedulerWith(['http://a.com/1', 'http://b.com', `http://${'long'.repeat(20)}.com`], strategy)
    scheduler.next()
    scheduler.clear()
    scheduler.clear()
    assert.deepEqual([scheduler.waiting(), scheduler.waiting('a.com'), scheduler.knownHosts], [0, 0, 0])
    assert.deepEqual([[...scheduler.hosts()], [...scheduler.urls('b.com')], scheduler.next()], [[], [], undefined])
    for (const url of ['http://c.com', 'http://b.com']) assert.deepEqual(scheduler.add(url), ACCEPTED)
    assert.deepEqual([...scheduler.hosts()], ['c.com', 'b.com'])
    assert.deepEqual([...scheduler], ['http://c.com', 'http://b.com'])
  }
})

test('ours: counts tell what has happened, and are a copy', () => {
  const scheduler = new Scheduler()
  const none = { read: 0, accepted: 0, duplicates: 0, scheduled: 0, hosts: 0 }
  assert.deepEqual(scheduler.counts, { ...none, refused: { protocol: 0, malformed: 0, extension: 0 } })
  const urls = ['http://a.com', 'http://a.com/', 'http://b.com', 'x', 'y', 'http://', 'http://a.com/x.gif']
  for (const url of urls) scheduler.add(url)
  scheduler.next()
  scheduler.clear()
  scheduler.add('http://a.com')
  const expected = {
    read: 8,
    accepted: 3,
    duplicates: 1,
    scheduled: 1,
    hosts: 3,
    refused: { protocol: 2, malformed: 1, extension: 1 },
  }
  const { counts } = scheduler
  assert.deepEqual(counts, expected)
  scheduler.add('http://z.com/x.gif')
  assert.deepEqual(counts, expected)
  assert.equal(scheduler.counts.refused.extension, 2)
})

test('ours: waiting counts in all and of one host', () => {
  const scheduler = schedulerWith(['http://a.com/1', 'http://a.com/2', 'http://b.com'])
  assert.deepEqual([scheduler.waiting(), scheduler.waiting('a.com'), scheduler.waiting('b.com')], [3, 2, 1])
  scheduler.next()
  assert.deepEqual([scheduler.waiting(), scheduler.waiting('a.com'), scheduler.waiting('none')], [2, 1, 0])
})

test('classic: bytes that are not UTF-8 come out as they went in', () => {
  const scheduler = new Scheduler()
  const bytes = Buffer.from('http://a.com/\xff\x80\xfe/\xc3(', 'latin1')
  assert.deepEqual(scheduler.add(bytes), ACCEPTED)
  assert.deepEqual(scheduler.add(new Uint8Array(bytes)), DUPLICATE)
  assert.deepEqual(scheduler.nextBytes(), bytes)
  scheduler.add(bytes)
  assert.equal(scheduler.next(), bytes.toString())
})

test('ours: bytes that are changed after they were added, or after they came out, change nothing', () => {
  const scheduler = new Scheduler()
  const bytes = Buffer.from('http://a.com/x')
  scheduler.add(bytes)
  bytes.fill(0)
  const out = scheduler.nextBytes()!
  assert.equal(out.toString(), 'http://a.com/x')
  out.fill(0)
  assert.deepEqual(scheduler.add('http://a.com/x'), ACCEPTED)
  assert.equal(scheduler.next(), 'http://a.com/x')
})

test('ours: a text and its UTF-8 bytes are the same URL', () => {
  const scheduler = new Scheduler()
  const url = 'http://é.com/日本/😀?q=ü'
  assert.deepEqual(scheduler.add(url), ACCEPTED)
  assert.deepEqual(scheduler.add(Buffer.from(url)), DUPLICATE)
  assert.deepEqual([...scheduler.hosts()], ['é.com'])
  assert.equal(scheduler.waiting('www.é.com'), 1)
  assert.equal(scheduler.next(), url)
})

test('ours: a lone surrogate is taken as the replacement character', () => {
  const scheduler = new Scheduler()
  assert.deepEqual(scheduler.add('http://a.com/\ud800'), ACCEPTED)
  assert.deepEqual(scheduler.add('http://a.com/\udfff'), DUPLICATE)
  assert.deepEqual(scheduler.add('http://a.com/\ufffd'), DUPLICATE)
  assert.equal(scheduler.next(), 'http://a.com/\ufffd')
})

test('classic 4: an LF inside a URL is a control character; a line end behind it is none', () => {
  const scheduler = new Scheduler()
  assert.deepEqual(scheduler.add('http://a.com/x\ny'), refused('malformed'))
  assert.deepEqual(scheduler.add('http://a.com/x\nhttp://a.com/y'), refused('malformed'))
  assert.deepEqual(scheduler.add('http://a.com/x\n\n'), refused('malformed'))
  assert.deepEqual(scheduler.add('\nhttp://a.com/x'), refused('protocol'))
  assert.deepEqual(scheduler.add('http://a.com/x\n'), ACCEPTED)
  for (const end of ['\r\n', '\r', ' \t\r\n']) assert.deepEqual(scheduler.add(`http://a.com/x${end}`), DUPLICATE)
  assert.equal(scheduler.counts.read, 8)
})

test('ours: a text of 17 MiB is malformed, whatever it is', () => {
  const scheduler = new Scheduler()
  const long = 'x'.repeat(17 * MB)
  const twoBytes = 'é'.repeat(8.5 * MB)
  for (const text of [`http://a.com/${long}`, `http://${long}`, `http://a.com/${twoBytes}`, `http://a.com/#${long}`]) {
    assert.deepEqual(scheduler.add(text), refused('malformed'), text.slice(0, 20))
    assert.deepEqual(scheduler.add(Buffer.from(text)), refused('malformed'), text.slice(0, 20))
  }
  assert.deepEqual(scheduler.add(`ftp://${long}`), refused('protocol'))
  assert.deepEqual([...scheduler.urls(long)], [])
  assert.deepEqual([scheduler.knownHosts, scheduler.next()], [0, undefined])
})

test('ours: a text of 17 MiB with a line feed anywhere near its beginning is malformed too', () => {
  const scheduler = new Scheduler()
  const rest = Buffer.alloc(17 * MB, 'y')
  for (let length = 14; length < 80; length++) {
    const text = Buffer.from(rest)
    text.write(`${'http://a.com/'.padEnd(length, 'x')}\n`)
    assert.deepEqual(scheduler.add(text), refused('malformed'), `a line feed behind ${length} bytes`)
  }
})

test('ours: a URL of 16 MB is a URL like any other', () => {
  const scheduler = new Scheduler()
  const url = `http://a.com/${'x'.repeat(16_000_000)}`
  assert.deepEqual(scheduler.add(url), ACCEPTED)
  assert.deepEqual(scheduler.add(Buffer.from(url)), DUPLICATE)
  scheduler.add('http://a.com/y')
  assert.ok(scheduler.next() === url)
  assert.equal(scheduler.next(), 'http://a.com/y')
})

/** Names around 40 bytes, where a name leaves its host's record. */
const LONG_HOSTS = [39, 40, 41, 44, 45, 48, 49, 100].flatMap(length => [
  'n'.repeat(length),
  `m${'n'.repeat(length - 1)}`,
])
const HOSTS = ['a.com', 'b.com', 'c.br', 'a.com:80', 'www.A.com', 'é.com', 'none.org', 'x.pdf', '', 'http:', 'b.com/x']

/** A scheduler beside the commands that do the same, for the oracle to obey. */
class Recorded {
  private readonly scheduler: Scheduler
  private readonly strategy: Strategy
  private readonly random: RandomSource
  private readonly commands: string[] = []
  private readonly output: string[] = []

  constructor(random: RandomSource, strategy: Strategy) {
    this.random = random
    this.strategy = strategy
    this.scheduler = new Scheduler({ strategy })
  }

  step(): void {
    const { random, scheduler, commands, output } = this
    const n = random.below(random.pick([1, 3, 20]))
    const host = random.pick(random.chance(0.8) ? HOSTS : LONG_HOSTS)
    switch (random.below(16)) {
      case 0:
        commands.push('ESCALONA 1')
        output.push(...[scheduler.next()].filter(url => url !== undefined))
        return
      case 1:
        commands.push('ESCALONA 1')
        output.push(...[scheduler.nextBytes()?.toString()].filter(url => url !== undefined))
        return
      case 2:
        commands.push(`ESCALONA ${n}`)
        output.push(...scheduler.schedule(n))
        return
      case 3: {
        let taken = 0
        for (const url of scheduler) {
          output.push(url)
          if (++taken >= n) break
        }
        commands.push(`ESCALONA ${Math.max(n, 1)}`)
        return
      }
      case 4:
        if (host === '') return
        commands.push(`ESCALONA_HOST ${host} ${n}`)
        output.push(...scheduler.scheduleHost(host, n))
        return
      case 5:
        if (host === '') return
        commands.push(`VER_HOST ${host}`)
        output.push(...scheduler.urls(host))
        return
      case 6:
        commands.push('LISTA_HOSTS')
        output.push(...scheduler.hosts())
        return
      case 7:
        if (host === '' || random.chance(0.7)) return
        commands.push(`LIMPA_HOST ${host}`)
        scheduler.clear(host)
        return
      case 8:
        if (random.chance(0.9)) return
        commands.push('LIMPA_TUDO')
        scheduler.clear()
        return
      default:
        this.add(
          random.chance(0.8) ? randomUrlLine(random, 0.3) : `http://${random.pick(LONG_HOSTS)}/${random.below(3)}`,
        )
    }
  }

  /** Compares all that came out with what the oracle says. */
  check(where: string): void {
    this.commands.push('LISTA_HOSTS', 'ESCALONA_TUDO')
    this.output.push(...this.scheduler.hosts(), ...this.scheduler.schedule())
    const expected = runOracle(Buffer.from(this.commands.map(line => `${line}\n`).join('')), this.strategy)
    assert.deepEqual(expected.mistakes, [], `${where}: the test wrote a wrong command`)
    assert.deepEqual(this.output, expected.output.toString().split('\n').slice(0, -1), where)
    assert.deepEqual(this.scheduler.counts, expected.counts, where)
    assert.equal(this.scheduler.waiting(), 0, where)
  }

  private add(line: string): void {
    this.commands.push('ADD_URLS 1', line)
    const before = this.scheduler.waiting()
    const added = this.scheduler.add(this.random.chance(0.5) ? line : Buffer.from(line))
    const naive = readClassicNaively(Buffer.from(line).toString('latin1').replace(/\r$/, ''))
    if (naive.kind === 'refused') assert.deepEqual(added, naive, JSON.stringify(line))
    else assert.deepEqual(added, this.scheduler.waiting() > before ? ACCEPTED : DUPLICATE, JSON.stringify(line))
  }
}

for (const strategy of STRATEGIES) {
  test(`ours: random operations on a ${strategy}-first scheduler give what the naive oracle gives`, t => {
    for (const seed of seeds(t, 150, 50)) {
      const random = new RandomSource(seed)
      const recorded = new Recorded(random, strategy)
      for (let steps = random.pick([20, 200, 500]); steps > 0; steps--) recorded.step()
      recorded.check(`ESCALONA_SEED=${seed}, ${strategy}`)
    }
  })
}

test('ours: several schedulers at once do not disturb each other', t => {
  for (const seed of seeds(t, 40, 20)) {
    const random = new RandomSource(seed)
    const all = Array.from({ length: 5 }, (_, n) => new Recorded(random, STRATEGIES[n % 3]!))
    for (let step = 0; step < 1000; step++) random.pick(all).step()
    for (const [n, recorded] of all.entries()) recorded.check(`ESCALONA_SEED=${seed}, scheduler ${n}`)
  }
})

test('ours: lists of two schedulers can be read and emptied in turns', () => {
  const urls = Array.from({ length: 50 }, (_, n) => `http://a.com/${n}`)
  const [one, two] = [schedulerWith(urls), schedulerWith([...urls].reverse(), 'best')]
  const [first, second, third] = [one.schedule(), two.scheduleHost('a.com'), schedulerWith(urls).urls('a.com')]
  for (const [n, url] of urls.entries()) {
    assert.equal(first.next().value, url)
    assert.equal(second.next().value, urls[49 - n])
    assert.equal(third.next().value, url)
  }
  assert.ok([first, second, third].every(generator => generator.next().done))
})
