import { catalogue } from '../base/words/language.ts'

/** The help pages of the commands that look at a crawl; the lines of the options come between `head` and `rest`. */
export const lookHelp = catalogue({
  en: {
    options: {
      json: 'one JSON object per line',
      csv: 'comma-separated values, with a line of names first',
      limit: 'at most N rows',
    },
    status: {
      head: `Examples
  escalona status crawl
  watch -n 5 escalona status crawl
  escalona status crawl --json | jq .waterfall

Usage: escalona status DIR

Where a crawl stands, also while it runs: what it waits for, what became of all known links (it adds
up), its hosts, requests and disk use, and the settings, seeds and runs of the folder.

`,
      rest: `
Looking never disturbs the crawl: DIR is only read. docs/reading.md describes every field.
`,
    },
    hosts: {
      head: `Examples
  escalona hosts crawl --sort waiting          the hosts with the most waiting links
  escalona hosts crawl --sort delay -n 10      who asks for the longest pauses
  escalona hosts crawl --host '*.example.org'
  escalona hosts crawl --csv > hosts.csv

Usage: escalona hosts DIR [options]

Hosts, what waits there, and when they can be asked again.

`,
      options: {
        host: "only this host, with its port if it has one; * stands for any text: '*.example.org'",
        sort: 'the highest first: waiting, pages, failures or delay; 100 rows unless -n says otherwise, at most 10,000',
      },
      rest: `
Without --sort, hosts come in the order in which they became known, as they are read.
`,
    },
    list: {
      head: `Examples
  escalona list crawl --state failed           which URLs failed, and why
  escalona list crawl --state refused --reason 'status-4*'
  escalona list crawl --state held --reason scope | head
  escalona list crawl --state waiting --host example.org
  escalona list crawl --state done --csv > pages.csv

Usage: escalona list DIR [options]

Links and what became of them.

`,
      options: {
        state:
          'done (archived), failed (errors, after all retries), refused (by the host or its robots.txt), held (kept out by a setting) or waiting; may be repeated; all of them by default',
        reason: "only links that ended for this reason; * stands for any text: 'status-4*'",
        host: "only links of this host, with its port if it has one; * stands for any text: '*.example.org'",
      },
      rest: `
Rows come as they are read, in the order in which links became known: | head ends at once.
docs/reading.md describes every column, docs/crawl.md every reason.
`,
    },
    explain: {
      head: `Examples
  escalona explain crawl https://example.org/private/
  escalona explain crawl example.org --json

Usage: escalona explain DIR URL

What became of one URL, and why: its state, the reason with what to do about it, its place in the
queue, what robots.txt and the settings of now say about it, where it was found, and where it lies in
the archive.

`,
      rest: '',
    },
    cat: {
      head: `Examples
  escalona cat crawl https://example.org/ > page.html
  escalona cat crawl https://example.org/ --text
  escalona cat crawl https://example.org/robots.txt

Usage: escalona cat DIR URL [options]

What is in the archive for one URL.

`,
      options: {
        headers: 'status line and headers, as archived',
        html: 'the page, byte for byte as archived; made safe to look at on a terminal (default)',
        text: 'its visible words',
        links: 'its links, one canonical URL per line',
      },
      rest: `
Of several answers the newest is shown. Redirects and robots.txt are found too.
`,
    },
  },
  pt: {
    options: {
      json: 'um objeto JSON por linha',
      csv: 'valores separados por vírgulas, com uma linha de nomes no início',
      limit: 'no máximo N linhas',
    },
    status: {
      head: `Exemplos
  escalona status crawl
  watch -n 5 escalona status crawl
  escalona status crawl --json | jq .waterfall

Uso: escalona status DIR

Em que pé está uma coleta, também enquanto ela roda: o que ela espera, o que foi feito de todos os
links conhecidos (a soma fecha), hosts, requisições e uso de disco, e os ajustes, sementes e
execuções da pasta.

`,
      rest: `
Olhar nunca atrapalha a coleta: DIR só é lido. docs/reading.md descreve cada campo.
`,
    },
    hosts: {
      head: `Exemplos
  escalona hosts crawl --sort waiting          os hosts com mais links esperando
  escalona hosts crawl --sort delay -n 10      quem pede as pausas mais longas
  escalona hosts crawl --host '*.example.org'
  escalona hosts crawl --csv > hosts.csv

Uso: escalona hosts DIR [opções]

Hosts, o que espera neles, e quando podem ser consultados de novo.

`,
      options: {
        host: "só este host, com a porta se houver; * vale por qualquer texto: '*.example.org'",
        sort: 'os maiores primeiro: waiting, pages, failures ou delay; 100 linhas se -n não disser outra coisa, no máximo 10.000',
      },
      rest: `
Sem --sort, os hosts vêm na ordem em que ficaram conhecidos, à medida que são lidos.
`,
    },
    list: {
      head: `Exemplos
  escalona list crawl --state failed           quais URLs falharam, e por quê
  escalona list crawl --state refused --reason 'status-4*'
  escalona list crawl --state held --reason scope | head
  escalona list crawl --state waiting --host example.org
  escalona list crawl --state done --csv > paginas.csv

Uso: escalona list DIR [opções]

Links e o que foi feito deles.

`,
      options: {
        state:
          'done (arquivados), failed (erros, depois de todas as tentativas), refused (pelo host ou pelo robots.txt), held (retidos por um ajuste) ou waiting (esperando); pode ser repetida; todos por padrão',
        reason: "só links que terminaram por este motivo; * vale por qualquer texto: 'status-4*'",
        host: "só links deste host, com a porta se houver; * vale por qualquer texto: '*.example.org'",
      },
      rest: `
As linhas vêm à medida que são lidas, na ordem em que os links ficaram conhecidos: | head termina na hora.
docs/reading.md descreve cada coluna, docs/crawl.md cada motivo.
`,
    },
    explain: {
      head: `Exemplos
  escalona explain crawl https://example.org/privado/
  escalona explain crawl example.org --json

Uso: escalona explain DIR URL

O que foi feito de uma URL, e por quê: o estado, o motivo e o que fazer a respeito, o lugar na fila, o
que dizem dela o robots.txt e os ajustes de agora, onde foi achada, e onde está no arquivo.

`,
      rest: '',
    },
    cat: {
      head: `Exemplos
  escalona cat crawl https://example.org/ > pagina.html
  escalona cat crawl https://example.org/ --text
  escalona cat crawl https://example.org/robots.txt

Uso: escalona cat DIR URL [opções]

O que há no arquivo para uma URL.

`,
      options: {
        headers: 'linha de estado e cabeçalhos, como arquivados',
        html: 'a página, byte por byte como arquivada; num terminal, segura de olhar (padrão)',
        text: 'as palavras visíveis',
        links: 'os links, uma URL canônica por linha',
      },
      rest: `
De várias respostas, mostra-se a mais nova. Redirecionamentos e robots.txt também são achados.
`,
    },
  },
})
