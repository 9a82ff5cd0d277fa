import { EscalonaError } from '../base/errors.ts'
import { catalogue } from '../base/words/language.ts'

/** The messages of this module. */
export const words = catalogue({
  en: {
    damaged: 'the search index is damaged; remove the folder search/ of the crawl, and it is built again',
    noWords: 'there is no word to search for; write at least one letter or digit',
    tooManyWords: (most: number) => `a search takes at most ${most} different words; leave some out`,
    badDate: (text: string) => `${text} is not a date; write it as 2026-01-31 or 2026-01-31T12:00Z`,
    died: (why: string) => `a thread of the indexer died: ${why}; start again, and it continues where it was`,
    aborted: 'indexing was interrupted; start again, and it continues where it was',
    noPagesFile: (path: string) => `${path} is missing, which lists the archived pages; put a copy back`,
    badLine: (path: string, offset: number) => `${path} is damaged at byte ${offset}: this is not a line`,
    cannotWrite: (folder: string, why: string) =>
      `cannot write the search index in ${folder}: ${why}; make the folder writable, or search a copy of it`,
  },
  pt: {
    damaged: 'o índice de busca está danificado; remova a pasta search/ da coleta, e ele é construído de novo',
    noWords: 'não há palavra a buscar; escreva pelo menos uma letra ou um algarismo',
    tooManyWords: most => `uma busca aceita no máximo ${most} palavras diferentes; retire algumas`,
    badDate: text => `${text} não é uma data; escreva 2026-01-31 ou 2026-01-31T12:00Z`,
    died: why => `uma thread do indexador morreu: ${why}; comece de novo, e ele continua de onde estava`,
    aborted: 'a indexação foi interrompida; comece de novo, e ela continua de onde estava',
    noPagesFile: path => `falta ${path}, que lista as páginas arquivadas; ponha uma cópia de volta`,
    badLine: (path, offset) => `${path} está danificado no byte ${offset}: isto não é uma linha`,
    cannotWrite: (folder, why) =>
      `não é possível gravar o índice de busca em ${folder}: ${why}; permita a escrita na pasta, ou busque numa cópia dela`,
  },
})

export function indexDamaged(): EscalonaError {
  return new EscalonaError('SEARCH_DAMAGED', words().damaged)
}
