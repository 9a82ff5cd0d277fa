import { EscalonaError } from '../base/errors.ts'
import { closest } from '../base/words/closest.ts'
import { catalogue } from '../base/words/language.ts'
import { printable } from '../base/words/printable.ts'
import { type WebUrl, webUrl } from '../url/web.ts'
import { type CrawlSettings, settingsWith } from './settings.ts'

const words = catalogue({
  en: {
    unknown: (name: string, meant: string | undefined) =>
      `there is no option ${name}${meant === undefined ? '' : `; did you mean ${meant}?`}`,
    type: (name: string, wanted: string, given: string) => `${name} must be ${wanted}, not ${given}`,
    badSeed: (text: string, why: string) => `${text} is not a web address (${why}); write https://host/path`,
    noSeeds: 'seeds must be a list of URLs',
    several: (mistakes: string) => `the options of crawl() have these mistakes:\n${mistakes}`,
    one: (mistake: string) => `in the options of crawl(), ${mistake}`,
    kinds: {
      number: 'a number',
      string: 'a string',
      boolean: 'true or false',
      function: 'a function',
      list: 'a list',
      map: 'a Map',
      object: 'an object',
      nothing: 'null',
    },
  },
  pt: {
    unknown: (name, meant) => `não existe a opção ${name}${meant === undefined ? '' : `; você quis dizer ${meant}?`}`,
    type: (name, wanted, given) => `${name} deve ser ${wanted}, não ${given}`,
    badSeed: (text, why) => `${text} não é um endereço da web (${why}); escreva https://host/caminho`,
    noSeeds: 'seeds deve ser uma lista de URLs',
    several: mistakes => `as opções de crawl() têm estes erros:\n${mistakes}`,
    one: mistake => `nas opções de crawl(), ${mistake}`,
    kinds: {
      number: 'um número',
      string: 'um texto',
      boolean: 'true ou false',
      function: 'uma função',
      list: 'uma lista',
      map: 'um Map',
      object: 'um objeto',
      nothing: 'null',
    },
  },
})

type Kind = keyof ReturnType<typeof words>['kinds']

/** The options of crawl() that are not settings. */
const OWN_KINDS: Readonly<Record<string, Kind>> = {
  seeds: 'list',
  folder: 'string',
  add: 'boolean',
  retry: 'list',
  onPage: 'function',
  filterLink: 'function',
  onEvent: 'function',
  onRepair: 'function',
  signal: 'object',
}

/** Checks all options at once, with one error that names every mistake. Returns the settings and the seeds. */
export function checkedOptions(options: object): { readonly given: Partial<CrawlSettings>; readonly seeds: WebUrl[] } {
  const mistakes: string[] = []
  const defaults = settingsWith({}, 1, '0') as unknown as Readonly<Record<string, unknown>>
  const names = [...Object.keys(OWN_KINDS), ...Object.keys(defaults)]
  const given: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue
    if (!names.includes(name)) mistakes.push(words().unknown(printable(name), closest(name, names)))
    else {
      const kind = Object.hasOwn(OWN_KINDS, name) ? OWN_KINDS[name]! : kindOf(defaults[name])
      const mistake = typeMistake(name, value, kind)
      if (mistake !== undefined) mistakes.push(mistake)
      else if (!Object.hasOwn(OWN_KINDS, name)) given[name] = value
    }
  }
  for (const [name, value] of Object.entries(given)) collect(mistakes, () => settingsWith({ [name]: value }, 1, '0'))
  // Settings may be valid alone but not together.
  if (mistakes.length === 0) collect(mistakes, () => settingsWith(given, 1, '0'))
  const seeds = seedsIn((options as { readonly seeds?: unknown }).seeds, mistakes)
  if (mistakes.length > 0) throw bad(mistakes)
  return { given: given as Partial<CrawlSettings>, seeds }
}

function typeMistake(name: string, value: unknown, kind: Kind | undefined): string | undefined {
  const { type, kinds } = words()
  const found = kindOf(value)
  // An undefined default does not reveal the type.
  if (kind === undefined || found === kind || found === undefined) return undefined
  return type(name, kinds[kind], kinds[found])
}

function kindOf(value: unknown): Kind | undefined {
  if (value === undefined) return undefined
  if (value === null) return 'nothing'
  if (Array.isArray(value)) return 'list'
  if (value instanceof Map) return 'map'
  const type = typeof value
  return type === 'number' || type === 'string' || type === 'boolean' || type === 'function' ? type : 'object'
}

/** A seed without a scheme is https. The list may be empty when a crawl continues. */
function seedsIn(seeds: unknown, mistakes: string[]): WebUrl[] {
  if (seeds === undefined || !Array.isArray(seeds)) return []
  return seeds.flatMap(text => {
    if (typeof text !== 'string') {
      mistakes.push(words().noSeeds)
      return []
    }
    const hasScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(text.trim())
    const seed = webUrl(hasScheme ? text : `https://${text.trim()}`)
    if (typeof seed !== 'string') return [seed]
    mistakes.push(words().badSeed(JSON.stringify(printable(text)), seed))
    return []
  })
}

function collect(mistakes: string[], check: () => unknown): void {
  try {
    check()
  } catch (error) {
    if (!(error instanceof EscalonaError)) throw error
    mistakes.push(error.message)
  }
}

function bad(mistakes: readonly string[]): EscalonaError {
  const { one, several } = words()
  const message = mistakes.length === 1 ? one(mistakes[0]!) : several(mistakes.map(text => `- ${text}`).join('\n'))
  return new EscalonaError('CRAWL_BAD_OPTIONS', message)
}
