import { catalogue } from '../../base/words/language.ts'

/** Help page and messages of `escalona wacz`. */
export const waczWords = catalogue({
  en: {
    head: `Examples
  escalona wacz crawl                          writes crawl.wacz; open it at https://replayweb.page
  escalona wacz crawl -o /mnt/shared/ufmg.wacz --text
  escalona wacz crawl -o - | ssh archive 'cat > ufmg.wacz'

Usage: escalona wacz DIR [options]

Packs the archive of a crawl into one WACZ file (version 1.1.1) with its index and page list, for
replayweb.page and other players.

`,
    options: {
      output: 'where to write it; DIR.wacz by default, - is standard output',
      text: 'with the visible text of every page, so that players can search it',
      quiet: 'errors only',
    },
    rest: `
FILE is replaced at once when the new one is complete. While the crawl runs, its finished WARC files are
packed: each holds 1,000 pages. DIR is only read. docs/wacz.md describes what is in the file.
`,
    packing: 'packing',
    standardOutput: 'standard output',
    insideFolder: (path: string) =>
      `${path} is in the folder of the crawl, where only a name that ends in .wacz is safe; choose another`,
    packed: (path: string, files: string, pages: string, answers: string, bytes: string) =>
      `${path}: WARC files ${files}, pages ${pages}, answers ${answers}, ${bytes}`,
    inProgress: 'the WARC file in progress is left out; pack again when the crawl has ended',
    missing: (count: string, first: string) =>
      `WARC files that were moved away are left out: ${count}, the first is ${first}; to have them packed, put them back`,
    elsewhere: (count: string, first: string) =>
      `some pages are stored as revisits, and their bodies are in files that were moved away: ${count}, the first is ${first}; players cannot show these pages without them`,
    unread: (count: string, why: string) =>
      `some of the archive could not be read, so pages are not listed or without text: ${count}; the first: ${why}`,
  },
  pt: {
    head: `Exemplos
  escalona wacz crawl                          escreve crawl.wacz; abra-o em https://replayweb.page
  escalona wacz crawl -o /mnt/shared/ufmg.wacz --text
  escalona wacz crawl -o - | ssh arquivo 'cat > ufmg.wacz'

Uso: escalona wacz DIR [opções]

Empacota o arquivo de uma coleta num só arquivo WACZ (versão 1.1.1), com índice e lista de páginas,
para o replayweb.page e outros leitores.

`,
    options: {
      output: 'onde escrever; DIR.wacz por padrão, - é a saída padrão',
      text: 'com o texto visível de cada página, para que os leitores possam fazer buscas',
      quiet: 'só erros',
    },
    rest: `
FILE é substituído de uma vez quando o novo está completo. Enquanto a coleta roda, são empacotados os
arquivos WARC prontos: cada um tem 1.000 páginas. DIR só é lido. docs/wacz.md descreve o conteúdo.
`,
    packing: 'empacotando',
    standardOutput: 'saída padrão',
    insideFolder: path =>
      `${path} fica na pasta da coleta, onde só é seguro um nome que termine em .wacz; escolha outro`,
    packed: (path, files, pages, answers, bytes) =>
      `${path}: arquivos WARC ${files}, páginas ${pages}, respostas ${answers}, ${bytes}`,
    inProgress: 'o arquivo WARC em andamento ficou de fora; empacote de novo quando a coleta terminar',
    missing: (count, first) =>
      `arquivos WARC levados para outro lugar ficaram de fora: ${count}, o primeiro é ${first}; para empacotá-los, ponha-os de volta`,
    elsewhere: (count, first) =>
      `algumas páginas estão guardadas como revisitas, e seus corpos estão em arquivos levados para outro lugar: ${count}, o primeiro é ${first}; sem eles os leitores não mostram essas páginas`,
    unread: (count, why) =>
      `parte do arquivo da coleta não pôde ser lida, então há páginas fora da lista ou sem texto: ${count}; a primeira: ${why}`,
  },
})
