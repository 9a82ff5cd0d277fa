import { version } from '../../base/version.ts'
import { ErrorAnswer } from '../../view/questions/action-shapes.ts'
import type { ObjectShape } from '../../view/questions/shape.ts'
import { type ApiRoute, partsOf, ROUTES } from './routes.ts'

type Json = Readonly<Record<string, unknown>>

const ABOUT = `Watch a crawl, ask why a URL was or was not fetched, and steer it.

Fields that have no value are left out. JSON has no infinity; null stands for it. Texts for people are in English or Portuguese, as
Accept-Language asks. Text from the web (titles, URLs, headers, HTML) is as it came: it is data, never safe to run or to insert into a
page as markup.`

/** What can happen to any request that needs the token. */
const EVERYWHERE: Readonly<Record<number, string>> = {
  400: 'The request is malformed.',
  401: 'The token is missing or wrong.',
  403: 'The request comes from another site.',
  421: 'The server does not answer under this name.',
  429: 'Too many wrong tokens were sent.',
  500: 'The server failed.',
  503: 'The crawl cannot answer now; try again in a moment.',
}
const WITH_BODY: Readonly<Record<number, string>> = {
  413: 'The body is larger than 1 MiB.',
  415: 'The body is not JSON.',
}
const REFUSED: Readonly<Record<number, string>> = { 422: 'The crawl refuses it; the message says why.' }

/** The OpenAPI 3.1 description of all routes, made from the table that serves them. */
export function openApi(): Json {
  const schemas = new Schemas()
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [name, route] of Object.entries(ROUTES))
    (paths[route.path] ??= {})[route.method.toLowerCase()] = operation(name, route, schemas)
  return {
    openapi: '3.1.0',
    info: { title: 'Escalona', version: version(), description: ABOUT, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/' }],
    security: [{ token: [] }, { cookie: [] }],
    paths,
    components: {
      schemas: schemas.named,
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'The token that escalona printed when it started.' },
        cookie: {
          type: 'apiKey',
          in: 'cookie',
          name: 'escalona-PORT',
          description: 'A browser gets it when it opens /?token=TOKEN.',
        },
      },
    },
  }
}

function operation(name: string, route: ApiRoute, schemas: Schemas): Json {
  const { summary, description, answer, errors = {}, isOpen = false } = route
  const { params, query, body } = partsOf(route)
  const parameters = [...parametersOf('path', params, schemas), ...parametersOf('query', query, schemas)]
  const isJson = !('mediaType' in answer)
  const statuses = {
    ...(isOpen ? { 421: EVERYWHERE[421]! } : EVERYWHERE),
    ...(body !== undefined && WITH_BODY),
    ...((route.method !== 'GET' || parameters.some(one => one.in === 'query')) && REFUSED),
    ...errors,
  }
  const failure = { 'application/json': { schema: schemas.of(ErrorAnswer) } }
  return {
    operationId: name,
    summary,
    ...(description !== undefined && { description }),
    ...(isOpen && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && {
      requestBody: { required: true, content: { 'application/json': { schema: schemas.of(body) } } },
    }),
    responses: {
      200: isJson
        ? { description: summary, content: { 'application/json': { schema: schemas.of(answer) } } }
        : { description: answer.about, content: { [answer.mediaType]: { schema: { type: 'string' } } } },
      ...Object.fromEntries(
        Object.entries(statuses).map(([status, text]) => [status, { description: text, content: failure }]),
      ),
    },
  }
}

function parametersOf(where: 'path' | 'query', shape: ObjectShape | undefined, schemas: Schemas): Json[] {
  return Object.entries(shape?.properties ?? {}).map(([name, { description, ...schema }]) => {
    const required = shape!.required.includes(name)
    // Written as one text, with commas.
    const style = schema.type === 'array' && { style: 'form', explode: false }
    return { name, in: where, required, description, ...style, schema: schemas.of(schema) }
  })
}

/** Shapes with a title become schemas of their own; others stay where they are. */
class Schemas {
  readonly named: Record<string, unknown> = {}

  of(shape: unknown): unknown {
    if (Array.isArray(shape)) return shape.map(one => this.of(one))
    if (typeof shape !== 'object' || shape === null) return shape
    const { title } = shape as { readonly title?: unknown }
    if (typeof title !== 'string') return this.inside(shape)
    this.named[title] ??= this.inside(shape)
    return { $ref: `#/components/schemas/${title}` }
  }

  private inside(shape: object): Json {
    return Object.fromEntries(
      Object.entries(shape)
        .filter(([name]) => name !== 'title')
        .map(([name, value]) => [name, this.of(value)]),
    )
  }
}
