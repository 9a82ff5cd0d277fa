import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify, stripVTControlCharacters } from 'node:util'
import { setLanguage } from '../../src/base/words/language.ts'
import {
  type CrawlFacts,
  CrawlProgress,
  logLine,
  progressLines,
  type Screen,
} from '../../src/cli/crawl/crawl-progress.ts'
import { RandomSource, seeds } from '../model/random-source.ts'

const FACTS: CrawlFacts = {
  pages: 4211,
  limit: 10_000,
  pagesPerSecond: 131.7,
  wireBytesPerSecond: 2_640_000,
  hosts: 812,
  waiting: 120_331,
  open: 48,
  errors: 14,
  eta: {
    ms: 192_000,
    isAtLeast: false,
    slowest: [
      { host: 'slow.example', waiting: 310, ms: 180_000 },
      { host: 'late.example', waiting: 100, ms: 100_000 },
    ],
  },
  pace: '',
  trouble: '',
}
const { limit: _, ...WITHOUT_LIMIT } = FACTS

/** The line with the figures. */
function progressLine(facts: CrawlFacts, columns: number, hasColour: boolean): string {
  return progressLines(facts, columns, hasColour)[0] ?? ''
}

test('rule 5.18: the progress line has pages, pages/s, MB/s, hosts, queue, errors and ETA, and names the slowest hosts', () => {
  assert.equal(
    progressLine(FACTS, 300, false),
    '4,211 of 10,000 pages  132 pages/s  2.6 MB/s  812 hosts  120,331 queued  48 open  ' +
      '14 errors  ETA 3 min 12 s  slowest: slow.example 3 min  late.example 1 min 40 s',
  )
})

test('ours: without a limit there is no bar', () => {
  assert.equal(
    progressLine({ ...WITHOUT_LIMIT, errors: 1, eta: { ms: 9000, isAtLeast: true, slowest: [] } }, 300, false),
    '4,211 pages  132 pages/s  2.6 MB/s  812 hosts  120,331 queued  48 open  1 error  ETA > 9.0 s',
  )
  assert.match(
    progressLine({ ...WITHOUT_LIMIT, pagesPerSecond: 0.46, eta: undefined }, 300, false),
    /0\.5 pages\/s.*ETA unknown$/,
  )
})

test('rule 5.18: a terminal of 80 columns shows all of them too', () => {
  assert.equal(
    progressLine(FACTS, 79, false),
    '4,211 pages  132/s  2.6 MB/s  812 hosts  120k queued  14 errors  ETA 3 min 12 s',
  )
  assert.equal(
    progressLine({ ...FACTS, pages: 1_234_567, waiting: 98_765_432 }, 79, false),
    '1.2M pages  132/s  2.6 MB/s  812 hosts  99M queued  14 errors  ETA 3 min 12 s',
  )
})

test('ours: a narrow terminal gets what matters most', () => {
  assert.equal(progressLine(FACTS, 60, false), '4,211 pages  132/s  2.6 MB/s  120k queued  ETA 3 min 12 s')
  assert.equal(progressLine(FACTS, 30, false), '4,211 pages  ETA 3 min 12 s')
  assert.deepEqual(progressLines(FACTS, 3, false), [])
})

