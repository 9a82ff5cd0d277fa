import { Addresses } from '../../src/replay/rewrite/addresses.ts'
import { rewriteCss } from '../../src/replay/rewrite/css.ts'
import { rewritePage } from '../../src/replay/rewrite/page.ts'
import { prepareBase } from '../../src/url/web.ts'

const VISIT = { key: 'K', stamp: '20260102030405' }
const PAGE = 'http://a.example/dir/page.html'

export interface RewriteOptions {
  readonly isXml?: boolean
  readonly refresh?: string
  readonly hasStyle?: boolean
}

/** A page as the reading room writes it; the archive's addresses are shortened: `{page a.example/x}`. */
export function rewritten(html: string, { isXml = false, refresh, hasStyle = true }: RewriteOptions = {}): string {
  const { bytes } = rewritePage({
    bytes: Buffer.from(html),
    isXml,
    addressesFor: base => new Addresses(prepareBase(PAGE, base), 'utf-8', VISIT),
    refresh,
    hasStyle: () => hasStyle,
    words: { frame: 'Frame', leadsTo: 'Leads to' },
  })
  return shortened(bytes.toString())
}

export function rewrittenCss(css: string): string {
  return shortened(rewriteCss(css, new Addresses(prepareBase(PAGE), 'utf-8', VISIT)))
}

function shortened(text: string): string {
  return text.replace(
    /\/at\/K\/(\w+)\/20260102030405\/http%3A%2F%2F([\w.%-]+)/g,
    (_, use, url) => `{${use} ${decodeURIComponent(url)}}`,
  )
}
