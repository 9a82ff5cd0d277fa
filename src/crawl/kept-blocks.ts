import { readActions } from './actions-file.ts'
import { Rests } from './rests.ts'

/** More actions than this are not looked at. */
const MOST_ACTIONS = 10_000

/** The hosts that people blocked in earlier runs, from `actions.jsonl`; nothing else is kept of why hosts rest. */
export function keptBlocks(folder: string): Rests {
  const rests = new Rests()
  for (const { atMs, result, ...action } of readActions(folder, MOST_ACTIONS))
    rests.hear({ kind: 'action', action, result }, atMs)
  return rests
}
