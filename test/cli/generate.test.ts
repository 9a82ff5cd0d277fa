import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { factsOf } from '../generate/load-statistics.ts'
import { escalona, temporaryFolder } from './run-cli.ts'

test('rule 4.1: generate writes a command file that the scheduler runs without a mistake', t => {
  const cwd = temporaryFolder(t)
  const generated = escalona(['generate', '-o', 'carga.txt', '-s', '50', '-u', '20', '-v', '5'], { cwd })
  assert.equal(generated.code, 0)
  assert.match(generated.stderr, /^escalona: [\d,]+ URLs of 50 hosts generated, [\d.]+ s\n$/)
  const facts = factsOf(readFileSync(join(cwd, 'carga.txt'), 'latin1'))
  const run = escalona(['carga.txt'], { cwd })
  assert.equal(run.code, 0)
  const n = facts.announced.toLocaleString('en-US')
  assert.ok(run.stderr.includes(`${n} URLs read, ${n} accepted, 0 duplicates, 0 refused`), run.stderr)
  assert.ok(run.stderr.includes('50 hosts'))
})

test('rule 4.1: without options there are 10 hosts with about 3 URLs each, and - is standard output', () => {
  const { code, stdout, stderr } = escalona(['generate', '-o', '-', '--quiet'])
  assert.equal(code, 0)
  assert.equal(stderr, '')
  const facts = factsOf(stdout.toString('latin1'))
  assert.equal(facts.hosts, 10)
  assert.ok(facts.urls >= 20 && facts.urls <= 45)
})

test('rule 4.1: the same seed gives the same file, another seed another one', () => {
  const text = (seed: string) => escalona(['generate', '-o', '-', '--seed', seed]).stdout.toString()
  assert.equal(text('5'), text('5'))
  assert.notEqual(text('5'), text('6'))
})

test('ours: wrong use is told in one line, and no file is written', t => {
  const cwd = temporaryFolder(t)
  writeFileSync(join(cwd, 'kept.txt'), 'kept')
  for (const [args, message] of [
    [[], /generate needs -o FILE/],
    [['-o', 'kept.txt', '-s', '-1'], /-s/],
    [['-o', 'kept.txt', '-s', '0'], /hosts is a whole number from 1/],
    [['-o', 'kept.txt', '-u', 'many'], /-u takes a number from 0 up, not many/],
    [['-o', 'kept.txt', '--seed', '1.5'], /seed is a whole number/],
    [['-o', 'kept.txt', 'extra'], /extra/],
    [['-o', 'kept.txt', '--nothing'], /--nothing/],
    [['-o', 'missing/x.txt'], /cannot write missing\/x\.txt/],
  ] as const) {
    const ending = escalona(['generate', ...args], { cwd })
    assert.equal(ending.code, 2, args.join(' '))
    assert.match(ending.stderr, message)
    assert.equal(ending.stderr.split('\n').length, 2)
  }
  assert.deepEqual(readdirSync(cwd), ['kept.txt'])
  assert.equal(readFileSync(join(cwd, 'kept.txt'), 'utf8'), 'kept')
})

test('ours: a spread that cannot be is reported', () => {
  const { code, stderr } = escalona(['generate', '-o', '-', '-u', '1', '-v', '1'])
  assert.equal(code, 0)
  assert.match(stderr, /cannot have a standard deviation of 1; for URLs per host it is 0\.00/)
})

test('ours: generate --help shows its own page', () => {
  const { code, stdout } = escalona(['generate', '--help'])
  assert.equal(code, 0)
  assert.match(stdout.toString(), /Usage: escalona generate -o FILE/)
  assert.equal(existsSync('FILE'), false)
})
