import { headerOf } from '../base/words/raw-headers.ts'
import type { Exchange } from '../fetch/exchange.ts'

/** Pages with more words are never taken for a challenge: they may be about one. */
export const MOST_CHALLENGE_WORDS = 400
/** Of a page, so much is searched for marks. */
const SEARCHED_BYTES = 64 << 10

/** A mark that occurs more often than this is not looked at any more: what comes before each place has to be read. */
const MOST_PLACES = 8

/** What recognises a challenge of one provider; where each fact comes from is in docs/challenges.md. */
interface Marks {
  readonly by: string
  /** A field of the answer and its values. */
  readonly header?: readonly [name: string, values: readonly string[]]
  /** Elements that only a challenge has, each with a text that is in it: looking for that is many times as fast. */
  readonly elements?: readonly (readonly [text: string, element: RegExp])[]
  /** Texts that all are in scripts of the page. */
  readonly scripts?: readonly string[]
  /** What other pages may have too: it is a mark where there are no words. A page that programs fill has none either, so it must ask not to be indexed. */
  readonly wordless?: readonly [text: string, element: RegExp]
}

const CHALLENGES: readonly Marks[] = [
  {
    by: 'Cloudflare',
    header: ['cf-mitigated', ['challenge']],
    scripts: ['._cf_chl_opt', '/cdn-cgi/challenge-platform/'],
  },
  { by: 'Vercel', header: ['x-vercel-mitigated', ['challenge']] },
  { by: 'AWS WAF', header: ['x-amzn-waf-action', ['challenge', 'captcha']] },
  {
    by: 'Anubis',
    elements: [
      ['_challenge"', /<script\s[^>]{0,200}id="anubis_challenge"/],
      ['/.within.', /<script\s[^>]{0,200}src="[^">]{0,200}\/\.within\.website\/x\/cmd\/anubis\/static\/js\//],
    ],
  },
  {
    by: 'DataDome',
    elements: [['-delivery.com/', /<script\s[^>]{0,200}src="https:\/\/ct\.captcha-delivery\.com\/[ci]\.js"/]],
  },
  { by: 'Akamai', elements: [['-if-cpt-', /<div\s[^>]{0,200}id="sec-if-cpt-container"/]] },
  {
    by: 'Imperva',
    elements: [
      [
        '_Incapsula_',
        /<iframe\s[^>]{0,200}\/_Incapsula_Resource\?[^>]{0,1000}>Request unsuccessful\. Incapsula incident ID/,
      ],
    ],
    wordless: [
      '_Incapsula_',
      /<meta\s[^>]{0,100}noindex[^>]{0,100}>[\s\S]{0,1000}<script\s[^>]{0,200}src="\/_Incapsula_Resource\?/i,
    ],
  },
  { by: 'Sucuri', scripts: ['_cloudproxy_js='] },
]

/** Who answered with a challenge, by the fields of the answer alone. */
export function challengeInHead({ headers }: Pick<Exchange, 'headers'>): string | undefined {
  return CHALLENGES.find(({ header }) => {
    if (header === undefined) return false
    const [name, values] = header
    return values.includes(headerOf(headers, name)?.trim().toLowerCase() ?? '')
  })?.by
}

/** Who made the page, if it is a challenge. `countWords`: called only if a mark was found. */
export function challengeInPage({ body }: Pick<Exchange, 'body'>, countWords: () => number): string | undefined {
  const text = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, SEARCHED_BYTES)).toString('latin1')
  for (const { by, elements = [], scripts, wordless } of CHALLENGES) {
    const has = ([mark, element]: readonly [string, RegExp]) => text.includes(mark) && element.test(text)
    const isMarked = elements.some(has) || scripts?.every(mark => isInScript(text, mark))
    const most = isMarked ? MOST_CHALLENGE_WORDS : wordless !== undefined && has(wordless) ? 0 : undefined
    if (most !== undefined && countWords() <= most) return by
  }
  return undefined
}

/** Inside a script, and not in one of data, such as the text of an article. */
function isInScript(text: string, mark: string): boolean {
  let at = -1
  for (let left = MOST_PLACES; left > 0; left--) {
    at = text.indexOf(mark, at + 1)
    if (at < 0) return false
    const start = text.lastIndexOf('<script', at)
    if (start < 0 || text.lastIndexOf('</script', at) > start) continue
    const tag = text.slice(start, text.indexOf('>', start) + 1)
    if (!tag.includes('json')) return true
  }
  return false
}
