import { type Message, message, type Value } from '../base/messages/message.ts'
import { closest } from '../base/words/closest.ts'

export type Kind = 'number' | 'string' | 'boolean' | 'function' | 'list' | 'map' | 'object' | 'signal' | 'nothing'

/** What a value must be, with what is in it: all items of a list or Map, or the named fields of an object. */
export interface Shape {
  readonly kind: Kind
  readonly items?: Shape
  readonly fields?: Readonly<Record<string, Shape>>
  /** Fields that must be there. */
  readonly required?: readonly string[]
}

export const STRINGS: Shape = { kind: 'list', items: { kind: 'string' } }

/** The mistakes in a value, each with its name: `hostSettings[0].delayMs must be a number, not a string`. */
export function shapeMistakes(name: Value, value: unknown, shape: Shape): Message[] {
  const found = kindOf(value)
  const isRight = shape.kind === found || (shape.kind === 'object' && found === 'signal')
  if (!isRight)
    return [message('settings/type', { name, wanted: message(`kind/${shape.kind}`), given: message(`kind/${found}`) })]
  const { items, fields, required = [] } = shape
  const mistakes: Message[] = []
  if (items !== undefined) {
    for (const [key, item] of Object.entries(value instanceof Map ? Object.fromEntries(value) : (value as object)))
      mistakes.push(...shapeMistakes(`${String(name)}[${key}]`, item, items))
  }
  if (fields === undefined) return mistakes
  const given = Object.entries(value as object).filter(([key, item]) => item !== undefined || required.includes(key))
  const missing = required.filter(key => !given.some(([name]) => name === key)).map(key => [key, undefined] as const)
  for (const [key, item] of [...given, ...missing]) {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined
    if (field === undefined) mistakes.push(unknownOption(key, Object.keys(fields), `${String(name)}.`))
    else mistakes.push(...shapeMistakes(`${String(name)}.${key}`, item, field))
  }
  return mistakes
}

export function unknownOption(name: string, known: readonly string[], within = ''): Message {
  const meant = closest(name, known)
  return meant === undefined
    ? message('settings/unknown', { name: within + name })
    : message('settings/unknown-meant', { name: within + name, meant: within + meant })
}

export function kindOf(value: unknown): Kind {
  if (value === undefined || value === null) return 'nothing'
  if (Array.isArray(value)) return 'list'
  if (value instanceof Map) return 'map'
  const type = typeof value
  if (type === 'number' || type === 'string' || type === 'boolean' || type === 'function') return type
  return 'addEventListener' in Object(value) && 'aborted' in Object(value) ? 'signal' : 'object'
}
