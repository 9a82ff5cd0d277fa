import type { Bilingual } from '../base/words/language.ts'
import type { ProxySettings } from '../fetch/proxies.ts'
import type { HostSettings } from './host-settings.ts'
import type { KnownReason } from './reason-words.ts'

/** No limit: Infinity in a program, `none` in text, null in JSON, which has no other way to write it. */
export const NO_LIMIT = Infinity
export const DAY_MS = 24 * 3_600_000
/** No delay and no block is longer. */
export const MONTH_MS = 31 * DAY_MS
/** How many patterns a change may bring, and how long each may be. */
export const MOST_PATTERNS = 1000
export const MOST_PATTERN_CHARS = 2000

/** Kinds of numbers: they have a range. Durations are in milliseconds, sizes in bytes, rates per second. */
export type NumberKind = 'count' | 'duration' | 'size' | 'rate' | 'chance'

/** The type of the values of each other kind, except those that have choices. */
export interface Values {
  readonly agent: string
  readonly contact: string
  readonly flag: boolean
  /** URL patterns, where `*` matches any text; see docs/web-urls.md. */
  readonly patterns: readonly string[]
  /** `pt`, `en`. */
  readonly languages: readonly string[]
  /** In CIDR notation. */
  readonly networks: readonly string[]
  /** `address` or `address:port`. */
  readonly servers: readonly string[]
  /** Addresses by host name. */
  readonly addresses: ReadonlyMap<string, string>
  /** PEM, one or more in each text. */
  readonly certificates: readonly string[]
  readonly hosts: readonly HostSettings[]
  readonly proxy: ProxySettings | undefined
}

/** What a default may follow from: other settings, and the machine. */
export interface Basis {
  readonly delayMs: number
  readonly timeoutMs: number
  readonly scope: string
  readonly contact: string
  readonly cores: number
  readonly version: string
}
type Default<Value> = Value | ((basis: Basis) => Value)

interface AnySetting {
  /** On the command line, without dashes, and the key in files. A setting without one has no text. */
  readonly option?: string
  readonly short?: string
  /** The key in files, where the option names a file: it has the lines of that file. */
  readonly key?: string
  /** How the help page writes its value; a flag has none. */
  readonly value?: string
  /** When machines share a crawl: `machine` if each has its own, so that what others wrote cannot lead it into its own network. */
  readonly whose?: 'crawl' | 'machine'
  /** It holds for the run that it is given to, and not for later ones. */
  readonly isOfRun?: true
  /** Whether it can be changed while the crawl runs. */
  readonly changeable?: true
  /** The reasons of links that it keeps out. When it changes, links that ended with one of them are judged again. */
  readonly holds?: readonly KnownReason[]
  /** Links are judged by it when they are found, by the worker threads, or when they are taken: open requests end before it changes. */
  readonly judges?: 'found' | 'taken'
  /** What people call it, in two or three words. A setting that nobody can write has none. */
  readonly label?: Bilingual
  /** One line for people, without the default. */
  readonly about: Bilingual
  /** The default in words, if it is not simply a number. */
  readonly otherwise?: Bilingual
}

/** A row of the table. */
export type SettingRow = AnySetting &
  (
    | { readonly kind: NumberKind; readonly range: readonly [number, number]; readonly default: Default<number> }
    | { readonly kind: 'choice'; readonly choices: readonly string[]; readonly default: string }
    /** `--NAME` is `yes`, and `--no-NAME`, which `no` describes, is `no`. */
    | {
        readonly kind: 'switch'
        readonly choices: readonly ['no', 'yes', ...string[]]
        readonly default: Default<string>
        readonly no: Bilingual
      }
    | { [Kind in keyof Values]: { readonly kind: Kind; readonly default: Default<Values[Kind]> } }[keyof Values]
  )

/** A number with its range and its default, or what the default follows from. */
function number<const Kind extends NumberKind>(kind: Kind, value: string) {
  return <const Option extends string>(option: Option, range: readonly [number, number], by: Default<number>) =>
    ({ kind, option, value, range, default: by }) as const
}
export const count = number('count', 'N')
export const duration = number('duration', 'T')
export const size = number('size', 'SIZE')
export const rate = number('rate', 'N/s')
export const chance = number('chance', 'P')

/** The first choice is the default. */
export function choice<const Option extends string, const Choices extends readonly [string, ...string[]]>(
  option: Option,
  value: string,
  choices: Choices,
) {
  return { kind: 'choice', option, value, choices, default: choices[0] } as const
}

/** A list that is empty by default. */
export function list<const Kind extends 'patterns' | 'languages' | 'networks' | 'servers', const Option extends string>(
  kind: Kind,
  option: Option,
  value: string,
) {
  return { kind, option, value, default: [] } as const
}
