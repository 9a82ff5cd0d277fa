import { catalogue } from '../../base/words/language.ts'

/** Messages about the live page, and the help page of `ui`. */
export const uiWords = catalogue({
  en: {
    livePage: (url: string) => `live page: ${url}`,
    /** In place of a token that its user knows. */
    yourToken: 'YOUR_TOKEN',
    inTheClear: (address: string) =>
      `the live page is served on ${address} over plain HTTP: others on the network can read it and its token; better: the default address and a tunnel, such as ssh -L 8080:127.0.0.1:8080`,
    shortToken: (chars: number) => `the token is short enough to be guessed; use at least ${chars} characters`,
    badPort: (option: string, text: string) => `${option} takes a port from 0 to 65535, not ${text}`,
    badAddress: (text: string) => `--ui-bind takes an IP address or a name of this machine, not ${text}`,
    badToken: (most: number) => `a token is at most ${most} letters, digits and signs, without spaces; choose another`,
    withoutUi: (option: string) => `${option} does nothing without --ui; add --ui`,
    head: `Examples
  escalona ui crawl                         the pages, hosts and links of the crawl in the folder crawl
  escalona ui crawls                        all crawls in the folder crawls, on one page
  escalona ui crawl --port 8080             … always on the same port
  ESCALONA_UI_TOKEN=… escalona ui crawl     … with a token of your own

Usage: escalona ui DIR [options]

Shows a crawl in a browser: its state, its hosts and pages, and why a URL was or was not
fetched. Open the address that is printed. Of a crawl that has ended, everything is read-only; one
that runs in another process is shown live, and can be paused, changed and stopped. A DIR whose
folders are crawls shows a list of them; each can be opened.

`,
    options: {
      port: 'the port to serve it on (default: a free one)',
      'ui-bind': 'the address to serve it on (default 127.0.0.1: only this machine)',
      'ui-token': 'the token that the page asks for (default: a new one), better set in ESCALONA_UI_TOKEN',
    },
    rest: `
Ctrl-C ends the page, never the crawl. To watch a crawl from its start: escalona crawl … --ui.
docs/live.md describes the page and its API.
`,
  },
  pt: {
    livePage: url => `página ao vivo: ${url}`,
    yourToken: 'SEU_TOKEN',
    inTheClear: address =>
      `a página ao vivo é servida em ${address} por HTTP simples: outros na rede podem lê-la, e o token também; melhor: o endereço padrão e um túnel, como ssh -L 8080:127.0.0.1:8080`,
    shortToken: chars => `o token é curto e pode ser adivinhado; use ao menos ${chars} caracteres`,
    badPort: (option, text) => `${option} recebe uma porta de 0 a 65535, não ${text}`,
    badAddress: text => `--ui-bind recebe um endereço IP ou um nome desta máquina, não ${text}`,
    badToken: most => `um token tem no máximo ${most} letras, dígitos e sinais, sem espaços; escolha outro`,
    withoutUi: option => `${option} não faz nada sem --ui; acrescente --ui`,
    head: `Exemplos
  escalona ui crawl                         as páginas, hosts e links da coleta na pasta crawl
  escalona ui coletas                       todas as coletas da pasta coletas, numa página
  escalona ui crawl --port 8080             … sempre na mesma porta
  ESCALONA_UI_TOKEN=… escalona ui crawl     … com um token seu

Uso: escalona ui DIR [opções]

Mostra uma coleta num navegador: em que pé está, seus hosts e páginas, e por que uma URL foi ou não
coletada. Abra o endereço mostrado. Uma coleta que terminou só pode ser lida; uma que roda em outro
processo é mostrada ao vivo, e pode ser pausada, alterada e encerrada. De uma DIR cujas pastas são
coletas, mostra a lista delas; cada uma pode ser aberta.

`,
    options: {
      port: 'a porta em que servi-la (padrão: uma livre)',
      'ui-bind': 'o endereço em que servi-la (padrão 127.0.0.1: só esta máquina)',
      'ui-token': 'o token que a página pede (padrão: um novo); melhor em ESCALONA_UI_TOKEN',
    },
    rest: `
Ctrl-C encerra a página, nunca a coleta. Para acompanhar uma coleta do início: escalona crawl … --ui.
docs/live.md descreve a página e sua API.
`,
  },
})

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
