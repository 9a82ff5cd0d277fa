import { closest } from '../base/words/closest.ts'
import { catalogue } from '../base/words/language.ts'
import { printable } from '../base/words/printable.ts'

const words = catalogue({
  en: {
    unknown: (name: string, meant: string | undefined) =>
      `there is no option ${name}${meant === undefined ? '' : `; did you mean ${meant}?`}`,
    type: (name: string, wanted: string, given: string) => `${name} must be ${wanted}, not ${given}`,
    kinds: {
      number: 'a number',
      string: 'a string',
      boolean: 'true or false',
      function: 'a function',
      list: 'a list',
      map: 'a Map',
      object: 'an object',
      signal: 'an AbortSignal',
      nothing: 'null or undefined',
    },
  },
  pt: {
    unknown: (name, meant) => `não existe a opção ${name}${meant === undefined ? '' : `; você quis dizer ${meant}?`}`,
    type: (name, wanted, given) => `${name} deve ser ${wanted}, não ${given}`,
    kinds: {
      number: 'um número',
      string: 'um texto',
      boolean: 'true ou false',
      function: 'uma função',
      list: 'uma lista',
      map: 'um Map',
      object: 'um objeto',
      signal: 'um AbortSignal',
      nothing: 'null nem undefined',
    },
  },
})

export type Kind = keyof ReturnType<typeof words>['kinds']

/** What a value must be, with what is in it: all items of a list or Map, or the named fields of an object. */
export interface Shape {
  readonly kind: Kind
  readonly items?: Shape
  readonly fields?: Readonly<Record<string, Shape>>
  /** Fields that must be there. */
  readonly required?: readonly string[]
}

export const STRINGS: Shape = { kind: 'list', items: { kind: 'string' } }

/** The mistakes in a value, each as a sentence that names it: `hostSettings[0].delayMs must be a number, not a string`. */
export function shapeMistakes(name: string, value: unknown, shape: Shape): string[] {
  const { type, kinds } = words()
  const found = kindOf(value)
  const isRight = shape.kind === found || (shape.kind === 'object' && found === 'signal')
  if (!isRight) return [type(name, kinds[shape.kind], kinds[found])]
  const { items, fields, required = [] } = shape
  const mistakes: string[] = []
  if (items !== undefined) {
    for (const [key, item] of Object.entries(value instanceof Map ? Object.fromEntries(value) : (value as object)))
      mistakes.push(...shapeMistakes(`${name}[${printable(key)}]`, item, items))
  }
  if (fields === undefined) return mistakes
  const given = Object.entries(value as object).filter(([key, item]) => item !== undefined || required.includes(key))
  const missing = required.filter(key => !given.some(([name]) => name === key)).map(key => [key, undefined] as const)
  for (const [key, item] of [...given, ...missing]) {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined
    if (field === undefined) mistakes.push(unknownOption(key, Object.keys(fields), `${name}.`))
    else mistakes.push(...shapeMistakes(`${name}.${key}`, item, field))
  }
  return mistakes
}

export function unknownOption(name: string, known: readonly string[], within = ''): string {
  const meant = closest(name, known)
  return words().unknown(within + printable(name), meant === undefined ? undefined : within + meant)
}

export function kindOf(value: unknown): Kind {
  if (value === undefined || value === null) return 'nothing'
  if (Array.isArray(value)) return 'list'
  if (value instanceof Map) return 'map'
  const type = typeof value
  if (type === 'number' || type === 'string' || type === 'boolean' || type === 'function') return type
  return 'addEventListener' in Object(value) && 'aborted' in Object(value) ? 'signal' : 'object'
}
