// The law of the access log: no byte of the scheduler's structures changes unless a line says that it was written.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AccessLog } from '../../src/analysis/access-log.ts'
import { SchedulerRecorder } from '../../src/analysis/recording.ts'
import { fieldsOf, insidesOf, STORE_ROLES } from '../../src/analysis/scheduler-insides.ts'
import { SchedulerCore } from '../../src/scheduler/core.ts'
import { PIECE_BYTES, SPARE_BYTES } from '../../src/scheduler/pieces.ts'
import { StoreMemory } from '../../src/scheduler/store-memory.ts'
import { ClassicKernel } from '../../src/url/classic-kernel.ts'
import { STRATEGIES, type Strategy } from '../model/oracle.ts'
import { ONLY_IN_SOAK, RandomSource, seeds } from '../model/random-source.ts'

/** Keeps where something was written, in place of a text. */
class Writes extends AccessLog {
  lines = 0
  ranges: [address: number, bytes: number][] = []

  constructor() {
    super({ write: () => {} }, () => 0)
  }

  override access(kind: 'read' | 'write', _id: number, address: number, bytes: number): void {
    this.lines++
    if (kind === 'write') this.ranges.push([address, bytes])
  }
}

/** Stands for the store's memory, which is another object whenever it has grown. */
const STORE = new ArrayBuffer(0)

function isSamePiece(now: Uint8Array, before: Uint8Array | undefined, at: number): boolean {
  const [a, b] = [now, before].map(bytes => bytes?.subarray(at, at + PIECE_BYTES))
  return a!.length === PIECE_BYTES && b?.length === PIECE_BYTES && Buffer.compare(a!, b) === 0
}

class Life {
  readonly kernel = new ClassicKernel([3, 4])
  readonly core: SchedulerCore
  readonly recorder: SchedulerRecorder
  readonly log = new Writes()
  private before = new Map<ArrayBufferLike, Uint8Array>()

  constructor(strategy: Strategy) {
    StoreMemory.isWatched = true
    this.core = new SchedulerCore(strategy, this.kernel)
    StoreMemory.isWatched = false
    this.recorder = new SchedulerRecorder(this.log, this.core)
    this.snapshot()
  }

  private *memories(): Iterable<[name: string, memory: ArrayBufferLike]> {
    for (const { role, holder, key } of fieldsOf(insidesOf(this.core))) {
      if (role !== 'free pieces') yield [role, holder[key]!.buffer]
    }
    yield ['store', this.core.memory.bytes.buffer]
  }

  private snapshot(): void {
    this.before = new Map()
    for (const [name, memory] of this.memories()) {
      this.before.set(name === 'store' ? STORE : memory, new Uint8Array(memory.slice(0)))
    }
  }

  /** Every byte that differs from the last time, and every byte of new memory that is not 0, must have been written. */
  check(what: string): void {
    const end = this.log.ranges.reduce((most, [at, bytes]) => Math.max(most, at + bytes), 0)
    const isWritten = new Uint8Array(end)
    for (const [at, bytes] of this.log.ranges) isWritten.fill(1, at, at + bytes)
    this.log.ranges = []
    for (const [name, memory] of this.memories()) {
      const now = new Uint8Array(memory)
      const before = this.before.get(name === 'store' ? STORE : memory)
      for (let at = 0; at < now.length; at++) {
        while (at % PIECE_BYTES === 0 && isSamePiece(now, before, at)) at += PIECE_BYTES
        if (at === now.length) break
        if (now[at] === (before?.[at] ?? 0) || (name === 'store' && !this.isStructure(at))) continue
        const address = this.recorder.addressOf(memory, at)
        if (address !== undefined && isWritten[address] === 1) continue
        if (this.core.pieces.useAt(at) === 'texts' && this.isOverrun(memory, at, isWritten)) continue
        assert.fail(`${what}: byte ${at} of ${name} changed from ${before?.[at]} to ${now[at]} without a line`)
      }
    }
    this.snapshot()
  }

  /** The kernel copies texts in steps of 16 bytes: what it writes after the end of a text belongs to nobody. */
  private isOverrun(memory: ArrayBufferLike, at: number, isWritten: Uint8Array): boolean {
    for (let back = 1; back < SPARE_BYTES; back++) {
      const address = this.recorder.addressOf(memory, at - back)
      if (address !== undefined && isWritten[address] === 1) return true
    }
    return false
  }

  private isStructure(at: number): boolean {
    const use = this.core.pieces.useAt(at)
    return STORE_ROLES.some(role => role === use)
  }
}

test('access log: no byte of a structure changes without a line that says so, through growth and clearing', t => {
  for (const seed of seeds(t, 1, 1)) {
    const random = new RandomSource(seed)
    for (const strategy of STRATEGIES) {
      const life = new Life(strategy)
      const { core, kernel } = life
      for (let step = 0; step < 30; step++) {
        const kind = random.below(12)
        if (kind < 7) {
          const end = kernel.put(randomUrl(random))
          core.addLines(kernel.start, end + 1, 1)
        } else if (kind === 7) {
          addMany(life, random, 300)
        } else if (kind === 8) core.take(1 + random.below(100))
        else if (kind === 9) core.takeOf(1 + random.below(Math.max(core.hosts.known, 1)), 3)
        else if (kind === 10 && core.hosts.known > 0) core.clearHost(1 + random.below(core.hosts.known))
        else if (random.chance(0.2)) core.clear()
        life.check(`ESCALONA_SEED=${seed}, ${strategy}, step ${step}, kind ${kind}`)
      }
      assert.ok(life.log.lines > 1000)
    }
  }
})

test('access log: nor when the scheduler sweeps what is gone, and moves texts together', ONLY_IN_SOAK, () => {
  const random = new RandomSource(1)
  const life = new Life('best')
  const { core, kernel } = life
  for (let n = 0; n < 67; n++) addMany(life, random, 1000)
  life.check('filling')
  while (core.urls.waiting > 200) core.take(200)
  life.check('taking')
  const { lines } = life.log
  core.addLines(kernel.start, kernel.put('http://last.com/x') + 1, 1)
  life.check('sweeping')
  assert.ok(life.log.lines - lines > 60_000, 'there was no sweep')
})

function addMany({ core, kernel }: Life, random: RandomSource, urls: number): void {
  const text = Array.from({ length: urls }, () => `${randomUrl(random)}\n`).join('')
  kernel.reserve(text.length + 1)
  kernel.bytes.write(text, kernel.start, 'latin1')
  const end = kernel.start + text.length
  for (let at = kernel.start; at < end; ) at = core.addLines(at, end, urls)
}

function randomUrl(random: RandomSource): string {
  const host = random.chance(0.1) ? 'n'.repeat(41 + random.below(20)) : `host${random.below(80)}`
  const depth = random.chance(0.05) ? 60 + random.below(20) : random.below(12)
  return `http://${host}.com${'/x'.repeat(depth)}/${random.below(1_000_000)}`
}
