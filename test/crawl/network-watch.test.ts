import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FetchResult } from '../../src/decide/job.ts'
import { NetworkWatch } from '../../src/run/network-watch.ts'
import { VirtualClock } from '../../src/simulate/virtual-clock.ts'

const ANSWER = { kind: 'other', answer: {} } as unknown as FetchResult
const SILENCE: FetchResult = { kind: 'failed', why: 'timeout', isSilent: true }
const NO_NETWORK: FetchResult = { kind: 'failed', why: 'network', isSilent: true }
const DNS: FetchResult = { kind: 'failed', why: 'dns', isSilent: true }

function watch(hasAnswered = true) {
  const time = new VirtualClock()
  const said: string[] = []
  const network = new NetworkWatch(time.clock, hasAnswered, message => said.push(message))
  const sees = (server: string, result: FetchResult, more: { isProven?: boolean; isOurDns?: boolean } = {}) =>
    network.isTheirs({ server, isProven: true, isOurDns: false, ...more }, result)
  return { time, said, network, sees }
}

test('ours: three servers that had answered fall silent, and nobody answers for 5 s: it is our network', () => {
  const { time, said, network, sees } = watch()
  sees('a', ANSWER)
  time.nowMs += 4999
  for (const server of ['a', 'b', 'c']) assert.equal(sees(server, SILENCE), true)
  assert.equal(network.isAway, false)
  time.nowMs += 1
  assert.equal(sees('a', SILENCE), false)
  assert.equal(network.isAway, true)
  assert.match(said[0]!, /network seems to be down/)
})

test('ours: two servers, or hosts that never answered, prove nothing about our network', () => {
  const { time, network, sees } = watch()
  time.nowMs += 60_000
  for (let n = 0; n < 50; n++) assert.equal(sees(n % 2 === 0 ? 'a' : 'b', SILENCE), true)
  for (let n = 0; n < 50; n++) assert.equal(sees(`unproven${n}`, SILENCE, { isProven: false }), true)
  assert.equal(network.isAway, false)
  assert.equal(sees('c', SILENCE), false)
})

test('ours: an answer in between begins the count anew', () => {
  const { time, network, sees } = watch()
  time.nowMs += 10_000
  sees('a', SILENCE)
  sees('b', SILENCE)
  sees('z', ANSWER)
  time.nowMs += 10_000
  sees('c', SILENCE)
  assert.equal(network.isAway, false)
})

test('ours: ENETUNREACH, or DNS servers that can’t be reached, is our network at once, unless somebody just answered', () => {
  for (const [result, isOurDns] of [
    [NO_NETWORK, false],
    [DNS, true],
  ] as const) {
    const { time, network, sees } = watch()
    sees('a', ANSWER)
    assert.equal(sees('b', result, { isOurDns }), true)
    time.nowMs += 5000
    assert.equal(sees('b', result, { isOurDns, isProven: false }), true, 'a host that never answered proves nothing')
    assert.equal(sees('b', result, { isOurDns }), false)
    assert.equal(network.isAway, true)
  }
})

test('ours: when nobody has ever answered, the very first ENETUNREACH is our network', () => {
  const { network, sees } = watch(false)
  assert.equal(sees('a', NO_NETWORK, { isProven: false }), false)
  assert.equal(network.isAway, true)
})

test('ours: while the network is away nothing is theirs; the first answer ends it', () => {
  const { time, network, said, sees } = watch(false)
  sees('a', NO_NETWORK)
  assert.equal(sees('b', SILENCE, { isProven: false }), false)
  time.nowMs += 65_000
  assert.equal(sees('b', ANSWER), true)
  assert.equal(network.isAway, false)
  assert.match(said[1]!, /back after 1 min 5 s/)
  assert.equal(sees('c', SILENCE), true)
})

test('ours: a broken answer, a refused name and an unknown host are signs of life', () => {
  for (const result of [{ kind: 'failed', why: 'length', isSilent: false }, { kind: 'no such host' }] as const) {
    const { network, sees } = watch(false)
    sees('a', NO_NETWORK)
    assert.equal(sees('b', result), true)
    assert.equal(network.isAway, false)
  }
})

test('ours: somebody is asked after 1, 2, 4 … s to see whether it is back, at most 30 s apart', () => {
  const { time, network, sees } = watch(false)
  sees('a', NO_NETWORK)
  const gaps: number[] = []
  for (let n = 0; n < 7; n++) {
    gaps.push(network.probeInMs)
    time.nowMs += network.probeInMs
    assert.equal(network.probeInMs, 0)
    network.probed()
  }
  assert.deepEqual(gaps, [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
})

test('ours: after an hour it is not the network after all', () => {
  const { time, sees } = watch(false)
  sees('a', NO_NETWORK)
  time.nowMs += 3_600_000
  assert.equal(sees('a', NO_NETWORK), true)
})

test('proxy: a proxy that is away is never the hosts’ fault, however long it is', () => {
  const { time, network, said, sees } = watch()
  const proxy: FetchResult = { kind: 'failed', why: 'proxy', isSilent: false }
  sees('a', ANSWER)
  assert.equal(sees('b', proxy, { isProven: false }), false)
  assert.equal(network.isAway, false, 'somebody just answered')
  time.nowMs += 5000
  assert.equal(sees('b', proxy, { isProven: false }), false)
  assert.equal(network.missing, 'proxy')
  assert.match(said[0]!, /^the proxy cannot be reached; .*check --proxy, HTTP_PROXY and HTTPS_PROXY$/)
  time.nowMs += 24 * 3_600_000
  assert.equal(sees('b', proxy), false)
  assert.equal(sees('b', ANSWER), true)
  assert.equal(network.missing, undefined)
})
