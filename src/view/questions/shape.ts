// Shapes of questions and answers. A shape is a plain JSON schema with the type of what it describes: it checks what comes in,
// describes the API, and types both. One with a title becomes a schema of its own in the OpenAPI description. No package makes
// them, since every command loads them.

/** A JSON schema, and the type of the values that it describes. */
export interface JsonShape<Value = unknown> {
  /** Only a type; no shape has it. */
  readonly '~value'?: Value
  readonly title?: string
  readonly description?: string
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly items?: JsonShape
  readonly properties?: Readonly<Record<string, JsonShape>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | JsonShape
}

export type ObjectShape<Value = object> = JsonShape<Value> & Required<Pick<JsonShape, 'properties' | 'required'>>

export interface OptionalShape<Value = unknown> {
  readonly optional: JsonShape<Value>
}

export type Fields = Readonly<Record<string, JsonShape | OptionalShape>>

export type TypeOf<Described> = Described extends JsonShape<infer Value> ? Value : never

type Name<All extends Fields, Wanted extends 'optional' | 'required'> = {
  [Name in keyof All]: All[Name] extends OptionalShape
    ? Wanted extends 'optional'
      ? Name
      : never
    : Wanted extends 'required'
      ? Name
      : never
}[keyof All]
type Flat<Value> = { [Name in keyof Value]: Value[Name] }
type ObjectOf<All extends Fields> = Flat<
  { readonly [Field in Name<All, 'required'>]: TypeOf<All[Field]> } & {
    readonly [Field in Name<All, 'optional'>]?:
      | (All[Field] extends OptionalShape<infer Value> ? Value : never)
      | undefined
  }
>

interface Bounds {
  readonly minimum?: number
  readonly maximum?: number
  readonly default?: number
}

/** What is described by its place has no description. */
function described<Value>(schema: object, description: string): JsonShape<Value> {
  return description === '' ? schema : { ...schema, description }
}

/** A whole number from 0 up. */
export const count = (description: string, bounds: Bounds = {}): JsonShape<number> =>
  described({ type: 'integer', minimum: 0, ...bounds }, description)
export const number = (description: string, bounds: Bounds = {}): JsonShape<number> =>
  described({ type: 'number', ...bounds }, description)
export const text = <Text extends string = string>(
  description: string,
  bounds: { minLength?: number; maxLength?: number; pattern?: string } = {},
): JsonShape<Text> => described({ type: 'string', ...bounds }, description)
export const flag = (description: string): JsonShape<boolean> => described({ type: 'boolean' }, description)
export const time = (description: string): JsonShape<number> =>
  number(`${description} Milliseconds since 1970-01-01 UTC.`)
export const orNull = (description: string, figure = number('')): JsonShape<number | null> =>
  described({ anyOf: [figure, { type: 'null' }] }, description)
/** A number without a bound; JSON has no infinity. */
export const unbounded = (description: string): JsonShape<number | null> => orNull(`${description} null: infinite.`)
export const choice = <const Names extends string>(names: readonly Names[], description: string): JsonShape<Names> =>
  described({ enum: [...names] }, description)
export const literal = <const Text extends string>(is: Text): JsonShape<Text> =>
  described({ type: 'string', const: is }, '')
export const list = <Item>(
  items: JsonShape<Item>,
  description: string,
  lengths: { minItems?: number; maxItems?: number } = {},
): JsonShape<readonly Item[]> => described({ type: 'array', items, ...lengths }, description)
export const pair: JsonShape<readonly [string, string]> = described(
  list(text(''), '', { minItems: 2, maxItems: 2 }),
  '',
)
export const oneOf = <All extends readonly JsonShape[]>(...shapes: All): JsonShape<TypeOf<All[number]>> =>
  described({ anyOf: shapes }, '')
export const counts = (description: string): JsonShape<Readonly<Record<string, number>>> =>
  described({ type: 'object', additionalProperties: count('') }, description)
/** An object about whose fields nothing is said; its receiver checks it. */
export const anyFields = <Value = object>(description: string): JsonShape<Value> =>
  described({ type: 'object' }, description)
export const optional = <Value>(shape: JsonShape<Value>): OptionalShape<Value> => ({ optional: shape })

export function object<All extends Fields>(fields: All, description = ''): ObjectShape<ObjectOf<All>> {
  const all = Object.entries(fields)
  return {
    type: 'object',
    properties: Object.fromEntries(all.map(([name, one]) => [name, 'optional' in one ? one.optional : one])),
    required: all.flatMap(([name, one]) => ('optional' in one ? [] : [name])),
    ...(description !== '' && { description }),
  }
}

/** Answers of later versions may have more fields; unknown fields of a request are an error. */
export function answer<All extends Fields>(title: string, description: string, fields: All) {
  return { ...object(fields, description), title }
}
export function request<All extends Fields>(title: string, description: string, fields: All) {
  return { ...object(fields, description), ...(title !== '' && { title }), additionalProperties: false }
}

/** Whether a value has a shape, by types and names alone: for questions that other processes of Escalona ask. */
export function matches(shape: JsonShape, value: unknown): boolean {
  const { type, enum: names, items, properties, required = [] } = shape
  if (names !== undefined) return names.includes(value)
  switch (type) {
    case 'array':
      return Array.isArray(value) && value.every(item => matches(items ?? {}, item))
    case 'object': {
      if (typeof value !== 'object' || value === null) return false
      const fields = value as Readonly<Record<string, unknown>>
      if (!required.every(name => fields[name] !== undefined)) return false
      return Object.entries(properties ?? {}).every(
        ([name, one]) => fields[name] === undefined || matches(one, fields[name]),
      )
    }
    case 'integer':
      return Number.isInteger(value)
    default:
      return type === undefined || typeof value === type
  }
}
