// Arguments and variables of the environment that several commands share.

import { closest } from '../../base/words/closest.ts'
import { printable } from '../../base/words/printable.ts'
import { readCount } from '../../base/words/quantity.ts'
import { isCrawlFolder } from '../../folder/crawl-file.ts'
import type { RowForm } from './row-writer.ts'
import { useWords, wrongUse } from './use-words.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** The password of a frontier that machines share, for a URL without one. */
export function redisPassword(env: Environment): string | undefined {
  return env.ESCALONA_REDIS_PASSWORD || undefined
}

/** The folder of a crawl for which no other was named, if there is a crawl in it; otherwise empty. */
export function ownFolder(): string {
  return isCrawlFolder('crawl') ? 'crawl' : ''
}

/** Reads `DIR` and rejects anything after it. */
export function onlyFolder(positionals: readonly string[]): string {
  const [folder = ownFolder(), extra] = positionals
  if (folder === '') throw wrongUse(useWords().noFolder)
  if (extra !== undefined) throw wrongUse(useWords().oneAtATime('DIR', printable(extra)))
  return folder
}

/** Reads `DIR URL`. */
export function folderAndUrl(positionals: readonly string[]): readonly [string, string] {
  const [folder, url, extra] = positionals
  if (folder === undefined || folder === '') throw wrongUse(useWords().noFolder)
  if (url === undefined || url === '') throw wrongUse(useWords().noUrl)
  if (extra !== undefined) throw wrongUse(useWords().oneAtATime('URL', printable(extra)))
  return [folder, url]
}

/** For commands without arguments. */
export function noArguments([extra]: readonly string[]): void {
  if (extra !== undefined) throw wrongUse(useWords().belongsNowhere(printable(extra)))
}

export function formOf({ json, csv }: { readonly json?: boolean; readonly csv?: boolean }): RowForm {
  if (json && csv) throw wrongUse(useWords().contradict('--json', '--csv'))
  return json ? 'json' : csv ? 'csv' : 'text'
}

/** Reads `--limit`; Infinity without it. */
export function rowLimit(text: string | undefined): number {
  if (text === undefined) return Infinity
  const limit = readCount(text)
  if (limit !== undefined && limit >= 1) return limit
  throw wrongUse(useWords().badLimit(printable(text)))
}

export function checkedChoice<Name extends string>(option: string, text: string, choices: readonly Name[]): Name {
  const found = choices.find(choice => choice === text)
  if (found !== undefined) return found
  const { badChoice, didYouMean } = useWords()
  throw wrongUse(badChoice(option, choices.join(', '), printable(text)) + didYouMean(closest(text, choices)))
}
