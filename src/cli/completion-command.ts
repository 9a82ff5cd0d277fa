import { catalogue } from '../base/words/language.ts'
import { printable } from '../base/words/printable.ts'
import { COMMAND_NAMES, COMMANDS, type Command, HELP_TOPICS } from './commands.ts'
import { type OptionRow, type OptionRows, readArguments } from './terminal/option-table.ts'
import { answer } from './terminal/say.ts'
import { wrongUse } from './terminal/use-words.ts'

const SHELLS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const
const SHELL_NAMES = Object.keys(SHELLS) as readonly (keyof typeof SHELLS)[]

const words = catalogue({
  en: {
    head: `Examples
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
    head: `Exemplos
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
  help: words,
  options: {},
  words: SHELL_NAMES,
}

async function completionCommand(args: readonly string[]): Promise<number> {
  const [shell] = readArguments(args, {}).positionals
  const names = SHELL_NAMES.join(', ')
  if (shell === undefined) throw wrongUse(words().which(names))
  const known = SHELL_NAMES.find(name => name === shell)
  if (known === undefined) throw wrongUse(words().unknown(printable(shell), names))
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
    const command: Command = await COMMANDS[name]()
    known.push({ ...command, name, options: { ...withoutOptionalValues(command.options), ...EVERYWHERE } })
  }
  return [...known, { name: 'help', options: {}, words: HELP_TOPICS }, { name: 'version', options: {} }]
}

/** What completion needs to know about a command. */
interface Known extends Pick<Command, 'options' | 'words' | 'actions' | 'names'> {
  readonly name: string
}

/** Names, options and values consist of letters, digits and dashes only, so nothing needs quoting. */
function spellings([name, { short }]: readonly [string, OptionRow]): string[] {
  return short === undefined ? [`--${name}`] : [`-${short}`, `--${name}`]
}

function bashCompletion(commands: readonly Known[]): string {
  const cases = commands.map(({ name, options, words = [], actions = [], names }) => {
    const rows = Object.entries(options)
    const values = rows.flatMap(row => {
      const fill = bashFill(row[1])
      return fill === undefined ? [] : [`      ${spellings(row).join('|')}) ${fill}; return ;;\n`]
    })
    const all = rows.map(([option]) => `--${option}`).join(' ')
    const rest =
      words.length > 0
        ? `_escalona_words "${words.join(' ')}"`
        : names === 'folder'
          ? '_escalona_folders'
          : '_escalona_files'
    const act = actions.length === 0 ? '' : `elif ((COMP_CWORD == 3)); then _escalona_words "${actions.join(' ')}"; `
    return `    ${name})
      case $before in
${values.join('')}      esac
      if [[ $word == -* ]]; then _escalona_words "${all}"; ${act}else ${rest}; fi ;;
`
  })
  return `# bash completion for escalona
_escalona_words() { COMPREPLY=($(compgen -W "$1" -- "$word")); }
_escalona_files() { compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$word"); }
_escalona_folders() { compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- "$word"); }
_escalona() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]}
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    _escalona_files
    COMPREPLY+=($(compgen -W "${commands.map(({ name }) => name).join(' ')} --help --version --lang" -- "$word"))
    return
  fi
  case \${COMP_WORDS[1]} in
${cases.join('')}    *) _escalona_files ;;
  esac
}
complete -F _escalona escalona
`
}

/** The command that completes an option's value: `:` when it could be anything, undefined for a switch. */
function bashFill({ value, choices, names }: OptionRow): string | undefined {
  if (value === undefined) return undefined
  if (choices !== undefined) return `_escalona_words "${choices.join(' ')}"`
  if (names === 'file') return '_escalona_files'
  return names === 'folder' ? '_escalona_folders' : ':'
}

function zshCompletion(commands: readonly Known[]): string {
  const cases = commands.map(({ name, options, words = [], actions = [], names }) => {
    const rows = Object.entries(options).map(row => `        ${zshRow(row)} \\\n`)
    const act = actions.length === 0 ? '' : `'2:action:(${actions.join(' ')})' `
    const rest =
      words.length > 0
        ? `'1:word:(${words.join(' ')})'`
        : `${act}'*:${names ?? 'file'}:${names === 'folder' ? '_files -/' : '_files'}'`
    return `    ${name})
      _arguments \\
${rows.join('')}        ${rest} ;;
`
  })
  return `#compdef escalona
_escalona() {
  if ((CURRENT == 2)); then
    compadd -- ${commands.map(({ name }) => name).join(' ')} --help --version --lang
    _files
    return
  fi
  local command=\${words[2]}
  shift words
  ((CURRENT--))
  case $command in
${cases.join('')}    *) _files ;;
  esac
}
compdef _escalona escalona
`
}

function zshRow([name, row]: readonly [string, OptionRow]): string {
  const { value, choices, names, isRepeatable } = row
  const fill =
    choices !== undefined
      ? `(${choices.join(' ')})`
      : names === 'file'
        ? '_files'
        : names === 'folder'
          ? '_files -/'
          : ' '
  const tail = value === undefined ? '' : `:${name}:${fill}`
  const star = isRepeatable ? '*' : ''
  return spellings([name, row])
    .map(spelling => `'${star}${spelling}${value !== undefined && spelling.startsWith('--') ? '=' : ''}${tail}'`)
    .join(' ')
}

function fishCompletion(commands: readonly Known[]): string {
  const names = commands.map(({ name }) => name).join(' ')
  const lines = commands.flatMap(({ name, options, words = [], actions = [], names: kind }) => {
    const when = `-n '__fish_seen_subcommand_from ${name}'`
    return [
      ...Object.entries(options).map(row => `complete -c escalona ${when} ${fishRow(row)}\n`),
      ...[words, actions].flatMap(some =>
        some.length > 0 ? [`complete -c escalona ${when} -f -a '${some.join(' ')}'\n`] : [],
      ),
      ...(kind === 'folder' ? [`complete -c escalona ${when} -f -a '(__fish_complete_directories)'\n`] : []),
    ]
  })
  return `# fish completion for escalona
complete -c escalona -n '__fish_use_subcommand' -a '${names}'
complete -c escalona -n '__fish_use_subcommand' -l help -s h
complete -c escalona -n '__fish_use_subcommand' -l version -s V
${lines.join('')}`
}

function fishRow([name, { short, value, choices, names }]: readonly [string, OptionRow]): string {
  const parts = [`-l ${name}`, ...(short === undefined ? [] : [`-s ${short}`])]
  if (value === undefined) return parts.join(' ')
  if (choices !== undefined) return [...parts, `-x -a '${choices.join(' ')}'`].join(' ')
  if (names === 'folder') return [...parts, `-x -a '(__fish_complete_directories)'`].join(' ')
  return [...parts, names === 'file' ? '-r' : '-x'].join(' ')
}
