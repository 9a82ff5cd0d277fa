import { damaged } from '../journal/damaged.ts'
import type { LedgerFile } from '../journal/ledger.ts'
import type { LinkLog } from '../journal/link-log.ts'
import type { OnPayload } from '../journal/segment-files.ts'
import { words } from '../memory/words.ts'
import type { FrontierState } from '../state/state.ts'
import { readSnapshot } from './read-snapshot.ts'
import { Replay } from './replay.ts'

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
