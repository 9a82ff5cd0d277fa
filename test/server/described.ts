import assert from 'node:assert/strict'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Answered } from './ask-server.ts'

export interface Description {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}
interface Operation {
  readonly operationId: string
  readonly responses: Readonly<Record<string, { readonly content: Readonly<Record<string, unknown>> }>>
}

/** The description that a server gives of itself. */
export async function describedBy(ask: (path: string) => Promise<Answered>): Promise<Description> {
  return JSON.parse((await ask('/openapi.json')).text) as Description
}

/** The description's own schema of an answer decides. */
export class Judge {
  private readonly ajv = new Ajv2020({ strict: false })

  constructor(all: Description) {
    this.ajv.addSchema(all, 'api')
  }

  isAsDescribed(path: string, method: string, { status, headers, text }: Answered): void {
    const what = `${method} ${path} ${status}`
    assert.match(headers['content-type'] ?? '', /^application\/json/, what)
    const content = ['responses', String(status), 'content', 'application/json', 'schema']
    const place = ['paths', path, method.toLowerCase(), ...content]
    const pointer = place.map(part => encodeURIComponent(part.replaceAll('/', '~1'))).join('/')
    const validate = this.ajv.getSchema(`api#/${pointer}`)
    assert.ok(validate, `${what} is not described`)
    assert.ok(validate(JSON.parse(text)), `${what}: ${JSON.stringify(validate.errors)}: ${text.slice(0, 500)}`)
  }
}
