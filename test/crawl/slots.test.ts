import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { RateLimit, unprovenSlots } from '../../src/decide/limits.ts'
import { type RequestSlot, Slots } from '../../src/run/slots.ts'
import { VirtualClock } from '../../src/simulate/virtual-clock.ts'

/** Asks for slots; those that were given are in the list, in order. */
function asker(slots: Slots) {
  const given: { readonly name: string; readonly slot: RequestSlot | undefined }[] = []
  const ask = (name: string, isProven: boolean) => void slots.enter(isProven).then(slot => given.push({ name, slot }))
  const leave = (name: string) => given.find(one => one.name === name)!.slot!.leave()
  const names = async () => {
    await turn()
    return given.map(({ name }) => name).join(' ')
  }
  return { given, ask, leave, names }
}

test('ours: so many requests at once, first come, first served', async () => {
  const { ask, leave, names } = asker(new Slots(2))
  for (const name of ['a', 'b', 'c', 'd']) ask(name, true)
  assert.equal(await names(), 'a b')
  leave('b')
  assert.equal(await names(), 'a b c')
  leave('a')
  leave('c')
  assert.equal(await names(), 'a b c d')
})

test('rule 5.6: hosts that have never answered share a quarter of the slots; the others are not held up by them', async () => {
  const slots = new Slots(8)
  const { ask, leave, names } = asker(slots)
  for (const name of ['u1', 'u2', 'u3', 'u4']) ask(name, false)
  assert.equal(await names(), 'u1 u2')
  for (const name of ['p1', 'p2', 'p3', 'p4', 'p5', 'p6', 'p7']) ask(name, true)
  assert.equal(await names(), 'u1 u2 p1 p2 p3 p4 p5 p6')
  assert.equal(slots.open, 8)
  leave('p1')
  assert.equal(await names(), 'u1 u2 p1 p2 p3 p4 p5 p6 p7')
  leave('u1')
  assert.equal(await names(), 'u1 u2 p1 p2 p3 p4 p5 p6 p7 u3')
})

test('ours: proven hosts never crowd the others out: whoever waits longer comes first', async () => {
  const { ask, leave, names } = asker(new Slots(4))
  for (const name of ['p1', 'p2', 'p3', 'p4']) ask(name, true)
  ask('u', false)
  ask('p5', true)
  await names()
  leave('p1')
  assert.equal(await names(), 'p1 p2 p3 p4 u')
})

test('ours: at least one slot is for hosts that have never answered', () => {
  assert.deepEqual([1, 3, 4, 7, 8, 48].map(unprovenSlots), [1, 1, 1, 1, 2, 12])
})

test('ours: when the machine has no more connections, there are fewer slots, and at least one', async () => {
  const slots = new Slots(10)
  const { ask, leave, names } = asker(slots)
  for (let n = 0; n < 6; n++) ask(`${n}`, true)
  await names()
  slots.shrink()
  assert.equal(slots.size, 3)
  ask('late', true)
  for (const name of ['0', '1', '2']) leave(name)
  assert.equal((await names()).includes('late'), false)
  leave('3')
  assert.equal((await names()).includes('late'), true)
  for (let n = 0; n < 5; n++) slots.shrink()
  assert.equal(slots.size, 1)
})

test('ours: a slot that is left twice counts once', async () => {
  const slots = new Slots(1)
  const { ask, leave, names } = asker(slots)
  ask('a', true)
  ask('b', true)
  ask('c', true)
  await names()
  leave('a')
  leave('a')
  assert.equal(await names(), 'a b')
})

test('ours: after a stop whoever waits goes away without a slot', async () => {
  const slots = new Slots(1)
  const { ask, given, names } = asker(slots)
  ask('a', true)
  ask('b', true)
  ask('c', false)
  await names()
  slots.stop()
  ask('d', true)
  await names()
  assert.deepEqual(
    given.map(({ slot }) => slot !== undefined),
    [true, false, false, false],
  )
})

test('slots: --max-rate lets one after the other in, in the order in which they came, as long as there is room', async () => {
  const time = new VirtualClock()
  const slots = new Slots(3, { rate: new RateLimit(2, time.clock), timer: time.timer })
  const { ask, leave, names } = asker(slots)
  for (const name of ['a', 'b', 'c', 'd']) ask(name, true)
  assert.equal(await names(), 'a')
  assert.deepEqual([slots.open, slots.waiting, slots.paceMs], [1, 3, 500])
  await time.until(time.sleep(499))
  assert.equal(await names(), 'a')
  await time.until(time.sleep(1))
  assert.equal(await names(), 'a b')
  await time.until(time.sleep(10_000))
  assert.equal(await names(), 'a b c')
  assert.deepEqual([slots.waiting, slots.paceMs], [1, undefined], 'all slots are open: the pace keeps nobody')
  leave('a')
  assert.equal(await names(), 'a b c d')
  ask('e', true)
  leave('b')
  assert.equal(slots.paceMs, 500)
  slots.stop()
  assert.equal(slots.paceMs, undefined)
})

test('slots: while they are held whoever waits or comes goes away without a slot; then they are given out again', async () => {
  const slots = new Slots(1)
  const { given, ask, leave, names } = asker(slots)
  for (const name of ['a', 'b']) ask(name, true)
  slots.hold()
  ask('c', true)
  assert.equal(await names(), 'a b c')
  assert.deepEqual(
    given.map(({ slot }) => slot !== undefined),
    [true, false, false],
  )
  leave('a')
  slots.goOn()
  for (const name of ['d', 'e']) ask(name, true)
  assert.equal(await names(), 'a b c d')
})

test('slots: more slots, or another pace, hold at once, also for those who wait', async () => {
  const time = new VirtualClock()
  const slots = new Slots(1, { rate: new RateLimit(0.001, time.clock), timer: time.timer })
  const { ask, names } = asker(slots)
  for (const name of ['a', 'b', 'c', 'd']) ask(name, true)
  slots.change(3, { rate: new RateLimit(0.001, time.clock), timer: time.timer })
  assert.equal(await names(), 'a b', 'one at once by the new pace')
  assert.notEqual(slots.paceMs, undefined)
  slots.change(3, { rate: new RateLimit(Infinity, time.clock), timer: time.timer })
  assert.equal(await names(), 'a b c')
  assert.deepEqual([slots.size, slots.paceMs], [3, undefined])
  slots.change(1)
  assert.deepEqual([slots.open, slots.size], [3, 1], 'those that are taken stay taken')
})
