// One of the threads that read the archive: batches of visits in, encoded rows out.
import { parentPort, workerData } from 'node:worker_threads'
import { RecordReader } from '../archive/read.ts'
import { EscalonaError } from '../base/errors.ts'
import type { Message } from '../base/messages/message.ts'
import type { FetchedPage } from '../extract/extract.ts'
import { type EncodedRows, encoderFor } from './formats/formats.ts'
import { conversionRow } from './formats/wet.ts'
import { MOST_TEXT_UNITS, type ReadVisit, readVisit } from './read-visit.ts'
import { columnsOf, type FormatName, type TableName, type TableRow } from './tables.ts'
import { HostCounts, linkRows, pageRow } from './visit-rows.ts'
import type { ExportedVisit } from './visits.ts'

/** What a thread receives when it starts. */
export interface ExportThreadData {
  readonly folder: string
  readonly table: TableName
  readonly format: FormatName
  readonly withText: boolean
  /** Not 0: the export is over, and what is begun is not wanted any more. */
  readonly isOver: Int32Array<SharedArrayBuffer>
}

/** What a thread receives later. `written`: this many bytes of its parts are no longer in memory. `end`: no batch will come. */
export type ToThread =
  | { readonly kind: 'batch'; readonly number: number; readonly visits: readonly ExportedVisit[] }
  | { readonly kind: 'written'; readonly bytes: number }
  | { readonly kind: 'end' }

/** What a thread sends: the parts of a batch in order, then that it is done. */
export type FromThread =
  | { readonly kind: 'part'; readonly number: number; readonly part: EncodedRows }
  | { readonly kind: 'done'; readonly number: number; readonly read: BatchRead }

/** What became of a batch. */
export interface BatchRead {
  readonly visits: number
  readonly unread: number
  readonly firstUnread?: Message
  /** For the table of hosts. */
  readonly hosts?: ReadonlyMap<string, readonly number[]>
}

/** A thread that is ahead of the others waits when this many of its bytes are in memory. */
const MOST_UNWRITTEN_BYTES = 1 << 24

const { folder, table, format, withText, isOver } = workerData as ExportThreadData
const port = parentPort!
const encoder = await encoderFor(format, columnsOf(table, withText))
const records = new RecordReader(folder)
const hosts = table === 'hosts' ? new HostCounts() : undefined
const wanted = wantedOf()
let unwrittenBytes = 0
let onRoom: (() => void) | undefined
let working: Promise<void> = Promise.resolve()

port.on('message', (message: ToThread) => {
  if (message.kind === 'batch') {
    working = working.then(() => work(message.number, message.visits))
    return
  }
  if (message.kind === 'written') unwrittenBytes -= message.bytes
  else {
    // Without it nothing keeps the thread, and it ends when it has nothing more to do.
    port.close()
    records.close()
  }
  if (message.kind === 'end' || unwrittenBytes < MOST_UNWRITTEN_BYTES) onRoom?.()
})

async function work(number: number, visits: readonly ExportedVisit[]): Promise<void> {
  let unread = 0
  let firstUnread: Message | undefined
  for (const visit of visits) {
    if (Atomics.load(isOver, 0) !== 0) return
    try {
      const page = readVisit(records, visit, wanted)
      if (hosts !== undefined) hosts.add(page)
      for (const row of rowsOf(page)) {
        encoder.add(row)
        if (encoder.isFull) await send(number)
      }
    } catch (error) {
      // A file that was moved away, or damage: the other pages are worth having.
      if (!(error instanceof EscalonaError)) throw error
      unread++
      firstUnread ??= error.said
    }
  }
  await send(number)
  const read: BatchRead = {
    visits: visits.length - unread,
    unread,
    ...(firstUnread !== undefined && { firstUnread }),
    ...(hosts !== undefined && { hosts: hosts.take() }),
  }
  port.postMessage({ kind: 'done', number, read } satisfies FromThread)
}

function wantedOf(): FetchedPage['wanted'] {
  if (table !== 'pages') return { anchors: true }
  const textUnits = withText || format === 'wet' ? { textUnits: MOST_TEXT_UNITS } : {}
  return { ...textUnits, textDigest: format !== 'wet', fingerprint: format !== 'wet', links: false }
}

function* rowsOf(page: ReadVisit): Generator<TableRow, void, undefined> {
  if (table === 'links') yield* linkRows(page)
  if (table !== 'pages') return
  if (format !== 'wet') yield pageRow(page)
  else if (page.visit.change !== 'gone') yield conversionRow(page)
}

async function send(number: number): Promise<void> {
  const part = encoder.take()
  if (part === undefined) return
  unwrittenBytes += part.bytes.length
  port.postMessage({ kind: 'part', number, part } satisfies FromThread, [part.bytes.buffer])
  if (unwrittenBytes < MOST_UNWRITTEN_BYTES) return
  await new Promise<void>(resolve => (onRoom = resolve))
  onRoom = undefined
}
