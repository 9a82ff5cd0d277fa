import { EscalonaError } from '../../base/errors.ts'
import { catalogue } from '../../base/words/language.ts'
import { excerpt } from '../../base/words/printable.ts'
import { type WebRefusal, webUrl } from '../../url/web.ts'

const words = catalogue({
  en: {
    badUrl: (text: string, why: string) =>
      `${text} is not a web address that a crawl could know (${why}); write https://host/path`,
  },
  pt: {
    badUrl: (text: string, why: string) =>
      `${text} não é um endereço da web que uma coleta possa conhecer (${why}); escreva https://host/caminho`,
  },
})

/** The canonical forms of a URL as people write it; without a scheme it may be https or http. */
export function canonicalForms(text: string): readonly string[] {
  if (typeof text !== 'string')
    throw new EscalonaError('CRAWL_BAD_URL', () => words().badUrl(String(text), 'malformed'))
  const hasScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(text.trim())
  const forms = hasScheme ? [text] : [`https://${text.trim()}`, `http://${text.trim()}`]
  const found = forms.map(form => webUrl(form))
  const refusal = found.find((one): one is WebRefusal => typeof one === 'string')
  if (refusal !== undefined) throw new EscalonaError('CRAWL_BAD_URL', () => words().badUrl(excerpt(text), refusal))
  return found.map(one => (one as { readonly href: string }).href)
}
