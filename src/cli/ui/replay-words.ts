import { catalogue } from '../../base/words/language.ts'

/** The messages and the help page of `replay`. */
export const replayWords = catalogue({
  en: {
    where: (url: string) => `reading room: ${url}`,
    head: `Examples
  escalona replay crawl                     read the archived pages of the crawl in the folder crawl
  escalona replay crawl --port 8080         … always on the same port

Usage: escalona replay DIR [options]

Shows archived pages in a browser: find them by title and URL, see when each was visited, read it
as it was, and compare any two visits. Open the address that is printed. No script of an archived
page runs, and nothing in it reaches the web. Works while the crawl runs, too.

`,
    rest: `
Ctrl-C ends it. For replay with scripts: escalona wacz DIR, and open the file on replayweb.page.
docs/replay.md describes the reading room and how it keeps archived pages in.
`,
  },
  pt: {
    where: url => `sala de leitura: ${url}`,
    head: `Exemplos
  escalona replay crawl                     ler as páginas arquivadas da coleta na pasta crawl
  escalona replay crawl --port 8080         … sempre na mesma porta

Uso: escalona replay DIR [opções]

Mostra as páginas arquivadas num navegador: ache-as por título e URL, veja quando cada uma foi
visitada, leia-a como era, e compare duas visitas quaisquer. Abra o endereço mostrado. Nenhum
script de uma página arquivada roda, e nada nela alcança a web. Funciona também durante a coleta.

`,
    rest: `
Ctrl-C a encerra. Para rever com scripts: escalona wacz DIR, e abra o arquivo em replayweb.page.
docs/replay.md descreve a sala de leitura e como ela contém as páginas arquivadas.
`,
  },
})
