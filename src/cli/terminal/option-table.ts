import { parseArgs } from 'node:util'
import type { EscalonaError } from '../../base/errors.ts'
import { closest } from '../../base/words/closest.ts'
import { printable } from '../../base/words/printable.ts'
import { useWords, wrongUse } from './use-words.ts'

/** One option of a command. Arguments, help pages, shell completion and configuration files are all read from these tables. */
export interface OptionRow {
  readonly short?: string
  /** The placeholder of its value on the help page: N, T, DIR. Without one the option is a switch. */
  readonly value?: string
  /** The value may be left out, and is empty then: what follows is the value only if it matches. */
  readonly optional?: RegExp
  readonly isRepeatable?: boolean
  /** The accepted values, if there are few. */
  readonly choices?: readonly string[]
  /** Whether its value names a file or a folder. */
  readonly names?: 'file' | 'folder'
}

export type OptionRows = Readonly<Record<string, OptionRow>>

type Value<Row extends OptionRow> = Row extends { readonly value: string }
  ? Row extends { readonly isRepeatable: true }
    ? readonly string[]
    : string
  : boolean

export interface Arguments<Rows extends OptionRows> {
  readonly values: { readonly [Name in keyof Rows]?: Value<Rows[Name]> }
  readonly positionals: readonly string[]
}

/** Reads arguments by a table. Errors name the closest valid spelling. */
export function readArguments<const Rows extends OptionRows>(args: readonly string[], rows: Rows): Arguments<Rows> {
  const { tokens } = parseArgs({
    args: withJoinedValues(args, rows),
    options: Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, forNode(row)])),
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
  const values: Record<string, boolean | string | string[]> = {}
  const positionals: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value)
    if (token.kind !== 'option') continue
    const row = Object.hasOwn(rows, token.name) ? rows[token.name]! : undefined
    if (row === undefined) throw unknownOption(token.rawName, Object.keys(rows))
    if (row.value === undefined) {
      if (token.value !== undefined) throw wrongUse(useWords().noValue(token.rawName))
      values[token.name] = true
      continue
    }
    const value = token.value ?? (row.optional === undefined ? undefined : '')
    // `--delay --debug`: the value was probably forgotten. `--delay=--debug` is taken literally.
    if (value === undefined || (!token.inlineValue && /^-./.test(value)))
      throw wrongUse(useWords().valueMissing(token.rawName, row.value))
    if (row.isRepeatable) values[token.name] = [...((values[token.name] as string[] | undefined) ?? []), value]
    else values[token.name] = value
  }
  return { values: values as Arguments<Rows>['values'], positionals }
}

/** `--ui 8080` as `--ui=8080`; `--ui -n 10` and `--ui example.org` stay: they don't match what is optional there. */
function withJoinedValues(args: readonly string[], rows: OptionRows): string[] {
  const end = args.includes('--') ? args.indexOf('--') : args.length
  const joined: string[] = []
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]!
    const optional = at < end && arg.startsWith('--') ? rows[arg.slice(2)]?.optional : undefined
    if (optional?.test(args[at + 1] ?? '')) joined.push(`${arg}=${args[++at]}`)
    else joined.push(arg)
  }
  return joined
}

function forNode({ value, short, optional }: OptionRow) {
  const type = value === undefined || optional !== undefined ? ('boolean' as const) : ('string' as const)
  return short === undefined ? { type } : { type, short }
}

function unknownOption(raw: string, names: readonly string[]): EscalonaError {
  const meant = closest(raw.replace(/^-+/, ''), names)
  const { unknownOption, didYouMean } = useWords()
  return wrongUse(unknownOption(printable(raw)) + didYouMean(meant === undefined ? undefined : `--${meant}`))
}

/** The column where descriptions begin; the description of a longer option starts on the next line. */
const TEXT_COLUMN = 25
/** The widest line of a help page. */
const HELP_COLUMNS = 100

/** The texts of a help page. The lines of the options come between `head` and `rest`, unless these list them already. */
export interface HelpTexts {
  readonly head: string
  readonly options?: Readonly<Record<string, string>>
  readonly rest?: string
}

export function helpPage(rows: OptionRows, { head, options, rest = '' }: HelpTexts): string {
  return head + (options === undefined ? '' : optionLines(rows, options)) + rest
}

/** The help lines for these options, in the order of the table. */
export function optionLines(rows: OptionRows, texts: Readonly<Record<string, string>>): string {
  return Object.entries(rows)
    .map(([name, row]) => optionLine(name, row, texts[name]!))
    .join('')
}

function optionLine(name: string, { short, value, optional }: OptionRow, text: string): string {
  const shown = value === undefined ? '' : optional === undefined ? ` ${value}` : ` [${value}]`
  const head = `  ${short === undefined ? '   ' : `-${short},`} --${name}${shown}`
  const [first = '', ...more] = wrapped(text, HELP_COLUMNS - TEXT_COLUMN)
  const start = head.length < TEXT_COLUMN - 1 ? head.padEnd(TEXT_COLUMN) : `${head}\n${' '.repeat(TEXT_COLUMN)}`
  return `${start}${first}\n${more.map(line => `${' '.repeat(TEXT_COLUMN)}${line}\n`).join('')}`
}

/** A text in lines, at most this wide; a longer word is divided. */
export function wrapped(text: string, columns: number): string[] {
  const lines: string[] = []
  let line = ''
  const words = text.split(' ').flatMap(word => word.match(new RegExp(`.{1,${Math.max(columns, 1)}}`, 'gs')) ?? [])
  for (const word of words) {
    if (line !== '' && line.length + 1 + word.length > columns) {
      lines.push(line)
      line = ''
    }
    line += line === '' ? word : ` ${word}`
  }
  return [...lines, line]
}
