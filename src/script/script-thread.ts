// Reads and scans a command file ahead of the scheduler, into chunks of its memory that go around in a ring.
import { parentPort, workerData } from 'node:worker_threads'
import { type FilePlace, fileInput } from '../base/files/byte-input.ts'
import type { SharedMemory } from '../scheduler/store-memory.ts'
import { ClassicKernel } from '../url/classic-kernel.ts'
import { ScriptChunk } from './chunk.ts'
import { type Ring, RingWriter } from './ring.ts'
import { Input, type Progress, ScriptReader } from './script-reader.ts'
import { TouchAhead } from './touch-ahead.ts'

/** What the thread receives when it starts. */
export interface ThreadData {
  readonly memory: SharedMemory
  readonly ring: Ring
  readonly seed: readonly [number, number]
  readonly windowBytes: number
}

/** What it receives later, once: from where on to read. */
export interface ThreadOrder {
  readonly place: FilePlace
  readonly progress: Progress
}

const { memory, ring, seed, windowBytes } = workerData as ThreadData
const kernel = new ClassicKernel(seed)
const writer = new RingWriter(ring)
const touchAhead = new TouchAhead(memory)
parentPort!.once('message', ({ place, progress }: ThreadOrder) => {
  const file = fileInput(place)
  const input = new Input(file, kernel, windowBytes)
  let chunk: ScriptChunk
  const begin = () => {
    chunk = new ScriptChunk(ring.memory, writer.next())
  }
  begin()
  for (const pause of new ScriptReader(input, kernel, () => chunk, progress).steps()) {
    if (pause !== 'full') continue
    writer.filled(chunk!.usedTo, false, file.bytesRead)
    if (writer.isFull) touchAhead.touch()
    begin()
  }
  writer.filled(chunk!.usedTo, true, file.bytesRead)
})
writer.ready()
