// Random command files against the naive oracle. A failure prints its seed and a shrunk file; ESCALONA_SEED=<seed>
// repeats it.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { escalona, temporaryFolder } from '../cli/run-cli.ts'
import { type OracleResult, runOracle, STRATEGIES, type Strategy } from '../model/oracle.ts'
import { randomScript } from '../model/random-script.ts'
import { RandomSource, seeds } from '../model/random-source.ts'
import { shrink } from '../model/shrink.ts'
import { type Reading, runInProcess } from './run-in-process.ts'

/** What a run gives, or the error that it ends with, in a form that can be compared and read. */
function shown(run: () => OracleResult): unknown {
  try {
    const { output, mistakes, counts } = run()
    return { output: output.toString('latin1').split('\n'), mistakes, counts }
  } catch (error) {
    return { error: String(error) }
  }
}

function agreesWithOracle(seed: number, file: Buffer, strategy: Strategy, reading: Reading = {}): void {
  const differs = (candidate: Buffer) =>
    !isDeepStrictEqual(
      shown(() => runInProcess(candidate, strategy, reading)),
      shown(() => runOracle(candidate, strategy)),
    )
  if (!differs(file)) return
  const small = shrink(file, differs)
  const actual = shown(() => runInProcess(small, strategy, reading))
  const expected = shown(() => runOracle(small, strategy))
  const text = JSON.stringify(small.toString('latin1'))
  const how = `strategy ${strategy}, reading ${JSON.stringify(reading)}`
  assert.deepEqual(actual, expected, `ESCALONA_SEED=${seed}, ${how}, shrunk to (latin1) ${text}`)
  assert.fail(`ESCALONA_SEED=${seed}, ${how}: two runs of the same file differ: ${text}`)
}

test('ours: random command files give what the naive oracle gives, with every strategy', t => {
  for (const seed of seeds(t, 300, 200)) {
    const file = randomScript(seed)
    for (const strategy of STRATEGIES) agreesWithOracle(seed, file, strategy)
  }
})

test('ours: it does not matter where the chunks of a file end', t => {
  for (const seed of seeds(t, 80, 20)) {
    const file = randomScript(seed)
    const strategy = STRATEGIES[seed % STRATEGIES.length]!
    for (const windowBytes of [1, 2, 3, 7, 16, 61, 1000]) agreesWithOracle(seed, file, strategy, { windowBytes })
    for (const readBytes of [1, 2, 13, 300]) agreesWithOracle(seed, file, strategy, { readBytes })
    agreesWithOracle(seed, file, strategy, { windowBytes: 50, readBytes: 7 })
  }
})

test('read ahead: with both cores the random command files give the same, wherever the second thread takes over', t => {
  for (const seed of seeds(t, 12, 8)) {
    const file = randomScript(seed)
    const strategy = STRATEGIES[seed % STRATEGIES.length]!
    const random = new RandomSource(seed)
    const windowBytes = random.pick([1, 50, 1000, 1 << 18])
    let pauses = random.pick([0, 0, 1, 5, 40])
    agreesWithOracle(seed, file, strategy, { windowBytes, isReadAhead: () => pauses-- <= 0 })
  }
})

/** Many more URLs come and go than ever wait, and some wait for long. */
function longLife(seed: number, rounds: number): Buffer {
  const random = new RandomSource(seed)
  const lines: string[] = []
  for (let round = 0; round < rounds; round++) {
    const urls = Array.from({ length: 1000 }, () => {
      const path = '/d'.repeat(random.below(6))
      return `http://h${random.below(60)}.org${path}/${random.pick(['old', 'new'])}/${random.below(20 * (round + 1))}`
    })
    const least = random.pick([300, 900, 990, 1000, 1100])
    lines.push(`ADD_URLS ${urls.length}`, ...urls, `ESCALONA ${least}`, `VER_HOST h${random.below(60)}.org`)
    if (random.chance(0.02)) lines.push(random.pick(['LIMPA_TUDO', 'ESCALONA_TUDO']))
    if (random.chance(0.2)) lines.push(`LIMPA_HOST h${random.below(60)}.org`)
  }
  return Buffer.from([...lines, 'LISTA_HOSTS', 'ESCALONA_TUDO', ''].join('\n'))
}

