import { catalogue } from '../../base/words/language.ts'

/** The help pages of the commands that look at a crawl; the option lines go between `head` and `rest`. */
export const lookHelp = catalogue({
  en: {
    options: {
      json: 'one JSON object per line',
      csv: 'comma-separated values, with a header line',
      limit: 'at most N rows',
    },
    status: {
      head: `Examples
  escalona status crawl
  watch -n 5 escalona status crawl
  escalona status crawl --json | jq .waterfall

Usage: escalona status DIR

Where a crawl stands, even while it runs: what it is waiting for, what became of every known link
(the numbers add up), its hosts, requests and disk use, and the folder's settings, seeds and runs.

`,
      rest: `
This never disturbs the crawl: DIR is only read. docs/reading.md describes every field.
`,
    },
    hosts: {
      head: `Examples
  escalona hosts crawl --sort waiting          the hosts with the most waiting links
  escalona hosts crawl --sort delay -n 10      the hosts that ask for the longest delays
  escalona hosts crawl --host '*.example.org'
  escalona hosts crawl --csv > hosts.csv

Usage: escalona hosts DIR [options]

Hosts, how much is waiting at each, and when it can be asked again.

`,
      options: {
        host: "only this host, with its port if it has one; * matches any text: '*.example.org'",
        sort: 'highest first, by waiting, pages, failures or delay; 100 rows unless -n says otherwise, at most 10,000',
      },
      rest: `
Without --sort, hosts are listed as they are read, in the order in which they were discovered.
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
          'done (archived), failed (errors, after all retries), refused (by the host or its robots.txt), held (kept out by a setting) or waiting; repeatable; all of them by default',
        reason: "only links that ended for this reason; * matches any text: 'status-4*'",
        host: "only links of this host, with its port if it has one; * matches any text: '*.example.org'",
      },
      rest: `
Links are listed as they are read, in the order in which they were discovered; piping into head ends at once.
docs/reading.md describes every column, docs/crawl.md every reason.
`,
    },
    explain: {
      head: `Examples
  escalona explain crawl https://example.org/private/
  escalona explain crawl example.org --json

Usage: escalona explain DIR URL

What became of one URL, and why: its state, the reason and what to do about it, its place in the
queue, what robots.txt and the current settings say about it, where it was found, and where it is in
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

Prints the archived answer for one URL.

`,
      options: {
        headers: 'the status line and headers, as archived',
        html: 'the page, byte for byte as archived; on a terminal, control characters are escaped (default)',
        text: 'the visible text',
        links: 'the links, one canonical URL per line',
      },
      rest: `
If there are several answers, the newest is shown. Redirects and robots.txt are found too.
`,
    },
  },
  pt: {
    options: {
      json: 'um objeto JSON por linha',
      csv: 'valores separados por vírgulas, com uma linha de cabeçalho',
      limit: 'no máximo N linhas',
    },
    status: {
      head: `Exemplos
  escalona status crawl
  watch -n 5 escalona status crawl
  escalona status crawl --json | jq .waterfall

Uso: escalona status DIR

Em que pé está uma coleta, mesmo enquanto ela roda: o que ela espera, o destino de todos os links
conhecidos (a soma fecha), hosts, requisições e uso de disco, e as configurações, sementes e
execuções da pasta.

`,
      rest: `
Isto nunca atrapalha a coleta: DIR só é lido. docs/reading.md descreve cada campo.
`,
    },
    hosts: {
      head: `Exemplos
  escalona hosts crawl --sort waiting          os hosts com mais links esperando
  escalona hosts crawl --sort delay -n 10      quem pede as pausas mais longas
  escalona hosts crawl --host '*.example.org'
  escalona hosts crawl --csv > hosts.csv

Uso: escalona hosts DIR [opções]

Hosts, quanto espera em cada um, e quando podem ser consultados de novo.

`,
      options: {
        host: "só este host, com a porta se houver; * combina com qualquer texto: '*.example.org'",
        sort: 'os maiores primeiro: waiting, pages, failures ou delay; 100 linhas se -n não disser outra coisa, no máximo 10.000',
      },
      rest: `
Sem --sort, os hosts são listados à medida que são lidos, na ordem em que foram descobertos.
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

Links e o destino de cada um.

`,
      options: {
        state:
          'done (arquivados), failed (erros, depois de todas as tentativas), refused (pelo host ou pelo robots.txt), held (retidos por uma configuração) ou waiting (esperando); pode ser repetida; todos por padrão',
        reason: "só links que terminaram por este motivo; * combina com qualquer texto: 'status-4*'",
        host: "só links deste host, com a porta se houver; * combina com qualquer texto: '*.example.org'",
      },
      rest: `
Os links são listados à medida que são lidos, na ordem em que foram descobertos; com head, termina na hora.
docs/reading.md descreve cada coluna, docs/crawl.md cada motivo.
`,
    },
    explain: {
      head: `Exemplos
  escalona explain crawl https://example.org/privado/
  escalona explain crawl example.org --json

Uso: escalona explain DIR URL

O destino de uma URL, e por quê: o estado, o motivo e o que fazer a respeito, o lugar na fila, o que
dizem dela o robots.txt e as configurações atuais, onde foi achada, e onde está no arquivo.

`,
      rest: '',
    },
    cat: {
      head: `Exemplos
  escalona cat crawl https://example.org/ > pagina.html
  escalona cat crawl https://example.org/ --text
  escalona cat crawl https://example.org/robots.txt

Uso: escalona cat DIR URL [opções]

Mostra a resposta arquivada de uma URL.

`,
      options: {
        headers: 'a linha de estado e os cabeçalhos, como arquivados',
        html: 'a página, byte por byte como arquivada; num terminal, sem caracteres de controle (padrão)',
        text: 'o texto visível',
        links: 'os links, uma URL canônica por linha',
      },
      rest: `
Se houver várias respostas, mostra a mais nova. Redirecionamentos e robots.txt também são achados.
`,
    },
  },
})
