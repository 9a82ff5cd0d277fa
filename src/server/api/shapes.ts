// The pieces that the shapes of all answers are made of. A shape is a JSON schema: it validates what comes in, describes the API,
// and is the type of what goes out. One with a title becomes a schema of its own in the OpenAPI description.
import Type, { type TSchema } from 'typebox'

/** A whole number from 0 up. */
export const count = (description: string) => Type.Integer({ minimum: 0, description })
export const number = (description: string) => Type.Number({ description })
export const text = (description: string) => Type.String({ description })
export const flag = (description: string) => Type.Boolean({ description })
/** Milliseconds since 1970. */
export const time = (description: string) =>
  Type.Number({ description: `${description} Milliseconds since 1970-01-01 UTC.` })
/** A number without a bound; JSON has no infinity. */
export const unbounded = (description: string) =>
  Type.Union([Type.Number(), Type.Null()], { description: `${description} null: infinite.` })
export const choice = <Names extends string>(names: readonly Names[], description: string) =>
  Type.Enum([...names] as [Names, ...Names[]], { description })
export const list = <Item extends TSchema>(items: Item, description: string) => Type.Array(items, { description })
export const optional = Type.Optional
/** The counts by name. */
export const counts = (description: string) => Type.Record(Type.String(), Type.Integer({ minimum: 0 }), { description })

/** Answers of later versions may have more fields; unknown fields of a request are an error. */
export function answer<Fields extends Type.TProperties>(title: string, description: string, fields: Fields) {
  return Type.Object(fields, { title, description })
}
export function request<Fields extends Type.TProperties>(title: string, description: string, fields: Fields) {
  return Type.Object(fields, { title, description, additionalProperties: false })
}
