import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runCommands } from '../cli/run-cli.ts'
import { STRATEGIES, type Strategy } from '../model/oracle.ts'
import { runInProcess } from './run-in-process.ts'

/** `a` stands for http://a.com, `a1` for http://a.com/1, `a12` for http://a.com/1/2. */
function url(short: string): string {
  const [host = '', ...segments] = short
  return `http://${host}.com${segments.map(segment => `/${segment}`).join('')}`
}

function add(shorts: string): string[] {
  const urls = shorts.split(' ').map(url)
  return [`ADD_URLS ${urls.length}`, ...urls]
}

/** Runs commands without a mistake and gives the output in the short form again. */
function orderOf(strategy: Strategy, ...commands: (string | string[])[]): string {
  const file = Buffer.from(commands.flat().join('\n'))
  const { output, mistakes } = runInProcess(file, strategy)
  assert.deepEqual(mistakes, [])
  return inShort(output.toString().split('\n').slice(0, -1))
}

function orderWithOptions(options: readonly string[], ...commands: (string | string[])[]): string {
  const ending = runCommands(commands.flat(), ...options)
  assert.deepEqual([ending.code, ending.errors], [0, []])
  return inShort(ending.output)
}

function inShort(lines: readonly string[]): string {
  return lines.map(line => line.replace(/^http:\/\//, '').replace(/\.com|\//g, '')).join(' ')
}

const DEPTH = 'depth'
const BREADTH = 'breadth'
const BEST = 'best'

test('rule 3.2: depth-first is the default', () => {
  assert.equal(orderWithOptions([], add('a b a1 b1 b2'), 'ESCALONA_TUDO'), 'a a1 b b1 b2')
})

test('rule 3.1: -e names the strategy, and -b is short for -e breadth', () => {
  const commands = [add('a a1 b b1 b2 c'), 'ESCALONA_TUDO']
  assert.equal(orderWithOptions(['-e', 'depth'], ...commands), 'a a1 b b1 b2 c')
  assert.equal(orderWithOptions(['-e', 'breadth'], ...commands), 'a b c a1 b1 b2')
  assert.equal(orderWithOptions(['-b'], ...commands), 'a b c a1 b1 b2')
  assert.equal(orderWithOptions(['-e', 'best'], ...commands), 'b a b1 a1 b2 c')
})

test('rule 3.2: a host is emptied before the next one', () => {
  assert.equal(orderOf(DEPTH, add('b1 a1 c1 a b c'), 'ESCALONA 3', 'ESCALONA 2', 'ESCALONA_TUDO'), 'b b1 a a1 c c1')
})

test('rule 3.2: a host known earlier that fills again comes first again', () => {
  assert.equal(orderOf(DEPTH, add('a b b1'), 'ESCALONA 2', add('a2'), 'ESCALONA_TUDO'), 'a b a2 b1')
})

test('rule 3.3: one URL of each host in turn', () => {
  assert.equal(orderOf(BREADTH, add('a a1 a2 b b1 c'), 'ESCALONA_TUDO'), 'a b c a1 b1 a2')
})

test('rule 3.3: inside a host the order stays depth, then arrival', () => {
  assert.equal(orderOf(BREADTH, add('a12 a b1 a2 b a1'), 'ESCALONA_TUDO'), 'a b a2 b1 a1 a12')
})

test('rule 3.3: the turn goes on from one command to the next', () => {
  const steps = ['ESCALONA 1', 'ESCALONA 1', 'ESCALONA 2', 'ESCALONA_TUDO']
  assert.equal(orderOf(BREADTH, add('a a1 b b1 c c1'), ...steps), 'a b c a1 b1 c1')
})

test('rule 3.3: adding does not move the turn', () => {
  assert.equal(orderOf(BREADTH, add('a a1 b b1'), 'ESCALONA 1', add('a2 b2'), 'ESCALONA_TUDO'), 'a b a1 b1 a2 b2')
})

test('rule 3.3: ESCALONA 0 does not move the turn', () => {
  assert.equal(orderOf(BREADTH, add('a a1 b b1'), 'ESCALONA 1', 'ESCALONA 0', 'ESCALONA_TUDO'), 'a b a1 b1')
})

test('rule 3.3: ESCALONA_HOST does not move the turn', () => {
  const commands = [add('a a1 b b1 c c1'), 'ESCALONA 1', 'ESCALONA_HOST c.com 1', 'ESCALONA_TUDO']
  assert.equal(orderOf(BREADTH, ...commands), 'a c b c1 a1 b1')
  assert.equal(orderOf(BREADTH, add('a a1 b b1'), 'ESCALONA_HOST a.com 1', 'ESCALONA_TUDO'), 'a a1 b b1')
})

test('rule 3.3: ESCALONA_HOST that empties the host in turn gives the turn to the next with URLs', () => {
  const commands = [add('a a1 b c c1'), 'ESCALONA 1', 'ESCALONA_HOST b.com 5', 'ESCALONA_TUDO']
  assert.equal(orderOf(BREADTH, ...commands), 'a b c a1 c1')
})

test('rule 3.3: LISTA_HOSTS does not show the turn', () => {
  assert.equal(orderOf(BREADTH, add('a a1 b b1 c'), 'ESCALONA 2', 'LISTA_HOSTS'), 'a b a b c')
})

test('rule 3.3: a host without URLs is passed over, and keeps its place', () => {
  assert.equal(orderOf(BREADTH, add('a a1 a2 b c c1 c2'), 'ESCALONA 5', 'ESCALONA_TUDO'), 'a b c a1 c1 a2 c2')
  const refill = [add('a a1 b c c1'), 'ESCALONA 4', add('b1'), 'ESCALONA_TUDO']
  assert.equal(orderOf(BREADTH, ...refill), 'a b c a1 b1 c1')
})

test('rule 3.3: a new host joins at the end', () => {
  assert.equal(orderOf(BREADTH, add('a a1 b b1'), 'ESCALONA 1', add('c'), 'ESCALONA_TUDO'), 'a b c a1 b1')
})

test('ours: breadth-first: a host that becomes known when the last one was just served is next', () => {
  assert.equal(orderOf(BREADTH, add('a a1 b b1'), 'ESCALONA 2', add('c'), 'ESCALONA_TUDO'), 'a b c a1 b1')
})

test('rule 3.3: a host comes again only after all others that have URLs', () => {
  const commands = [add('a b'), 'ESCALONA 2', add('b1 a1'), 'ESCALONA 1', add('a2'), 'ESCALONA_TUDO']
  assert.equal(orderOf(BREADTH, ...commands), 'a b a1 b1 a2')
  const single = [add('a a1 a2'), 'ESCALONA 1', add('b b1'), 'ESCALONA_TUDO']
  assert.equal(orderOf(BREADTH, ...single), 'a b a1 b1 a2')
})

test('ours: breadth-first: LIMPA_HOST does not move the turn', () => {
  const commands = [add('a a1 b b1 c c1'), 'ESCALONA 1', 'LIMPA_HOST b.com', add('b2'), 'ESCALONA_TUDO']
  assert.equal(orderOf(BREADTH, ...commands), 'a b2 c a1 c1')
  assert.equal(orderOf(BREADTH, add('a a1 b b1'), 'ESCALONA 1', 'LIMPA_HOST a.com', 'ESCALONA_TUDO'), 'a b b1')
})

test('ours: breadth-first: LIMPA_TUDO starts the turn again', () => {
  assert.equal(orderOf(BREADTH, add('a b c'), 'ESCALONA 1', 'LIMPA_TUDO', add('x y'), 'ESCALONA_TUDO'), 'a x y')
})

test('rule 3.4: the host with the most URLs now', () => {
  assert.equal(orderOf(BEST, add('a b b1 b2 b3 c c1'), 'ESCALONA 2'), 'b b1')
})

test('rule 3.4: counted again after every URL', () => {
  assert.equal(orderOf(BEST, add('a a1 b b1 b2 c'), 'ESCALONA_TUDO'), 'b a b1 a1 b2 c')
})

test('rule 3.4: a tie goes to the host known first', () => {
  assert.equal(orderOf(BEST, add('c b a a1 b1 c1'), 'ESCALONA_TUDO'), 'c b a c1 b1 a1')
})

test('rule 3.4: a tie goes to the host known first, not to the one filled first', () => {
  const commands = [add('a b'), 'ESCALONA_TUDO', add('b1'), add('a1'), 'ESCALONA_TUDO']
  assert.equal(orderOf(BEST, ...commands), 'a b a1 b1')
})

test('rule 3.4: URLs added later count', () => {
  assert.equal(orderOf(BEST, add('a a1 b'), 'ESCALONA 1', add('b1 b2'), 'ESCALONA_TUDO'), 'a b b1 a1 b2')
})

test('rule 3.4: URLs that ESCALONA_HOST and LIMPA_HOST took away count no more', () => {
  assert.equal(orderOf(BEST, add('a a1 b b1 b2'), 'ESCALONA_HOST b.com 2', 'ESCALONA 1'), 'b b1 a')
  assert.equal(orderOf(BEST, add('a b b1 b2'), 'LIMPA_HOST b.com', 'ESCALONA_TUDO'), 'a')
})

test('rule 3.4: duplicates and refused URLs do not count', () => {
  const commands = ['ADD_URLS 5', url('a'), url('b'), url('b'), 'http://b.com/x.pdf', url('b'), 'ESCALONA 1']
  assert.equal(orderOf(BEST, ...commands), 'a')
})

test('rule 3.1: a strategy chooses the host only: VER_HOST, LISTA_HOSTS and ESCALONA_HOST are the same for all', () => {
  const commands = [add('b1 a b c1 c'), 'VER_HOST c.com', 'ESCALONA_HOST b.com 1', 'LISTA_HOSTS', 'VER_HOST b.com']
  for (const strategy of STRATEGIES) assert.equal(orderOf(strategy, ...commands), 'c c1 b b a c b1')
})
