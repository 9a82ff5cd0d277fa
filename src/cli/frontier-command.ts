import { closest } from '../base/words/closest.ts'
import { printable } from '../base/words/printable.ts'
import type { FrontierPlace } from '../crawl/places/place.ts'
import { isWhere, parseWhere } from '../frontier/redis/engine/where.ts'
import type { Command } from './commands.ts'
import { frontierHelp } from './frontier-help.ts'
import { frontierWords } from './frontier-words.ts'
import { HOST_OPTIONS } from './hosts-command.ts'
import { type Arguments, type OptionRows, optionLines, readArguments } from './option-table.ts'
import { redisPassword } from './redis-password.ts'
import { say } from './say.ts'
import { useWords } from './use-words.ts'
import { wrongUse } from './wrong-use.ts'

const OPTIONS = {
  ...HOST_OPTIONS,
  output: { short: 'o', value: 'DIR', names: 'folder' },
  yes: {},
  force: {},
  quiet: {},
} as const satisfies OptionRows

export type FrontierValues = Arguments<typeof OPTIONS>['values']

export const SEE_FRONTIER = 'escalona frontier --help'

/** What an action is called with. */
export interface Asked {
  readonly place: FrontierPlace
  /** As it was given, for commands that are suggested. */
  readonly where: string
  /** The URL or the folder after the action; empty for actions without one. */
  readonly argument: string
  readonly values: FrontierValues
}

interface Action {
  /** The placeholder of its argument. */
  readonly argument?: string
  readonly options: readonly (keyof typeof OPTIONS)[]
  /** Returns the exit code. */
  run(asked: Asked): Promise<number>
}

/** Each is loaded when it is called. */
const ACTIONS = {
  stats: { options: ['json'], run: async asked => (await import('./frontier-look.ts')).showStats(asked) },
  hosts: {
    options: ['host', 'sort', 'limit', 'json', 'csv'],
    run: async asked => (await import('./frontier-look.ts')).showPlaceHosts(asked),
  },
  explain: {
    argument: 'URL',
    options: ['json'],
    run: async asked => (await import('./frontier-look.ts')).explainUrl(asked),
  },
  export: {
    argument: 'DIR',
    options: ['quiet'],
    run: async asked => (await import('./frontier-dump.ts')).exportFrontier(asked),
  },
  import: {
    argument: 'DIR',
    options: ['quiet'],
    run: async asked => (await import('./frontier-dump.ts')).importFrontier(asked),
  },
  report: { options: ['output'], run: async asked => (await import('./frontier-report.ts')).writeReport(asked) },
  clear: {
    options: ['host', 'yes', 'force'],
    run: async asked => (await import('./frontier-clear.ts')).clearFrontier(asked),
  },
} as const satisfies Readonly<Record<string, Action>>

const ACTION_NAMES = Object.keys(ACTIONS) as readonly (keyof typeof ACTIONS)[]

/** `escalona frontier WHERE ACTION`: looks into a frontier, moves it, or removes it. */
export const FRONTIER: Command = {
  run: frontierCommand,
  help: () => frontierHelp().head + optionLines(OPTIONS, frontierHelp().options) + frontierHelp().rest,
  options: OPTIONS,
  names: 'folder',
  actions: ACTION_NAMES,
}

async function frontierCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, OPTIONS, SEE_FRONTIER)
  const [where, name, argument, extra] = positionals
  const words = frontierWords()
  if (where === undefined || where === '') throw wrongUse(words.noWhere, SEE_FRONTIER)
  if (name === undefined) throw wrongUse(words.noAction(ACTION_NAMES.join(', ')), SEE_FRONTIER)
  const known = ACTION_NAMES.find(one => one === name)
  if (known === undefined)
    throw wrongUse(
      words.noSuchAction(printable(name), ACTION_NAMES.join(', '), closest(name, ACTION_NAMES)),
      SEE_FRONTIER,
    )
  const action: Action = ACTIONS[known]
  if (action.argument !== undefined && (argument === undefined || argument === ''))
    throw wrongUse(words.noArgument(known, action.argument), SEE_FRONTIER)
  const beyond = action.argument === undefined ? argument : extra
  if (beyond !== undefined) throw wrongUse(useWords().belongsNowhere(printable(beyond)), SEE_FRONTIER)
  const foreign = Object.keys(values).find(option => !(action.options as readonly string[]).includes(option))
  if (foreign !== undefined) throw wrongUse(words.foreignOption(`--${foreign}`, known), SEE_FRONTIER)
  const place = await placeAt(where)
  try {
    return await action.run({ place, where, argument: argument ?? '', values })
  } finally {
    await place.close()
  }
}

async function placeAt(where: string): Promise<FrontierPlace> {
  const password = redisPassword(process.env)
  if (!isWhere(where)) return new (await import('../crawl/places/folder-place.ts')).FolderPlace(where, password)
  const { RedisPlace } = await import('../crawl/places/redis-place.ts')
  return new RedisPlace(parseWhere(where, password), message => say('warn', message))
}