test('ours: memory that is used again holds the right URLs', t => {
  for (const seed of seeds(t, 0, 1)) {
    const file = longLife(seed, 150)
    const strategy = STRATEGIES[seed % STRATEGIES.length]!
    const expected = runOracle(file, strategy)
    assert.ok(expected.counts.scheduled > 100_000, `only ${expected.counts.scheduled} URLs were scheduled`)
    for (const reading of [{}, { windowBytes: 5000 }, { isReadAhead: () => true }]) {
      const actual = runInProcess(file, strategy, reading)
      assert.deepEqual(actual.counts, expected.counts, `ESCALONA_SEED=${seed}, ${strategy}`)
      assert.ok(actual.output.equals(expected.output), `ESCALONA_SEED=${seed}, ${strategy}: the output differs`)
    }
  }
})

test('ours: random command files through the real command: output, exit code and numbers of the bad lines', t => {
  const folder = temporaryFolder(t)
  for (const seed of seeds(t, 6, 4)) {
    const strategy = STRATEGIES[seed % STRATEGIES.length]!
    const file = randomScript(seed)
    const expected = runOracle(file, strategy)
    const where = `ESCALONA_SEED=${seed}, strategy ${strategy}`
    const exitCode = expected.mistakes.length > 0 ? 1 : 0
    if (seed % 2 === 0) {
      writeFileSync(join(folder, 'random.txt'), file)
      const ending = escalona(['random.txt', '-q', '-e', strategy], { cwd: folder })
      assert.ok(readFileSync(join(folder, 'random-out.txt')).equals(expected.output), where)
      assert.deepEqual(badLines(ending.stderr, 'random.txt'), expected.mistakes, where)
      assert.equal(ending.code, exitCode, where)
    } else {
      const isStrict = seed % 4 === 1
      const ending = escalona(['-', '-q', '-e', strategy, ...(isStrict ? ['--strict'] : [])], { stdin: file })
      const told = isStrict ? expected.mistakes.slice(0, 1) : expected.mistakes
      assert.ok(ending.stdout.equals(isStrict && exitCode === 1 ? Buffer.alloc(0) : expected.output), where)
      assert.deepEqual(badLines(ending.stderr, '<stdin>'), told, where)
      assert.equal(ending.code, exitCode, where)
    }
  }
})

/** The line numbers of the messages; every line must be a message. */
function badLines(stderr: string, name: string): number[] {
  const lines = stderr.split('\n')
  assert.equal(lines.pop(), '')
  return lines.map(line => {
    assert.ok(line.startsWith(`${name}:`) && /^[^:]*:\d+: \S/.test(line), line)
    return Number(line.split(':')[1])
  })
}

test('ours: the random command files reach what they are meant to reach', t => {
  const reached = {
    mistakes: 0,
    clean: 0,
    cutOff: 0,
    duplicates: 0,
    protocol: 0,
    malformed: 0,
    extension: 0,
    crowds: 0,
  }
  if (process.env.ESCALONA_SEED) return t.skip('one seed alone reaches little')
  for (const seed of seeds(t, 150, 0)) {
    const file = randomScript(seed)
    const { mistakes, counts } = runOracle(file, 'depth')
    if (mistakes.length > 0) reached.mistakes++
    else reached.clean++
    if (mistakes.length > 0 && /\nADD_URLS [0-9]+\r?\n[^\n]*\n?[^\n]*\n?$/.test(file.toString('latin1')))
      reached.cutOff++
    if (counts.duplicates > 0) reached.duplicates++
    for (const reason of ['protocol', 'malformed', 'extension'] as const)
      if (counts.refused[reason] > 0) reached[reason]++
    if (counts.read > 300) reached.crowds++
  }
  for (const [what, times] of Object.entries(reached)) assert.ok(times >= 10, `${what}: ${times} of 300 files`)
})
