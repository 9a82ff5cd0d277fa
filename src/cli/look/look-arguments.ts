import type { EscalonaError } from '../../base/errors.ts'
import { closest } from '../../base/words/closest.ts'
import { printable } from '../../base/words/printable.ts'
import { readCount } from '../../base/words/quantity.ts'
import type { RowForm } from '../terminal/row-writer.ts'
import { useWords } from '../terminal/use-words.ts'
import { wrongUse } from '../terminal/wrong-use.ts'
import { lookWords } from './look-words.ts'

/** Reads `DIR` and rejects anything after it. */
export function onlyFolder(positionals: readonly string[], help: string): string {
  const [folder, extra] = positionals
  if (folder === undefined || folder === '') throw wrongUse(lookWords().noFolder, help)
  if (extra !== undefined) throw wrongUse(useWords().oneAtATime('DIR', printable(extra)), help)
  return folder
}

/** Reads `DIR URL`. */
export function folderAndUrl(positionals: readonly string[], help: string): readonly [string, string] {
  const [folder, url, extra] = positionals
  if (folder === undefined || folder === '') throw wrongUse(lookWords().noFolder, help)
  if (url === undefined || url === '') throw wrongUse(lookWords().noUrl, help)
  if (extra !== undefined) throw wrongUse(useWords().oneAtATime('URL', printable(extra)), help)
  return [folder, url]
}

export function formOf({ json, csv }: { readonly json?: boolean; readonly csv?: boolean }, help: string): RowForm {
  if (json && csv) throw wrongUse(useWords().contradict('--json', '--csv'), help)
  return json ? 'json' : csv ? 'csv' : 'text'
}

/** Reads `--limit`; Infinity without it. */
export function rowLimit(text: string | undefined, help: string): number {
  if (text === undefined) return Infinity
  const limit = readCount(text)
  if (limit !== undefined && limit >= 1) return limit
  throw wrongUse(lookWords().badLimit(printable(text)), help)
}

export function checkedChoice<Name extends string>(
  option: string,
  text: string,
  choices: readonly Name[],
  help: string,
): Name {
  const found = choices.find(choice => choice === text)
  if (found === undefined) throw badChoice(option, text, choices, help)
  return found
}

function badChoice(option: string, text: string, choices: readonly string[], help: string): EscalonaError {
  return wrongUse(lookWords().badChoice(option, choices.join(', '), printable(text), closest(text, choices)), help)
}
