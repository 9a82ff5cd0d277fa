import { catalogue } from '../base/words/language.ts'
import { printable } from '../base/words/printable.ts'
import { COMMAND_NAMES, COMMANDS, type Command } from './commands.ts'
import { bashCompletion, fishCompletion, type Known, zshCompletion } from './completion-scripts.ts'
import { type OptionRows, readArguments } from './terminal/option-table.ts'
import { answer } from './terminal/tell.ts'
import { wrongUse } from './terminal/wrong-use.ts'

const SHELLS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const
const SHELL_NAMES = Object.keys(SHELLS) as readonly (keyof typeof SHELLS)[]
const SEE = 'escalona completion --help'

const words = catalogue({
  en: {
    help: `Examples
  source <(escalona completion bash)                 in this shell; put the line into ~/.bashrc for every shell
  escalona completion zsh > "\${fpath[1]}/_escalona"   once; then start a new shell
  escalona completion fish > ~/.config/fish/completions/escalona.fish

Usage: escalona completion bash|zsh|fish
Writes a script that makes the shell complete commands, options and their values.
`,
    which: (names: string) => `completion takes the name of a shell: ${names}`,
    unknown: (shell: string, names: string) => `there is no completion for ${shell}; choose ${names}`,
  },
  pt: {
    help: `Exemplos
  source <(escalona completion bash)                 neste shell; ponha a linha em ~/.bashrc para todos
  escalona completion zsh > "\${fpath[1]}/_escalona"   uma vez; depois abra um novo shell
  escalona completion fish > ~/.config/fish/completions/escalona.fish

Uso: escalona completion bash|zsh|fish
Escreve um script que faz o shell completar comandos, opções e seus valores.
`,
    which: names => `completion recebe o nome de um shell: ${names}`,
    unknown: (shell, names) => `não há completamento para ${shell}; escolha ${names}`,
  },
})

/** `escalona completion`: a shell script generated from the tables that commands read their arguments by. */
export const COMPLETION: Command = {
  run: completionCommand,
  help: () => words().help,
  options: {},
  words: SHELL_NAMES,
}

async function completionCommand(args: readonly string[]): Promise<number> {
  const [shell] = readArguments(args, {}, SEE).positionals
  const names = SHELL_NAMES.join(', ')
  if (shell === undefined) throw wrongUse(words().which(names), SEE)
  const known = SHELL_NAMES.find(name => name === shell)
  if (known === undefined) throw wrongUse(words().unknown(printable(shell), names), SEE)
  answer(SHELLS[known](await everything()))
  return 0
}

/** Options that every command accepts besides its own. */
const EVERYWHERE = { lang: { value: 'L', choices: ['en', 'pt'] }, help: { short: 'h' } } as const

/** Nothing is suggested for a value that may be left out: what follows may be something else. */
function withoutOptionalValues(rows: OptionRows): OptionRows {
  return Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, row.optional === undefined ? row : {}]))
}

async function everything(): Promise<Known[]> {
  const known: Known[] = []
  for (const name of COMMAND_NAMES) {
    const { options, words = [], actions = [], names }: Command = await COMMANDS[name]()
    known.push({ name, options: { ...withoutOptionalValues(options), ...EVERYWHERE }, words, actions, names })
  }
  return [
    ...known,
    { name: 'help', options: {}, words: COMMAND_NAMES, actions: [], names: undefined },
    { name: 'version', options: {}, words: [], actions: [], names: undefined },
  ]
}