test('ours: the line is never wider than the terminal, whatever the numbers and names', t => {
  for (const seed of seeds(t, 200, 50)) {
    const random = new RandomSource(seed)
    const number = () => random.below(2 ** random.below(45))
    const name = () => String.fromCodePoint(...Array.from({ length: random.below(80) }, () => random.below(0xd800)))
    const slowest = Array.from({ length: random.below(4) }, () => ({ host: name(), waiting: number(), ms: number() }))
    const facts: CrawlFacts = {
      pages: number(),
      ...(random.chance(0.5) && { limit: number() }),
      pagesPerSecond: number() / 1000,
      wireBytesPerSecond: number(),
      hosts: number(),
      waiting: number(),
      open: number(),
      errors: number(),
      eta: random.chance(0.2) ? undefined : { ms: number(), isAtLeast: random.chance(0.5), slowest },
      pace: random.chance(0.5) ? '' : 'as fast as it can',
      trouble: random.chance(0.5) ? '' : name(),
    }
    const columns = random.below(300)
    const lines = progressLines(facts, columns, false)
    for (const line of lines) {
      assert.ok(line.length <= Math.max(columns, 1), `${line.length} > ${columns}, ESCALONA_SEED=${seed}`)
      assert.doesNotMatch(line, /\p{Cc}/u, `ESCALONA_SEED=${seed}`)
    }
    const coloured = progressLines(facts, columns, true).map(line => stripVTControlCharacters(line))
    assert.deepEqual(coloured, lines, `ESCALONA_SEED=${seed}`)
    assert.doesNotMatch(logLine(facts), /\p{Cc}/u, `ESCALONA_SEED=${seed}`)
  }
})

test('ours: a host cannot speak to the terminal, and a long one shows its end', () => {
  const slowest = [
    { host: 'a\x1b]0;owned\x07.example', waiting: 1, ms: 1 },
    { host: `${'x'.repeat(5000)}.site.example`, waiting: 1, ms: 1 },
  ]
  const line = progressLine({ ...FACTS, eta: { ms: 1, isAtLeast: false, slowest } }, 400, false)
  assert.ok(line.includes('slowest: a\\u{1b}]0;owned\\u{7}.example 1 ms'), line)
  assert.ok(line.endsWith(`  …${'x'.repeat(16)}.site.example 1 ms`), line)
})

test('ours: colour marks the bar and errors, nothing else', () => {
  const codes = (errors: number) =>
    progressLines({ ...FACTS, errors }, 300, true)
      .join('')
      .split('\x1b[')
      .slice(1)
      .map(text => text.slice(0, text.indexOf('m')))
  assert.deepEqual(codes(0), ['36', '0'])
  assert.deepEqual(codes(1), ['33', '0', '36', '0'])
})

test('rule 5.18: where there is no terminal, the log line says the same', () => {
  assert.equal(
    logLine(FACTS),
    '4,211 of 10,000 pages, 132 pages/s, 2.6 MB/s, 812 hosts, 120,331 queued, 48 open, 14 errors, ' +
      'ETA 3 min 12 s (slowest: slow.example 310 in 3 min, late.example 100 in 1 min 40 s)',
  )
})

test('progress: 80 columns have rate, bar and ETA, and what limits the speed; trouble has lines of its own, and is never cut', () => {
  const figures = '4,211 pages  132/s  2.6 MB/s  812 hosts  120k queued  14 errors  ETA 3 min 12 s'
  const pace = "as fast as the hosts' delays allow"
  const bar = `████████░░░░░░░░░░░░  42 %  ${pace}`
  assert.deepEqual(progressLines({ ...FACTS, pace }, 79, false), [figures, bar])
  assert.ok(logLine({ ...FACTS, pace }).endsWith(`late.example 100 in 1 min 40 s); ${pace}`))
  const trouble = `all 1,209 waiting URLs belong to ${'x'.repeat(90)}.example, which asked to be left alone until 17:45`
  const lines = progressLines({ ...FACTS, pace, trouble }, 79, false)
  assert.deepEqual(lines.slice(0, 2), [figures, bar])
  assert.equal(lines.slice(2).join('').replaceAll(' ', ''), trouble.replaceAll(' ', ''))
  assert.ok(logLine({ ...FACTS, pace, trouble }).endsWith(`; ${trouble}`))
})

test('progress: LANG=pt_BR gives a Portuguese line, with Portuguese numbers', t => {
  t.after(() => setLanguage('en'))
  setLanguage('pt')
  assert.equal(
    progressLine({ ...WITHOUT_LIMIT, errors: 1, pagesPerSecond: 0.46, eta: undefined }, 300, false),
    '4.211 páginas  0,5 páginas/s  2,6 MB/s  812 hosts  120.331 na fila  48 abertas  1 erro  faltam ?',
  )
})

