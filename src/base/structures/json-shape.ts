/**
 * A kind; a list of equal elements; a pair; an object of equal values (`{ '*': … }`); or an object with these keys, of which those that end in `?`
 * may be missing. Other keys don't matter. A number is finite.
 */
export type StoredShape =
  | 'string'
  | 'number'
  | 'boolean'
  | readonly [StoredShape]
  | readonly [StoredShape, StoredShape]
  | { readonly [key: string]: StoredShape }

export function hasShape(value: unknown, shape: StoredShape): boolean {
  if (shape === 'number') return Number.isFinite(value)
  if (typeof shape === 'string') return typeof value === shape
  if (isList(shape)) {
    const [first, second] = shape
    if (!Array.isArray(value)) return false
    if (second === undefined) return value.every(one => hasShape(one, first))
    return value.length === 2 && hasShape(value[0], first) && hasShape(value[1], second)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const keys = value as Readonly<Record<string, unknown>>
  const every = shape['*']
  if (every !== undefined) return Object.values(keys).every(one => hasShape(one, every))
  return Object.entries(shape).every(([key, one]) =>
    key.endsWith('?')
      ? keys[key.slice(0, -1)] === undefined || hasShape(keys[key.slice(0, -1)], one)
      : hasShape(keys[key], one),
  )
}

function isList(shape: StoredShape): shape is readonly [StoredShape] | readonly [StoredShape, StoredShape] {
  return Array.isArray(shape)
}

/** Undefined unless it looks like this. */
export function parsedAs<T>(text: string, shape: StoredShape): T | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return hasShape(value, shape) ? (value as T) : undefined
  } catch {
    return undefined
  }
}
