// Option -l of the scheduler: the access log that `escalona analyze` reads.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ORIGINAL_LOAD } from '../../src/analysis/original-load.ts'
import { checkLog } from '../analysis/check-log.ts'
import { escalona, temporaryFolder } from './run-cli.ts'

test('rule 4.2: -l writes a log that the course would accept, and the same output as without', t => {
  const cwd = temporaryFolder(t)
  writeFileSync(join(cwd, 'c.txt'), ORIGINAL_LOAD)
  for (const strategy of ['depth', 'breadth', 'best']) {
    assert.equal(escalona(['c.txt', '-e', strategy, '-o', 'plain.txt'], { cwd }).code, 0)
    assert.equal(escalona(['c.txt', '-e', strategy, '-l', 'access.log', '-o', 'logged.txt'], { cwd }).code, 0)
    assert.equal(readFileSync(join(cwd, 'logged.txt'), 'utf8'), readFileSync(join(cwd, 'plain.txt'), 'utf8'))
    const accesses = checkLog(readFileSync(join(cwd, 'access.log'), 'latin1'))
    assert.ok(accesses.length > 1000)
    assert.equal(Math.min(...accesses.map(({ id }) => id)), 0)
    assert.equal(Math.min(...accesses.map(({ phase }) => phase)), 0)
  }
})

test('rule 4.3: the addresses lie close together, so that tools that keep a cell for each can read the log', t => {
  const cwd = temporaryFolder(t)
  writeFileSync(join(cwd, 'c.txt'), ORIGINAL_LOAD)
  escalona(['c.txt', '-l', 'access.log', '-q'], { cwd })
  const addresses = checkLog(readFileSync(join(cwd, 'access.log'), 'latin1')).map(({ address }) => address)
  const spanBytes = Math.max(...addresses) - Math.min(...addresses)
  assert.ok(spanBytes < 64 * 1024, `${spanBytes} bytes`)
})

test('ours: the log appears whole or not at all, and leaves nothing behind', t => {
  const cwd = temporaryFolder(t)
  writeFileSync(join(cwd, 'bad.txt'), 'NOTHING\nLISTA_HOSTS\n')
  assert.equal(escalona(['bad.txt', '--strict', '-l', 'access.log'], { cwd }).code, 1)
  assert.equal(existsSync(join(cwd, 'access.log')), false)
  assert.equal(escalona(['bad.txt', '-l', 'missing/access.log'], { cwd }).code, 2)
  assert.deepEqual(readdirSync(cwd), ['bad.txt'])
  assert.equal(escalona(['bad.txt', '-l', 'access.log'], { cwd }).code, 1)
  assert.deepEqual(readdirSync(cwd).sort(), ['access.log', 'bad-out.txt', 'bad.txt'])
})

test('ours: the log is neither the input nor the output', t => {
  const cwd = temporaryFolder(t)
  writeFileSync(join(cwd, 'c.txt'), ORIGINAL_LOAD)
  for (const args of [
    ['c.txt', '-l', 'c.txt'],
    ['c.txt', '-l', 'c-out.txt'],
    ['c.txt', '-o', '-', '-l', '-'],
    ['c.txt', '-l', ''],
  ]) {
    const { code, stderr } = escalona(args, { cwd })
    assert.equal(code, 2, args.join(' '))
    assert.match(stderr, /access log/)
  }
  assert.equal(readFileSync(join(cwd, 'c.txt'), 'utf8'), ORIGINAL_LOAD)
})

test('ours: the log can go to standard output', t => {
  const cwd = temporaryFolder(t)
  writeFileSync(join(cwd, 'c.txt'), ORIGINAL_LOAD)
  const { stdout } = escalona(['c.txt', '-l', '-', '-q'], { cwd })
  assert.ok(checkLog(stdout.toString('latin1')).length > 1000)
})