function recorded(kind: Screen['kind']) {
  const written: string[] = []
  const add = (text: string) => void written.push(text)
  const screen: Screen = { kind, hasColour: false, columns: () => 30, write: add, log: add }
  return { written, progress: new CrawlProgress(screen, 1000) }
}

test('rule 5.18: a log line comes every five seconds', () => {
  const { written, progress } = recorded('log')
  for (let ms = 1000; ms <= 16_000; ms += 100) progress.show({ ...FACTS, pages: ms }, ms)
  progress.hide()
  assert.deepEqual(
    written.map(text => /^([\d,]+) of .*[^\n]$/.exec(text)?.[1]),
    ['6,000', '11,000', '16,000'],
  )
})

test('ours: on a terminal a few lines are rewritten, five times a second, and go away', () => {
  const { written, progress } = recorded('lines')
  assert.equal(progress.isDue(1199), false)
  for (let ms = 1000; ms <= 2000; ms += 10) progress.show(FACTS, ms)
  const lines = '4,211 pages  ETA 3 min 12 s\n████████░░░░░░░░░░░░  42 %'
  const again = `\x1b[1A\r\x1b[J${lines}`
  assert.deepEqual(written, [`\r\x1b[J${lines}`, again, again, again, again])
  progress.hide()
  progress.hide()
  assert.deepEqual(written.slice(5), ['\x1b[1A\r\x1b[J'])
})

test('rule 5.18: -q shows nothing', () => {
  const { written, progress } = recorded('none')
  assert.equal(progress.isDue(1e12), false)
  progress.show(FACTS, 1e12)
  progress.hide()
  assert.deepEqual(written, [])
})

const MODULE = new URL('../../src/cli/crawl/crawl-progress.js', import.meta.url).href
const SHOWN = `import { standardScreen } from '${MODULE}'
const { kind, hasColour, columns } = standardScreen(process.argv[1])
standardScreen('text').write('to standard error')
console.log(JSON.stringify([kind, hasColour, columns()]))`

/** What `standardScreen` says when standard error is a pipe, or a terminal made by `script`. */
async function screenIn(env: Record<string, string>, terminal: boolean, log = 'text'): Promise<string> {
  const node = [process.execPath, '--input-type=module', '-e', SHOWN, log]
  const quotedNode = node.map(word => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
  const [command, words] = terminal
    ? ['script', ['-qec', `stty cols 77; ${quotedNode}`, '/dev/null']]
    : [node[0]!, node.slice(1)]
  const plain = { ...process.env, TERM: 'xterm', NO_COLOR: '', NODE_NO_WARNINGS: '1' }
  const { stdout, stderr } = await promisify(execFile)(command as string, words as string[], {
    env: { ...plain, ...env },
  })
  assert.ok((terminal ? stdout : stderr).includes('to standard error'))
  return /\[".*\]/.exec(stdout)![0]
}

test('ours: in a pipe there is a log without colour, and with -q nothing', async () => {
  assert.equal(await screenIn({}, false), '["log",false,80]')
  assert.equal(await screenIn({}, false, 'none'), '["none",false,80]')
})

test('ours: a terminal gets a line as wide as it is; NO_COLOR and TERM=dumb are respected', async t => {
  const hasScript = await promisify(execFile)('script', ['--version']).then(
    ({ stdout }) => stdout.includes('util-linux'),
    () => false,
  )
  if (!hasScript) return t.skip('there is no `script` of util-linux to make a terminal with')
  assert.equal(await screenIn({}, true), '["lines",true,77]')
  assert.equal(await screenIn({ NO_COLOR: '1' }, true), '["lines",false,77]')
  assert.equal(await screenIn({ TERM: 'dumb' }, true), '["log",false,77]')
  assert.equal(await screenIn({}, true, 'none'), '["none",true,77]')
  assert.equal(await screenIn({}, true, 'json'), '["log",true,77]')
})
