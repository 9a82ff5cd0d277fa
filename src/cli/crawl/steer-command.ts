import { setTimeout as wait } from 'node:timers/promises'
import { unixClock } from '../../base/clock.ts'
import { EscalonaError } from '../../base/errors.ts'
import { catalogue } from '../../base/words/language.ts'
import { shellWord } from '../../base/words/printable.ts'
import { isCrawlFolder } from '../../folder/crawl-file.ts'
import type { Action } from '../../settings/actions.ts'
import { readSetting } from '../../settings/setting-texts.ts'
import { isChangeable, WRITTEN_SETTINGS } from '../../settings/settings-table.ts'
import { ProcessSource } from '../../view/process/process-source.ts'
import type { Command } from '../commands.ts'
import { onlyFolder } from '../terminal/arguments.ts'
import { type OptionRows, readArguments } from '../terminal/option-table.ts'
import { say } from '../terminal/say.ts'
import { wrongUse } from '../terminal/use-words.ts'
import { crawlOptionTexts } from './crawl-help.ts'
import { actionLine } from './crawl-lines.ts'
import { CRAWL_OPTIONS } from './crawl-option-rows.ts'
import { crawlWords } from './crawl-words.ts'

const words = catalogue({
  en: {
    pause: `Examples
  escalona pause crawl      finish the open requests, and begin no more until escalona resume crawl

Usage: escalona pause [DIR]

The crawl keeps running, and stays paused after a restart, until escalona resume DIR.
`,
    stop: `Examples
  escalona stop crawl       finish the open requests, write everything, and end

Usage: escalona stop [DIR]

Like Ctrl-C where the crawl runs. Returns when the crawl has ended; escalona resume DIR continues it.
`,
    change: `Examples
  escalona change crawl --delay 2s -n 50k       slower, and up to 50,000 pages
  escalona change crawl --scope domain          links that the setting lets in come back

Usage: escalona change [DIR] options

Changes settings of a running crawl; they also hold after a restart. These can be changed:

`,
    notRunning: (folder: string) =>
      `the crawl in ${folder} is not running; to continue it, also with other settings: escalona resume ${folder}`,
    nothing: 'nothing to change; name at least one setting, such as --delay 2s',
    stopped: (folder: string) => `the crawl in ${folder} has ended; to continue it: escalona resume ${folder}`,
  },
  pt: {
    pause: `Exemplos
  escalona pause crawl      termina as requisições abertas e não começa outras até escalona resume crawl

Uso: escalona pause [DIR]

A coleta continua em execução, e fica em pausa também depois de reiniciada, até escalona resume DIR.
`,
    stop: `Exemplos
  escalona stop crawl       termina as requisições abertas, grava tudo e encerra

Uso: escalona stop [DIR]

Como Ctrl-C onde a coleta roda. Volta quando a coleta terminou; escalona resume DIR a continua.
`,
    change: `Exemplos
  escalona change crawl --delay 2s -n 50k       mais devagar, e até 50.000 páginas
  escalona change crawl --scope domain          links que a configuração permite voltam à fila

Uso: escalona change [DIR] opções

Muda configurações de uma coleta em execução; elas valem também depois de reiniciada. Podem ser mudadas:

`,
    notRunning: folder =>
      `a coleta em ${folder} não está em execução; para continuá-la, também com outras configurações: escalona resume ${folder}`,
    nothing: 'nada a mudar; indique pelo menos uma configuração, como --delay 2s',
    stopped: folder => `a coleta em ${folder} terminou; para continuá-la: escalona resume ${folder}`,
  },
})

/** The options of the settings that can be changed while a crawl runs. */
const CHANGES: OptionRows = Object.fromEntries(
  WRITTEN_SETTINGS.filter(({ name }) => isChangeable(name)).map(({ option }) => [option, CRAWL_OPTIONS[option]]),
)

/** `escalona pause DIR`: a running crawl begins no more requests until it is resumed. */
export const PAUSE: Command = {
  run: args => steer(args, {}, () => ({ kind: 'pause' })),
  help: () => ({ head: words().pause }),
  options: {},
  names: 'folder',
}

/** `escalona stop DIR`: a running crawl ends, as by Ctrl-C. */
export const STOP: Command = {
  run: args => steer(args, {}, () => ({ kind: 'stop' })),
  help: () => ({ head: words().stop }),
  options: {},
  names: 'folder',
}

/** `escalona change DIR`: a running crawl gets other settings. */
export const CHANGE: Command = {
  run: args => steer(args, CHANGES, changeOf),
  help: () => ({ head: words().change, options: crawlOptionTexts() }),
  options: CHANGES,
  names: 'folder',
}

type Values = Readonly<Record<string, string | boolean | readonly string[] | undefined>>

function changeOf(values: Values): Action {
  const given = WRITTEN_SETTINGS.flatMap(row => {
    const value = values[row.option]
    return value === undefined ? [] : [[row.name, readSetting(row, [value].flat() as string[])] as const]
  })
  if (given.length === 0) throw wrongUse(words().nothing)
  return { kind: 'change settings', settings: Object.fromEntries(given) }
}

/** Does something to a running crawl. Of a crawl that is told to stop, the end is awaited. */
async function steer(
  args: readonly string[],
  options: OptionRows,
  actionOf: (values: Values) => Action,
): Promise<number> {
  const { values, positionals } = readArguments(args, options)
  const folder = onlyFolder(positionals)
  const action = actionOf(values)
  const name = shellWord(folder)
  if (!isCrawlFolder(folder)) throw wrongUse(crawlWords().noCrawl(name))
  const source = await ProcessSource.of(folder)
  if (source === undefined) throw new EscalonaError('CRAWL_NOT_RUNNING', words().notRunning(name))
  try {
    const result = await source.ask('act', { action })
    say('info', actionLine(action, result, `escalona resume ${name}`, unixClock()))
    if (action.kind !== 'stop') return 0
    while (source.isOpen) await wait(50)
    say('info', words().stopped(name))
    return 0
  } finally {
    source.close()
  }
}
