import { EscalonaError } from '../base/errors.ts'
import { type HelpTexts, helpPage, type OptionRows } from './terminal/option-table.ts'
import { useWords } from './terminal/use-words.ts'

export interface Command {
  /** Returns the exit code. */
  run(args: readonly string[]): Promise<number>
  help(): HelpTexts
  readonly options: OptionRows
  /** The words that may follow its name, if there are few. */
  readonly words?: readonly string[]
  /** The words that may follow its first argument, if there are few. */
  readonly actions?: readonly string[]
  /** Whether its arguments name files or folders. */
  readonly names?: 'file' | 'folder'
}

/** All commands by name; each is loaded only when it is called. */
export const COMMANDS = {
  crawl: async () => (await import('./crawl/crawl-command.ts')).CRAWL,
  resume: async () => (await import('./crawl/crawl-command.ts')).RESUME,
  pause: async () => (await import('./crawl/steer-command.ts')).PAUSE,
  stop: async () => (await import('./crawl/steer-command.ts')).STOP,
  change: async () => (await import('./crawl/steer-command.ts')).CHANGE,
  status: async () => (await import('./look/status-command.ts')).STATUS,
  hosts: async () => (await import('./look/hosts-command.ts')).HOSTS,
  list: async () => (await import('./look/list-command.ts')).LIST,
  explain: async () => (await import('./look/explain-command.ts')).EXPLAIN,
  ui: async () => (await import('./ui/ui-command.ts')).UI,
  search: async () => (await import('./look/search-command.ts')).SEARCH,
  duplicates: async () => (await import('./look/duplicates-command.ts')).DUPLICATES,
  replay: async () => (await import('./ui/ui-command.ts')).REPLAY,
  cat: async () => (await import('./look/cat-command.ts')).CAT,
  export: async () => (await import('./export/export-command.ts')).EXPORT,
  wacz: async () => (await import('./export/wacz-command.ts')).WACZ,
  audit: async () => (await import('./audit/audit-command.ts')).AUDIT,
  frontier: async () => (await import('./frontier/frontier-command.ts')).FRONTIER,
  run: async () => (await import('./run/run-command.ts')).RUN,
  example: async () => (await import('./run/example-command.ts')).EXAMPLE_COMMAND,
  generate: async () => (await import('./analysis/generate-command.ts')).GENERATE,
  analyze: async () => (await import('./analysis/analyze-command.ts')).ANALYZE,
  experiment: async () => (await import('./analysis/experiment-command.ts')).EXPERIMENT,
  simulate: async () => (await import('./analysis/simulate-command.ts')).SIMULATE,
  completion: async () => (await import('./completion-command.ts')).COMPLETION,
} satisfies Readonly<Record<string, () => Promise<Command>>>

export type CommandName = keyof typeof COMMANDS

export const COMMAND_NAMES = Object.keys(COMMANDS) as readonly CommandName[]

/** The page of `escalona help` about patterns of URLs and the sets of them that have names. */
export const PATTERNS = 'patterns'

/** What `escalona help` shows, by word. */
export const HELP_TOPICS: readonly string[] = [...COMMAND_NAMES, PATTERNS]

export function isCommand(word: string): word is CommandName {
  return Object.hasOwn(COMMANDS, word)
}

/** Returns the exit code. An error about the arguments ends with the command that shows the right ones. */
export async function runCommand(name: CommandName, args: readonly string[]): Promise<number> {
  const command = await COMMANDS[name]()
  try {
    return await command.run(args)
  } catch (error) {
    if (!(error instanceof EscalonaError) || error.code !== 'CLI_WRONG_USE') throw error
    throw new EscalonaError(error.code, useWords().see(error.message, `escalona ${name} --help`), { cause: error })
  }
}

export async function helpOf(name: CommandName): Promise<string> {
  const { options, help }: Command = await COMMANDS[name]()
  return helpPage(options, help())
}
