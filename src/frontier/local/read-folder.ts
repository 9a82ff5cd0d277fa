import { damaged } from './damaged.ts'
import type { LedgerFile } from './ledger.ts'
import type { LinkLog } from './link-log.ts'
import { readSnapshot } from './read-snapshot.ts'
import { Replay } from './replay.ts'
import type { OnPayload } from './segment-files.ts'
import type { FrontierState } from './state.ts'
import { words } from './words.ts'

/**
 * Reads the newest snapshot into an empty state, then replays what happened since: `readFrom` reads the journal from a
 * segment on.
 */
export function readFolder(
  folder: string,
  state: FrontierState,
  ledger: LedgerFile,
  journal: Pick<LinkLog, 'name'> & { has(segment: number): boolean },
  readFrom: (segment: number, onPayload: OnPayload) => void,
): void {
  const from = readSnapshot(folder, state, ledger)
  const replay = new Replay(state, segment => journal.name(segment))
  readFrom(from, (payload, place) => replay.play(payload, place))
  for (const [segment, links] of state.needed.all()) {
    if (links > 0 && !journal.has(segment)) throw damaged(`${folder}, segment ${segment}`, 0, words().fileMissing)
  }
}
