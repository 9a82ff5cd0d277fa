import type { Route } from '../../view/questions/questions.ts'
import type { ObjectShape } from '../../view/questions/shape.ts'

/** A route, and what it accepts. */
export type AskedRoute = Route & { readonly asks: ObjectShape }

/** Where the parts of a question are in a request. */
export interface RequestParts {
  readonly params: ObjectShape
  /** Of a GET; undefined: it may be anything. */
  readonly query: ObjectShape | undefined
  /** Of any other method; undefined: it is not read. */
  readonly body: ObjectShape | undefined
}

export function partsOf({ method, path, asks }: AskedRoute): RequestParts {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
  const names = Object.keys(asks.properties)
  const isEmpty = names.every(name => inPath.includes(name))
  const rest = isEmpty ? undefined : only(asks, name => !inPath.includes(name))
  return {
    params: only(asks, name => inPath.includes(name)),
    query: method === 'GET' ? rest : undefined,
    body: method === 'GET' ? undefined : rest,
  }
}

function only(shape: ObjectShape, isWanted: (name: string) => boolean): ObjectShape {
  const properties = Object.fromEntries(Object.entries(shape.properties).filter(([name]) => isWanted(name)))
  return { ...shape, properties, required: shape.required.filter(isWanted) }
}
