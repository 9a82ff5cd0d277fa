import { catalogue } from '../../base/words/language.ts'
import { shownBytes, shownCount } from '../../base/words/quantity.ts'

function pages(count: number): string {
  return count === 1 ? '1 page' : `${shownCount(count)} pages`
}

function paginas(count: number): string {
  return count === 1 ? '1 página' : `${shownCount(count)} páginas`
}

/** The texts of `escalona search`; the option lines go between `head` and `rest`. */
export const searchWords = catalogue({
  en: {
    head: `Examples
  escalona search crawl vaccine schedule              pages that have both words
  escalona search crawl "open source" licence         a phrase, and a word
  escalona search crawl graduacao --host ufmg.br      also graduação; ufmg.br and its subdomains
  escalona search crawl energy --since 2026-01-01 --json | jq .url
  escalona search crawl --index                       build the index, and search later

Usage: escalona search DIR WORDS [options]

Finds archived pages by their text, title and URL; the best first. A page must have all words; case and
accents do not matter. An argument with blanks in it is a phrase.

`,
    options: {
      host: 'only pages of this host and its subdomains',
      since: 'only visits from this day on (UTC): 2026-01-31, or 2026-01-31T12:00Z',
      until: 'only visits up to this day',
      limit: 'at most N pages; default 10',
      json: 'one JSON object per line',
      index: 'bring the index up to date; no words are needed',
      rebuild: 'build the index anew, for instance when pages could not be read before',
      workers: 'threads that index; by default one per core',
      quiet: 'no progress and no summary',
    },
    rest: `
The first search builds an index in DIR/search, later ones add the pages that are new, even while the
crawl runs. Of a page that was visited several times the newest visit is found; a page that is gone is
not. DIR/search can be removed at any time. docs/search.md says more.
`,
    noQuestion: 'nothing to search for; write words after the folder, or --index to build the index only',
    badWorkers: (text: string, most: number) => `--workers takes a whole number from 1 to ${most}, not ${text}`,
    indexing: 'indexing the pages',
    untitled: '(untitled)',
    asItIs: (why: string) => `searching the index as it is: ${why}`,
    indexed: (count: number, bytes: number, seconds: string) =>
      `${pages(count)} in the index, ${shownBytes(bytes)}, ${seconds} s`,
    found: (shown: number, total: number, isEstimate: boolean, ms: string) =>
      `${shown === total ? `${pages(total)} found` : `the best ${shownCount(shown)} of ${isEstimate ? 'about ' : ''}${pages(total)}`}, ${ms} ms`,
    nothing: (indexed: number) =>
      `no page found; ${indexed === 1 ? '1 page is' : `${pages(indexed)} are`} in the index`,
    cut: 'too many pages have these words, but not as a phrase: only the best of them were read; add a rarer word',
    unread: (count: number, why: string) =>
      count === 1
        ? `1 page could not be read and cannot be found: ${why}`
        : `${pages(count)} could not be read and cannot be found; the first: ${why}`,
  },
  pt: {
    head: `Exemplos
  escalona search crawl calendario vacinas            páginas que têm as duas palavras
  escalona search crawl "código aberto" licença       uma frase, e uma palavra
  escalona search crawl graduacao --host ufmg.br      também graduação; ufmg.br e seus subdomínios
  escalona search crawl energia --since 2026-01-01 --json | jq .url
  escalona search crawl --index                       construir o índice, e buscar depois

Uso: escalona search DIR PALAVRAS [opções]

Encontra páginas arquivadas pelo texto, título e URL; as melhores primeiro. Uma página precisa ter todas
as palavras; maiúsculas e acentos não importam. Um argumento com espaços é uma frase.

`,
    options: {
      host: 'só páginas deste host e de seus subdomínios',
      since: 'só visitas a partir deste dia (UTC): 2026-01-31, ou 2026-01-31T12:00Z',
      until: 'só visitas até este dia',
      limit: 'no máximo N páginas; padrão 10',
      json: 'um objeto JSON por linha',
      index: 'atualizar o índice; não precisa de palavras',
      rebuild: 'construir o índice de novo, por exemplo quando antes não foi possível ler páginas',
      workers: 'threads que indexam; por padrão uma por núcleo',
      quiet: 'sem progresso e sem resumo',
    },
    rest: `
A primeira busca constrói um índice em DIR/search, as seguintes acrescentam as páginas novas, mesmo
enquanto a coleta roda. De uma página visitada várias vezes, encontra-se a visita mais nova; uma página
que sumiu não é encontrada. DIR/search pode ser removida a qualquer momento. docs/search.md diz mais.
`,
    noQuestion: 'nada a buscar; escreva palavras depois da pasta, ou --index para só construir o índice',
    badWorkers: (text, most) => `--workers recebe um número inteiro de 1 a ${most}, não ${text}`,
    indexing: 'indexando as páginas',
    untitled: '(sem título)',
    asItIs: why => `buscando no índice como ele está: ${why}`,
    indexed: (count, bytes, seconds) => `${paginas(count)} no índice, ${shownBytes(bytes)}, ${seconds} s`,
    found: (shown, total, isEstimate, ms) =>
      shown === total
        ? `${total === 1 ? '1 página encontrada' : `${paginas(total)} encontradas`}, ${ms} ms`
        : `as ${shownCount(shown)} melhores de ${isEstimate ? 'cerca de ' : ''}${paginas(total)}, ${ms} ms`,
    nothing: indexed => `nenhuma página encontrada; há ${paginas(indexed)} no índice`,
    cut: 'páginas demais têm estas palavras, mas não como frase: só as melhores foram lidas; acrescente uma palavra mais rara',
    unread: (count, why) =>
      count === 1
        ? `1 página não pôde ser lida e não pode ser encontrada: ${why}`
        : `${paginas(count)} não puderam ser lidas e não podem ser encontradas; a primeira: ${why}`,
  },
})
