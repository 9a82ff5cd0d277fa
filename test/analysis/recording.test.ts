import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ORIGINAL_HOSTS, ORIGINAL_LOAD } from '../../src/analysis/original-load.ts'
import { runOracle, STRATEGIES } from '../model/oracle.ts'
import { randomScript } from '../model/random-script.ts'
import { seeds } from '../model/random-source.ts'
import { checkLog, type LoggedAccess } from './check-log.ts'
import { record } from './record.ts'

test('rule 4.2: the log of random command files is well formed, and recording changes nothing', t => {
  for (const seed of seeds(t, 20, 5)) {
    const file = randomScript(seed)
    for (const strategy of STRATEGIES) {
      const { log, output } = record(file, { strategy, readBytes: seed % 3 === 0 ? 7 : 1 << 20 })
      const expected = runOracle(file, strategy)
      assert.equal(output, expected.output.toString('latin1'), `ESCALONA_SEED=${seed}, ${strategy}`)
      const accesses = checkLog(log)
      if (expected.counts.hosts === 0) continue
      assert.equal(Math.min(...accesses.map(one => one.id)), 0)
      assert.equal(Math.min(...accesses.map(one => one.phase)), 0)
    }
  }
})

test('rule 4.2: the original load writes its URLs in the order of its table 1, each once', () => {
  const accesses = checkLog(record(ORIGINAL_LOAD).log)
  const textWrites = accesses.filter(({ kind, id }) => kind === 'E' && id > 100)
  assert.deepEqual(
    textWrites.map(({ id }) => id - 100),
    ORIGINAL_HOSTS,
  )
  const lengths = ORIGINAL_LOAD.split('\n')
    .slice(1, 27)
    .map(url => url.length - 'http://'.length)
  assert.deepEqual(
    textWrites.map(({ bytes }) => bytes),
    lengths,
  )
})

test('rule 4.2: the texts of the original load are read again where they were written, host by host', () => {
  const accesses = checkLog(record(ORIGINAL_LOAD).log)
  const written = new Map<number, Set<number>>()
  for (const { kind, id, address, bytes } of accesses) {
    if (id <= 100 || kind !== 'E') continue
    const of = written.get(id) ?? new Set()
    written.set(id, of)
    for (let at = address; at < address + bytes; at++) of.add(at)
  }
  const printed = accesses.filter(
    ({ kind, id, phase, bytes }) => kind === 'L' && id > 100 && phase === 1 && bytes === 16,
  )
  assert.ok(printed.length > 26 * 2)
  for (const { id, address } of printed) assert.ok(written.get(id)?.has(address), `${id} at ${address}`)
  // Printed depth-first: one host after the other.
  const order = printed.map(({ id }) => id).filter((id, i, ids) => id !== ids[i - 1])
  assert.deepEqual(order, [101, 102, 103, 104, 105])
})

test('rule 4.3: ids are the host structures, the lists, the names and the texts of hosts; phases are the commands', () => {
  const accesses = checkLog(record(ORIGINAL_LOAD).log)
  assert.deepEqual(sorted(accesses.map(({ id }) => id)), [0, 1, 2, 3, 4, 5, 100, 101, 102, 103, 104, 105])
  assert.deepEqual(sorted(accesses.map(({ phase }) => phase)), [0, 1, 5, 7])
  const listing = accesses.filter(({ phase }) => phase === 5)
  assert.ok(listing.every(({ kind }) => kind === 'L'))
  assert.deepEqual(sorted(listing.map(({ id }) => id)), [0, 100])
})

const COMMANDS = [
  'ADD_URLS 3',
  'http://a.com/x',
  'http://b.com/y',
  'http://b.com/z',
  'LISTA_HOSTS',
  'VER_HOST b.com',
  'ESCALONA_HOST b.com 1',
  'LIMPA_HOST b.com',
  'ESCALONA 1',
  'ESCALONA_TUDO',
  'LIMPA_TUDO',
].join('\r\n')

test('rule 4.2: each command has its phase, also from a pipe that gives a byte at a time, and without a last line end', () => {
  for (const readBytes of [1, 5, 1 << 20]) {
    for (const file of [COMMANDS, `\xef\xbb\xbf${COMMANDS}\n`]) {
      const phases = checkLog(record(file, { readBytes }).log).map(({ phase }) => phase)
      const order = phases.filter((phase, i) => phase !== phases[i - 1])
      assert.deepEqual(order, [0, 5, 4, 3, 6, 2, 1, 7])
    }
  }
})

test('rule 4.3: the hosts after the 99th share the id 99', () => {
  const urls = Array.from({ length: 150 }, (_, i) => `http://h${i}.com/x`)
  const accesses = checkLog(record(['ADD_URLS 150', ...urls, 'ESCALONA_TUDO', ''].join('\n')).log)
  const ids = sorted(accesses.map(({ id }) => id))
  assert.deepEqual(ids, [
    ...Array.from({ length: 100 }, (_, i) => i),
    ...Array.from({ length: 100 }, (_, i) => 100 + i),
  ])
  const written = accesses.filter(({ kind, id }) => kind === 'E' && id === 199)
  assert.equal(written.length, 150 - 98)
})

test('rule 4.2: times never go back, though the clock does', () => {
  let n = 0
  checkLog(record(COMMANDS, { clock: () => 5000 + (n++ % 7) * 3 }).log)
})

test('ours: a file without commands gives a log of two lines', () => {
  assert.deepEqual(checkLog(record('').log), [])
  assert.deepEqual(checkLog(record('NOTHING 3\n').log), [])
})

test('ours: a URL that waits again, and one that is a duplicate, belong to their host', () => {
  const file = ['ADD_URLS 2', 'http://a.com/1', 'http://b.com/1', 'ESCALONA_TUDO', 'ADD_URLS 3']
  const again = ['http://b.com/1', 'http://b.com/1', 'http://a.com/2', 'ESCALONA_TUDO', '']
  const accesses = checkLog(record([...file, ...again].join('\n')).log)
  const writes = accesses.filter(({ kind, id }) => kind === 'E' && id > 100).map(({ id }) => id)
  assert.deepEqual(writes, [101, 102, 101])
  const compared = accesses.filter(({ kind, id, phase }) => kind === 'L' && id > 100 && phase === 0).map(({ id }) => id)
  assert.deepEqual(sorted(compared), [102])
  assertApart(accesses)
})

/** Texts of different hosts never have the same address while they are waiting. */
function assertApart(accesses: readonly LoggedAccess[]): void {
  const owner = new Map<number, number>()
  for (const { kind, id, address, bytes } of accesses) {
    if (id <= 100) continue
    if (kind === 'E') for (let at = address; at < address + bytes; at++) owner.set(at, id)
    else if (owner.has(address)) assert.equal(owner.get(address), id)
  }
}

function sorted(numbers: readonly number[]): number[] {
  return [...new Set(numbers)].sort((a, b) => a - b)
}
