import { catalogue } from '../../base/words/language.ts'

/** The help page of `escalona frontier`; the option lines go between `head` and `rest`. */
export const frontierHelp = catalogue({
  en: {
    head: `Examples
  escalona frontier redis://10.0.0.1:6379/news stats
  escalona frontier redis://10.0.0.1:6379/news hosts --sort waiting
  escalona frontier redis://10.0.0.1:6379/news explain https://example.org/
  escalona frontier redis://10.0.0.1:6379/news report -o report
  escalona frontier crawl export dump
  escalona frontier redis://10.0.0.1:6379/news import dump
  escalona frontier redis://10.0.0.1:6379/news clear

Usage: escalona frontier WHERE stats|hosts|explain URL|export DIR|import DIR|report|clear [options]

Looks into a frontier, moves it, or removes it. WHERE is the folder of a crawl or of a frontier, or
redis://HOST:PORT[,HOST:PORT...]/NAME. A password that the URL lacks is read from ESCALONA_REDIS_PASSWORD.

  stats          how many links are known, and what became of them; who works on the crawl
  hosts          hosts, how much is waiting at each, and when it can be asked again
  explain URL    what became of one URL
  export DIR     writes the whole frontier, with the crawl's settings and seeds, to a new folder
  import DIR     reads such a folder, or a crawl's, into a new or empty place, exactly as it was
  report         writes report.html and report.json about the whole crawl, over all machines
  clear          forgets everything, or with --host what waits at one host

`,
    options: {
      host: "hosts: only this host, * matches any text; clear: only this host's waiting links",
      sort: 'hosts: highest first, by waiting, pages, failures or delay',
      limit: 'hosts: at most N rows',
      json: 'stats, hosts, explain: as JSON',
      csv: 'hosts: comma-separated values, with a header line',
      output: "report: the folder for its files; default: the crawl's own folder",
      yes: 'clear: do not ask',
      force: 'clear: even while crawlers work on it',
      quiet: 'export, import: no progress and no summary',
    },
    rest: `
While a crawl runs, its folder can be looked into and exported. A name in Redis is exported when no crawler
works on it. An import that was interrupted leaves a place that refuses to be used until it is cleared.
docs/frontier.md describes the format of an export.
`,
  },
  pt: {
    head: `Exemplos
  escalona frontier redis://10.0.0.1:6379/news stats
  escalona frontier redis://10.0.0.1:6379/news hosts --sort waiting
  escalona frontier redis://10.0.0.1:6379/news explain https://example.org/
  escalona frontier redis://10.0.0.1:6379/news report -o relatorio
  escalona frontier crawl export dump
  escalona frontier redis://10.0.0.1:6379/news import dump
  escalona frontier redis://10.0.0.1:6379/news clear

Uso: escalona frontier WHERE stats|hosts|explain URL|export DIR|import DIR|report|clear [opções]

Examina uma fronteira, muda-a de lugar, ou a remove. WHERE é a pasta de uma coleta ou de uma fronteira, ou
redis://HOST:PORTA[,HOST:PORTA...]/NOME. Uma senha que falte na URL é lida de ESCALONA_REDIS_PASSWORD.

  stats          quantos links são conhecidos, e o destino deles; quem trabalha na coleta
  hosts          hosts, quanto espera em cada um, e quando podem ser consultados de novo
  explain URL    o destino de uma URL
  export DIR     grava a fronteira inteira, com configurações e sementes da coleta, numa pasta nova
  import DIR     lê uma pasta dessas, ou a de uma coleta, para um lugar novo ou vazio, exatamente como era
  report         escreve report.html e report.json sobre a coleta inteira, de todas as máquinas
  clear          esquece tudo, ou com --host o que espera em um host

`,
    options: {
      host: 'hosts: só este host, * combina com qualquer texto; clear: só os links que esperam neste host',
      sort: 'hosts: os maiores primeiro: waiting, pages, failures ou delay',
      limit: 'hosts: no máximo N linhas',
      json: 'stats, hosts, explain: como JSON',
      csv: 'hosts: valores separados por vírgulas, com uma linha de cabeçalho',
      output: 'report: a pasta dos seus arquivos; padrão: a pasta da própria coleta',
      yes: 'clear: não perguntar',
      force: 'clear: mesmo enquanto coletores trabalham nela',
      quiet: 'export, import: sem progresso nem resumo',
    },
    rest: `
Enquanto uma coleta roda, sua pasta pode ser examinada e exportada. Um nome no Redis é exportado quando nenhum
coletor trabalha nele. Uma importação interrompida deixa um lugar que não pode ser usado até ser esvaziado.
docs/frontier.md descreve o formato de uma exportação.
`,
  },
})
