import { printable } from './printable.ts'

/** Quotes a text, if necessary, so that a shell reads it as one word. For commands that people may copy. */
export function shellWord(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${printable(text).replaceAll("'", `'\\''`)}'`
}
