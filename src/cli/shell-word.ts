import { printable } from '../base/words/printable.ts'

/** A text as a shell takes it for one word: in quotes where it needs them. For commands that a person may copy. */
export function shellWord(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${printable(text).replaceAll("'", `'\\''`)}'`
}
