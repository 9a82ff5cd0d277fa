import { message } from '../base/messages/message.ts'
import { type Dump, type DumpRecord, linksIn } from './dump.ts'
import { damagedDump } from './dump-errors.ts'
import type { FrontierCounts } from './frontier.ts'

type RecordOf<Kind> = Extract<DumpRecord, { kind: Kind }>

/**
 * A new frontier that an implementation fills with some records of one kind at a time. A link that is known already changes nothing; a
 * host that is known already is an error.
 */
export type RestoreTarget = {
  [Kind in DumpRecord['kind']]: (some: readonly RecordOf<Kind>[]) => Promise<void>
} & { counts(): Promise<Pick<FrontierCounts, 'known' | 'hosts' | 'auxiliaries'>> }

/** What an import wants to know and to say. */
export interface RestoreOptions {
  /** The name of the dump in messages. */
  readonly dump: string
  /** Called with how many links were read. */
  readonly onLinks?: (links: number) => void
  /** Stops it, between two records. */
  readonly signal?: AbortSignal
}

const MOST_AT_ONCE = 4096
const MOST_CHARS = 1 << 20
/** What must not come after a later one of these. */
const ORDER: readonly string[] = ['link', 'done', 'planned']

/** Fills a frontier from a dump. While some records are written, the next ones are read. */
export async function restoreDump(
  { head, records }: Dump,
  target: RestoreTarget,
  options: RestoreOptions,
): Promise<void> {
  let some: DumpRecord[] = []
  let chars = 0
  let links = 0
  let hostRecords = 0
  let last = -1
  let writing: Promise<void> = Promise.resolve()
  const flush = async () => {
    await writing
    const kind = some[0]?.kind
    if (kind === undefined) return
    writing = (target[kind] as (list: readonly DumpRecord[]) => Promise<void>)(some)
    // It is awaited before anything else is written.
    writing.catch(() => {})
    some = []
    chars = 0
  }
  for await (const batch of records) {
    options.signal?.throwIfAborted()
    for (const record of batch) {
      if (some.length === MOST_AT_ONCE || chars >= MOST_CHARS || (some[0] ?? record).kind !== record.kind) await flush()
      const rank = ORDER.indexOf(record.kind)
      if (rank >= 0 && rank < last) throw damagedDump(options.dump, message('dump/wrong-order'))
      last = Math.max(last, rank)
      some.push(record)
      chars += charsOf(record)
      links += linksIn(record)
      if (record.kind === 'host') hostRecords++
    }
    options.onLinks?.(links)
  }
  await flush()
  await writing
  const { known, hosts, auxiliaries } = await target.counts()
  if (known !== head.known || hosts !== head.hosts || hostRecords !== hosts || auxiliaries !== head.auxiliaries)
    throw damagedDump(options.dump, message('dump/wrong-count'))
}

function charsOf(record: DumpRecord): number {
  if (record.kind === 'done') return record.fingerprints.length
  if (record.kind === 'note') return record.bytes.length
  const { url = '', note = '' } = record.kind === 'link' ? record.link : record.kind === 'planned' ? record.visit : {}
  return url.length + note.length
}
