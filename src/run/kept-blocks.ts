import { hostChangesIn } from '../folder/actions-file.ts'
import { Rests } from './rests.ts'

/** The hosts that people blocked in earlier runs, from `actions.jsonl`; nothing else is kept of why hosts rest. */
export function keptBlocks(folder: string): Rests {
  const rests = new Rests()
  for (const { atMs, result, ...action } of hostChangesIn(folder)) rests.hear({ kind: 'action', action, result }, atMs)
  return rests
}
