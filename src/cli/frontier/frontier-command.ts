import { closest } from '../../base/words/closest.ts'
import { printable } from '../../base/words/printable.ts'
import type { FrontierStore } from '../../view/stores/frontier-store.ts'
import type { Command } from '../commands.ts'
import { HOST_OPTIONS } from '../look/hosts-command.ts'
import { type Arguments, type OptionRows, readArguments } from '../terminal/option-table.ts'
import { useWords, wrongUse } from '../terminal/use-words.ts'
import { frontierWords } from './frontier-words.ts'

const OPTIONS = {
  ...HOST_OPTIONS,
  output: { short: 'o', value: 'DIR', names: 'folder' },
  yes: {},
  force: {},
  quiet: {},
} as const satisfies OptionRows

/** What an action is called with. */
export interface ActionArguments {
  readonly place: FrontierStore
  /** As it was given, for commands that are suggested. */
  readonly where: string
  /** The URL or the folder after the action; empty for actions without one. */
  readonly argument: string
  readonly values: Arguments<typeof OPTIONS>['values']
}

interface Action {
  /** The placeholder of its argument. */
  readonly argument?: string
  readonly options: readonly (keyof typeof OPTIONS)[]
}

const ACTIONS = {
  stats: { options: ['json'] },
  hosts: { options: ['host', 'sort', 'limit', 'json', 'csv'] },
  explain: { argument: 'URL', options: ['json'] },
  export: { argument: 'DIR', options: ['quiet'] },
  import: { argument: 'DIR', options: ['quiet'] },
  report: { options: ['output'] },
  clear: { options: ['host', 'yes', 'force'] },
} as const satisfies Readonly<Record<string, Action>>

export type ActionName = keyof typeof ACTIONS

const ACTION_NAMES = Object.keys(ACTIONS) as readonly ActionName[]

/** `escalona frontier WHERE ACTION`: looks into a frontier, moves it, or removes it. */
export const FRONTIER: Command = {
  run: frontierCommand,
  help: frontierWords,
  options: OPTIONS,
  names: 'folder',
  actions: ACTION_NAMES,
}

async function frontierCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, OPTIONS)
  const [where, name, argument, extra] = positionals
  const words = frontierWords()
  if (where === undefined || where === '') throw wrongUse(words.noWhere)
  if (name === undefined) throw wrongUse(words.noAction(ACTION_NAMES.join(', ')))
  const known = ACTION_NAMES.find(one => one === name)
  if (known === undefined)
    throw wrongUse(
      words.noSuchAction(printable(name), ACTION_NAMES.join(', ')) + useWords().didYouMean(closest(name, ACTION_NAMES)),
    )
  const action: Action = ACTIONS[known]
  if (action.argument !== undefined && (argument === undefined || argument === ''))
    throw wrongUse(words.noArgument(known, action.argument))
  // The message does not repeat the URL: it may hold a password.
  if (action.argument === 'DIR' && argument?.includes('://')) throw wrongUse(words.notAFolder(known))
  const beyond = action.argument === undefined ? argument : extra
  if (beyond !== undefined) throw wrongUse(useWords().belongsNowhere(printable(beyond)))
  const foreign = Object.keys(values).find(option => !(action.options as readonly string[]).includes(option))
  if (foreign !== undefined) throw wrongUse(words.foreignOption(`--${foreign}`, known))
  const { placeAt, RUN } = await import('./frontier-actions.ts')
  const place = await placeAt(where)
  try {
    return await RUN[known]({ place, where, argument: argument ?? '', values })
  } finally {
    await place.close()
  }
}
