import { EscalonaError } from '../../base/errors.ts'
import { excerpt } from '../../base/words/printable.ts'
import { type WebRefusal, webUrl } from '../../url/web.ts'

/** The canonical forms of a URL as people write it; without a scheme it may be https or http. */
export function canonicalForms(text: string): readonly string[] {
  if (typeof text !== 'string') throw new EscalonaError('CRAWL_BAD_URL', { text: String(text), why: 'malformed' })
  const hasScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(text.trim())
  const forms = hasScheme ? [text] : [`https://${text.trim()}`, `http://${text.trim()}`]
  const found = forms.map(form => webUrl(form))
  const refusal = found.find((one): one is WebRefusal => typeof one === 'string')
  if (refusal !== undefined) throw new EscalonaError('CRAWL_BAD_URL', { text: excerpt(text), why: refusal })
  return found.map(one => (one as { readonly href: string }).href)
}
