import type { TLocalizedValidationError } from 'typebox/error'
import Schema, { type Validator } from 'typebox/schema'
import { EscalonaError } from '../base/errors.ts'
import { type Message, message } from '../base/messages/message.ts'
import { excerpt } from '../base/words/printable.ts'
import type { ObjectShape, TypeOf } from '../view/questions/shape.ts'
import type { RequestParts } from './api/routes.ts'
import type { RequestContext } from './request-context.ts'

const MOST_BODY_BYTES = 1 << 20

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
    if (!Object.hasOwn(types, name)) throw badRequest(message('server/unexpected', { name: excerpt(name) }))
    if (Object.hasOwn(values, name)) throw badRequest(message('server/twice', { name: excerpt(name) }))
    values[name] = valueIn(context, name, text, types[name]!.type)
  }
  return checked(context, shape, values)
}

function valueIn(_context: RequestContext, name: string, text: string, type: string | undefined): unknown {
  if (type === 'integer') {
    if (!/^\d{1,15}$/.test(text)) throw badRequest(message('server/not-number', { name: excerpt(name) }))
    return Number(text)
  }
  if (type === 'array') return text.split(',')
  if (type !== 'boolean') return text
  if (text !== 'true' && text !== 'false') throw badRequest(message('server/not-flag', { name: excerpt(name) }))
  return text === 'true'
}

/** The JSON body of a request. Bytes are counted as they come: what the request says about its length is not believed. */
async function readBody<Shape extends ObjectShape>(context: RequestContext, shape: Shape): Promise<TypeOf<Shape>> {
  if (!/^application\/json *(?:;|$)/i.test(context.req.header('content-type') ?? ''))
    throw new EscalonaError('UI_NOT_JSON')
  const chunks: Buffer[] = []
  let bytes = 0
  let value: unknown
  try {
    // The connection is still needed for the answer when reading stops early.
    for await (const chunk of context.env.incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > MOST_BODY_BYTES) throw new EscalonaError('UI_TOO_LARGE')
      chunks.push(chunk)
    }
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)))
  } catch (error) {
    if (error instanceof EscalonaError) throw error
    // Also when the client has gone away: what came is not JSON, and the answer is not read.
    throw badRequest(message('server/broken-json'))
  }
  return checked(context, shape, value)
}

const validators = new WeakMap<ObjectShape, Validator>()

function checked<Shape extends ObjectShape>(_context: RequestContext, shape: Shape, value: unknown): TypeOf<Shape> {
  let validator = validators.get(shape)
  if (validator === undefined) validators.set(shape, (validator = Schema.Compile(shape)))
  if (validator.Check(value)) return value as TypeOf<Shape>
  const [, errors] = validator.Errors(value)
  throw badRequest(mistakeOf(errors))
}

function badRequest(mistake: Message): EscalonaError {
  return new EscalonaError('UI_BAD_REQUEST', { mistake })
}

/** The first mistake: `urls[0] must be a string`. */
function mistakeOf(errors: readonly TLocalizedValidationError[]): Message {
  const unknown = errors.find(error => error.keyword === 'additionalProperties')
  if (unknown !== undefined)
    return message('server/unexpected', { name: excerpt(String(unknown.params.additionalProperties[0])) })
  const [error] = errors
  if (error === undefined) return message('server/body')
  const path = error.instancePath.slice(1).split('/').filter(Boolean)
  const name =
    path.length === 0
      ? message('server/body')
      : excerpt(path.map((part, at) => (at === 0 ? part : `[${part}]`)).join(''))
  switch (error.keyword) {
    case 'required':
      return message('server/missing', { name: error.params.requiredProperties.join(', ') })
    case 'type':
      return message('server/type', { name, type: String(error.params.type) })
    case 'enum':
      return message('server/one-of', { name, names: error.params.allowedValues.join(', ') })
    case 'minimum':
      return message('server/at-least', { name, limit: Number(error.params.limit) })
    case 'maximum':
      return message('server/at-most', { name, limit: Number(error.params.limit) })
    case 'minLength':
    case 'minItems':
      return message('server/too-short', { name, limit: error.params.limit })
    case 'maxLength':
    case 'maxItems':
      return message('server/too-long', { name, limit: error.params.limit })
    default:
      return message('server/wrong-value', { name })
  }
}
