import type { TObject, TSchema } from 'typebox'

/** A route of the API: what it accepts, what it answers, and what it is for. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH'
  /** Parameters of the path in braces, as OpenAPI writes them. */
  readonly path: string
  readonly summary: string
  readonly description?: string
  readonly params?: TObject
  readonly query?: TObject
  /** The body of a request, as JSON. */
  readonly body?: TObject
  /** What the server itself checks of the body, if not all: the crawl says better what it does not accept. */
  readonly checked?: TObject
  /** JSON of this shape, or text of another media type. */
  readonly answer: TSchema | { readonly mediaType: string; readonly description: string }
  /** What can go wrong beyond what can go wrong everywhere, by status. */
  readonly errors?: Readonly<Record<number, string>>
  /** Answered without the token. */
  readonly isOpen?: boolean
}
