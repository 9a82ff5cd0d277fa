import { createHmac } from 'node:crypto'
import { EscalonaError } from '../base/errors.ts'
import { unguessable } from '../base/random.ts'
import type { FrameView, ReadingRoom } from '../replay/reading-room.ts'
import { type AddressUse, AT, readAtPath } from '../replay/rewrite/at-path.ts'
import { HEADERS, isSame } from './access-control.ts'
import { languageIn, type RequestContext } from './request-context.ts'

/**
 * Sent with everything under `/at/`, whatever it is: no scripts, no forms, no popups, an origin of its own that equals no other,
 * and nothing loaded from anywhere but this server. docs/decisions/0021-reading-room.md says what each part is for.
 */
const ARCHIVED_POLICY = [
  'sandbox',
  "default-src 'none'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
].join('; ')

/** Instead of those of the same names that come with all other answers. No header of an archived answer is ever sent. */
export const ARCHIVED_HEADERS: Readonly<Record<string, string>> = {
  ...HEADERS,
  'content-security-policy': ARCHIVED_POLICY,
  // As frame-ancestors, for browsers that do not know that.
  'x-frame-options': 'SAMEORIGIN',
  // RequestContext for by a document whose origin equals no other; the key in the path is what keeps others out.
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': 'null',
  'x-dns-prefetch-control': 'off',
  'permissions-policy': 'autoplay=(), browsing-topics=(), camera=(), fullscreen=(), geolocation=(), microphone=()',
}

/** What a browser may say that it wants an answer for. */
const DESTINATIONS: Readonly<Record<AddressUse, readonly string[]>> = {
  page: ['document', 'iframe'],
  image: ['image'],
  style: ['style'],
  font: ['font'],
}

export function isArchivedPath(path: string): boolean {
  return path.startsWith(AT)
}

/** The answer under `/at/`. The name in `Host` has been checked; the key in the path replaces the token. */
export async function archivedContent(
  context: RequestContext,
  roomOf: (crawl: number) => ReadingRoom,
  keys: ReadingKeys,
): Promise<Response> {
  for (const [name, value] of Object.entries(ARCHIVED_HEADERS)) context.env.outgoing.setHeader(name, value)
  if (context.req.method !== 'GET' && context.req.method !== 'HEAD')
    throw new EscalonaError('UI_WRONG_METHOD', { methods: 'GET' })
  // As it came: nothing has been decoded, or taken apart at dots.
  const path = readAtPath((context.env.incoming.url ?? '').split('?', 1)[0]!)
  if (path === undefined || !keys.isKey(path.key)) throw new EscalonaError('UI_NO_SUCH_ROUTE')
  if (!isMeant(context, path.use)) throw new EscalonaError('UI_FOREIGN_ORIGIN')
  const sent = await roomOf(keys.crawlOf(path.key)).sent(path, languageIn(context))
  if (sent === undefined) throw new EscalonaError('UI_NO_SUCH_ROUTE')
  if (sent.shown !== undefined) keys.note(path.key, sent.shown)
  const { status, contentType, body } = sent
  return context.body(new Uint8Array(body.buffer as ArrayBuffer, body.byteOffset, body.byteLength), status, {
    'content-type': contentType,
  })
}

/**
 * Whether the browser wants what the address is for. Style sheets, images and fonts are for archived documents only, which are in a
 * sandbox: no page of ours can be made to load them. Browsers that do not say get what the address is for, and nothing else.
 */
function isMeant(context: RequestContext, use: AddressUse): boolean {
  const { 'sec-fetch-dest': destination, 'sec-fetch-site': site } = context.env.incoming.headers
  if (typeof destination !== 'string') return true
  if (!DESTINATIONS[use].includes(destination)) return false
  return use === 'page' || site === 'cross-site'
}

/** Of how many frames it is known what they show. */
const MOST_FRAMES = 256

/**
 * Keys to archived content. A document in a sandbox has an origin that equals no other, so it asks for its style sheets and images
 * without the cookie; the key in the path says that its owner had the cookie. It opens nothing else, and ends
 * with the process. Each frame has its own: so the page around a frame, which may not look into it, can ask what it shows.
 */
export class ReadingKeys {
  private readonly secret: string
  private readonly views = new Map<string, FrameView>()

  constructor(secret: string) {
    this.secret = secret
  }

  /** `crawl`: the one whose pages it opens. */
  make(crawl: number): string {
    const name = `${crawl}-${unguessable()}`
    return `${name}.${this.signOf(name)}`
  }

  isKey(given: string): boolean {
    const [name = '', sign = ''] = given.split('.')
    return isSame(sign, this.signOf(name))
  }

  /** The crawl whose pages a right key opens. */
  crawlOf(key: string): number {
    return Number.parseInt(key, 10)
  }

  /** The frame with this key shows something else now. */
  note(key: string, view: FrameView): void {
    this.views.delete(key)
    this.views.set(key, view)
    if (this.views.size > MOST_FRAMES) this.views.delete(this.views.keys().next().value!)
  }

  /** What the frame with this key shows; undefined when it has shown nothing, or too many others have since. */
  viewOf(key: string): FrameView | undefined {
    return this.views.get(key)
  }

  private signOf(name: string): string {
    return createHmac('sha256', this.secret).update(name).digest('base64url').slice(0, 22)
  }
}
