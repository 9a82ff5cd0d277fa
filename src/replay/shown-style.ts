import { decodePage } from '../extract/charset.ts'
import { prepareBase } from '../url/web.ts'
import type { ArchivedAnswer } from './archived-answer.ts'
import { Addresses } from './rewrite/addresses.ts'
import { stampOf } from './rewrite/at-path.ts'
import { rewriteCss } from './rewrite/css.ts'

/** How much of a style sheet is read. */
const MOST_BYTES = 1 << 22

/** A style sheet with all addresses leading into the archive, in UTF-8. */
export function shownStyle({ url, body, contentType, visit }: ArchivedAnswer, key: string): Buffer {
  const start = body.subarray(0, MOST_BYTES)
  const { bytes } = decodePage(
    start,
    charsetIn(contentType) ?? charsetIn(declaredIn(start)) ?? 'text/css;charset=utf-8',
  )
  const addresses = new Addresses(prepareBase(url), 'utf-8', { key, stamp: stampOf(visit.dateMs) })
  return Buffer.from(rewriteCss(bytes.toString(), addresses))
}

function charsetIn(contentType: string | undefined): string | undefined {
  return contentType !== undefined && /;\s*charset\s*=/i.test(contentType) ? contentType : undefined
}

/** CSS Syntax 3, 3.2: `@charset "…";` in the very first bytes. */
function declaredIn(body: Buffer): string | undefined {
  const label = /^@charset "([\w.:-]{1,40})";/.exec(body.toString('latin1', 0, 64))?.[1]
  return label === undefined ? undefined : `text/css;charset=${label}`
}
