import type { WebUrl } from '../url/web.ts'

/** A link as it stands on a page. */
export interface Anchor {
  readonly url: WebUrl
  /** What a reader sees of it, words divided by one blank; at most 500 UTF-16 units, empty for a frame or a refresh. */
  readonly text: string
  /** The words of its `rel` in lower case, divided by one blank; at most 100 UTF-16 units. */
  readonly rel: string
}
