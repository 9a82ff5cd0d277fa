import type { ReadingRoom } from '../replay/reading-room.ts'
import { type AddressUse, AT, readAtPath } from '../replay/rewrite/at-path.ts'
import { type Asked, languageIn, refusal } from './asked.ts'
import { HEADERS } from './gate.ts'
import type { ReadingKeys } from './reading-keys.ts'

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
  // Asked for by a document whose origin equals no other; the key in the path is what keeps others out.
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

/** The answer under `/at/`. The gate has checked the name in `Host`; the key in the path stands for the token. */
export async function archivedContent(asked: Asked, room: ReadingRoom, keys: ReadingKeys): Promise<Response> {
  for (const [name, value] of Object.entries(ARCHIVED_HEADERS)) asked.env.outgoing.setHeader(name, value)
  if (asked.req.method !== 'GET' && asked.req.method !== 'HEAD')
    throw refusal(asked, 'UI_WRONG_METHOD', words => words.wrongMethod('GET'))
  // As it came: nothing has been decoded, or taken apart at dots.
  const path = readAtPath((asked.env.incoming.url ?? '').split('?', 1)[0]!)
  if (path === undefined || !keys.isKey(path.key)) throw refusal(asked, 'UI_NO_SUCH_ROUTE', words => words.noSuchRoute)
  if (!isMeant(asked, path.use)) throw refusal(asked, 'UI_FOREIGN_ORIGIN', words => words.foreignOrigin)
  const sent = await room.sent(path, languageIn(asked))
  if (sent === undefined) throw refusal(asked, 'UI_NO_SUCH_ROUTE', words => words.noSuchRoute)
  if (sent.shown !== undefined) keys.note(path.key, sent.shown)
  const { status, contentType, body } = sent
  return asked.body(new Uint8Array(body.buffer as ArrayBuffer, body.byteOffset, body.byteLength), status, {
    'content-type': contentType,
  })
}

/**
 * Whether the browser wants what the address is for. Style sheets, images and fonts are for archived documents only, which are in a
 * sandbox: no page of ours can be made to load them. Browsers that do not say get what the address is for, and nothing else.
 */
function isMeant(asked: Asked, use: AddressUse): boolean {
  const { 'sec-fetch-dest': destination, 'sec-fetch-site': site } = asked.env.incoming.headers
  if (typeof destination !== 'string') return true
  if (!DESTINATIONS[use].includes(destination)) return false
  return use === 'page' || site === 'cross-site'
}
