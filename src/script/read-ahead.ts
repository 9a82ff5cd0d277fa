import { Worker } from 'node:worker_threads'
import { EscalonaError, errorSaying } from '../base/errors.ts'
import type { FilePlace } from '../base/files/byte-input.ts'
import type { Pieces } from '../scheduler/pieces.ts'
import { CHUNK_BYTES, ScriptChunk } from './chunk.ts'
import { newRing, RING_CHUNKS, type Ring, RingReader } from './ring.ts'
import type { Progress } from './script-reader.ts'
import type { ThreadData, ThreadOrder } from './script-thread.ts'

const HEAP_MB = 16
/** How long to wait for a chunk before the event loop gets a turn, in which the thread's death is noticed. */
const PATIENCE_MS = 20

/** A thread that reads and scans a command file ahead. It takes a while to start; until then, and after, it costs nothing here. */
export class ReadAhead {
  private readonly ring: Ring
  private readonly reader: RingReader
  private readonly worker: Worker
  private death: EscalonaError | undefined

  constructor(pieces: Pieces, seed: readonly [number, number], windowBytes: number) {
    const start = pieces.table(RING_CHUNKS * CHUNK_BYTES, 'batch')
    this.ring = newRing(pieces.memory.bytes.buffer as SharedArrayBuffer, start)
    this.reader = new RingReader(this.ring)
    const workerData: ThreadData = {
      memory: pieces.memory.shared,
      ring: this.ring,
      seed,
      windowBytes,
    }
    const file = new URL('./script-thread.js', import.meta.url)
    this.worker = new Worker(file, {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: 1 },
    })
    this.worker.on('error', (error: Error) => {
      this.death = asOurs(error)
    })
    this.worker.on('exit', code => {
      this.death ??= threadLost(`exit code ${code}`)
    })
    this.worker.unref()
  }

  get isReady(): boolean {
    return this.reader.isReady
  }

  waitUntilReady(): void {
    this.reader.waitUntilReady()
  }

  /** From here on, the thread reads. */
  goOnFrom(place: FilePlace, progress: Progress): void {
    const order: ThreadOrder = { place, progress }
    this.worker.postMessage(order)
  }

  /**
   * The chunks that the thread fills, each to be used up before the next; nothing where the event loop should have a turn. What it
   * filled before it died comes first, as if it had been read here.
   */
  *chunks(onRead: (bytes: number) => void): Generator<ScriptChunk | undefined, void, void> {
    for (;;) {
      const filled = this.reader.next(this.death === undefined ? PATIENCE_MS : 0)
      if (filled !== undefined) {
        onRead(filled.bytesRead)
        yield new ScriptChunk(this.ring.memory, filled.start, filled.end)
        this.reader.used()
        if (filled.isLast) return
      } else if (this.death !== undefined) throw this.death
      else yield undefined
    }
  }

  end(): void {
    void this.worker.terminate()
  }
}

/** An error from another thread is no longer of our class; one that never was isn't the file's fault. */
function asOurs(error: Error & { readonly said?: unknown }): EscalonaError {
  const { said, message, cause } = error
  return errorSaying(said, { cause }) ?? threadLost(message, error)
}

function threadLost(why: string, cause?: unknown): EscalonaError {
  return new EscalonaError('SCRIPT_THREAD_LOST', { why }, { cause })
}
