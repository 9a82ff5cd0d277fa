import type { TLocalizedValidationError } from 'typebox/error'
import Schema, { type Validator } from 'typebox/schema'
import { EscalonaError } from '../base/errors.ts'
import { excerpt } from '../base/words/printable.ts'
import type { ObjectShape, TypeOf } from '../view/questions/shape.ts'
import type { RequestParts } from './api/routes.ts'
import type { serverWords } from './messages.ts'
import { type RequestContext, refusal } from './request-context.ts'

const MOST_BODY_BYTES = 1 << 20

type Words = ReturnType<typeof serverWords>

/** Reads and checks what a route asks for. */
export async function readQuestion(context: RequestContext, { params, query, body }: RequestParts): Promise<object> {
  return {
    ...readParameters(context, params, Object.entries(context.req.param())),
    ...(query && readParameters(context, query, new URL(context.req.url).searchParams)),
    ...(body && (await readBody(context, body))),
  }
}

/** What a query or path gives as text, turned into what the shape asks for. Parameters that are unknown or repeated are errors. */
export function readParameters<Shape extends ObjectShape>(
  context: RequestContext,
  shape: Shape,
  given: Iterable<readonly [string, string]>,
): TypeOf<Shape> {
  const values: Record<string, unknown> = {}
  const types = shape.properties
  for (const [name, text] of given) {
    if (!Object.hasOwn(types, name)) throw wrong(context, name, words => words.unexpected)
    if (Object.hasOwn(values, name)) throw wrong(context, name, words => words.twice)
    values[name] = valueIn(context, name, text, types[name]!.type)
  }
  return checked(context, shape, values)
}

function valueIn(context: RequestContext, name: string, text: string, type: string | undefined): unknown {
  if (type === 'integer') {
    if (!/^\d{1,15}$/.test(text)) throw wrong(context, name, words => words.notNumber)
    return Number(text)
  }
  if (type !== 'boolean') return text
  if (text !== 'true' && text !== 'false') throw wrong(context, name, words => words.notFlag)
  return text === 'true'
}

/** The JSON body of a request. Bytes are counted as they come: what the request says about its length is not believed. */
async function readBody<Shape extends ObjectShape>(context: RequestContext, shape: Shape): Promise<TypeOf<Shape>> {
  if (!/^application\/json *(?:;|$)/i.test(context.req.header('content-type') ?? ''))
    throw refusal(context, 'UI_NOT_JSON', words => words.notJson)
  const chunks: Buffer[] = []
  let bytes = 0
  let value: unknown
  try {
    // The connection is still needed for the answer when reading stops early.
    for await (const chunk of context.env.incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > MOST_BODY_BYTES) throw refusal(context, 'UI_TOO_LARGE', words => words.tooLarge)
      chunks.push(chunk)
    }
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)))
  } catch (error) {
    if (error instanceof EscalonaError) throw error
    // Also when the client has gone away: what came is not JSON, and the answer reaches nobody.
    throw refusal(context, 'UI_BAD_REQUEST', words => words.badRequest(words.brokenJson))
  }
  return checked(context, shape, value)
}

const validators = new WeakMap<ObjectShape, Validator>()

function checked<Shape extends ObjectShape>(context: RequestContext, shape: Shape, value: unknown): TypeOf<Shape> {
  let validator = validators.get(shape)
  if (validator === undefined) validators.set(shape, (validator = Schema.Compile(shape)))
  if (validator.Check(value)) return value as TypeOf<Shape>
  const [, errors] = validator.Errors(value)
  throw refusal(context, 'UI_BAD_REQUEST', words => words.badRequest(mistakeOf(errors, words)))
}

function wrong(context: RequestContext, name: string, rule: (words: Words) => string): EscalonaError {
  return refusal(context, 'UI_BAD_REQUEST', words => words.badRequest(`${excerpt(name)} ${rule(words)}`))
}

/** The first mistake in words: `urls[0] must be a string`. */
function mistakeOf(errors: readonly TLocalizedValidationError[], words: Words): string {
  const unknown = errors.find(error => error.keyword === 'additionalProperties')
  if (unknown !== undefined) return `${excerpt(String(unknown.params.additionalProperties[0]))} ${words.unexpected}`
  const [error] = errors
  if (error === undefined) return words.body
  const path = error.instancePath.slice(1).split('/').filter(Boolean)
  const name = path.length === 0 ? words.body : path.map((part, at) => (at === 0 ? part : `[${part}]`)).join('')
  return error.keyword === 'required'
    ? `${error.params.requiredProperties.join(', ')} ${words.missing}`
    : `${excerpt(name)} ${ruleOf(error, words)}`
}

function ruleOf(error: TLocalizedValidationError, words: Words): string {
  switch (error.keyword) {
    case 'type':
      return words.type(String(error.params.type))
    case 'enum':
      return words.oneOf(error.params.allowedValues.join(', '))
    case 'minimum':
      return words.atLeast(String(error.params.limit))
    case 'maximum':
      return words.atMost(String(error.params.limit))
    case 'minLength':
    case 'minItems':
      return words.tooShort(String(error.params.limit))
    case 'maxLength':
    case 'maxItems':
      return words.tooLong(String(error.params.limit))
    default:
      return words.wrongValue
  }
}
