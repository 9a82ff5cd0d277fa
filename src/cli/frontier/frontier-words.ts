import { catalogue } from '../../base/words/language.ts'

/** The help page and the messages of `escalona frontier`. */
export const frontierWords = catalogue({
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
docs/frontier-folder.md describes the format of an export.
`,
    noWhere: 'no frontier given; name the folder of a crawl or of a frontier, or redis://HOST:PORT/NAME',
    noAction: (actions: string) => `say what to do with the frontier: ${actions}`,
    noSuchAction: (text: string, actions: string) => `there is no action ${text}; choose one of ${actions}`,
    noArgument: (action: string, name: string) => `${action} takes ${name}; write it after ${action}`,
    notAFolder: (action: string) =>
      `${action} takes a folder, not a URL; to move between two frontiers, export to a folder and import it`,
    foreignOption: (option: string, action: string) => `${option} is not an option of ${action}`,
    exporting: (links: string) => `${links} links exported`,
    importing: (links: string) => `${links} links imported`,
    exported: (links: string, hosts: string, folder: string, bytes: string, seconds: string) =>
      `${links} links of ${hosts} hosts exported to ${folder} (${bytes}) in ${seconds} s`,
    imported: (links: string, hosts: string, where: string, seconds: string) =>
      `${links} links of ${hosts} hosts imported into ${where} in ${seconds} s`,
    exportStopped: 'stopped; nothing was exported',
    importStopped: (where: string, command: string) =>
      `stopped; ${where} is unfinished and cannot be used; remove what is there with ${command}`,
    sure: (where: string) => `Forget everything in ${where}, including which URLs were ever seen? Type yes: `,
    sureHost: (host: string, where: string) => `Forget all links that wait at ${host} in ${where}? Type yes: `,
    yes: 'yes',
    sayYes: 'clear forgets for good; give --yes to confirm it',
    notCleared: 'nothing was changed',
    cleared: (where: string) => `${where} is empty now`,
    hostCleared: (host: string, where: string) => `nothing waits at ${host} in ${where} any more`,
    noSuchHost: (host: string, where: string) =>
      `the host ${host} is not known in ${where}; nothing was changed; escalona frontier WHERE hosts lists those that are`,
    noOutput: 'report needs a folder for report.html and report.json; name it with -o DIR',
    reported: (path: string) => `the report is in ${path}`,
    crawlers: 'crawlers',
    shards: 'shards',
    auxiliaries: 'auxiliary links',
    turnedAway: 'turned away',
    crawler: (id: string, pages: string, ago: string) => `${id}: ${pages} pages, ${ago}`,
    heard: (ago: string) => `last seen ${ago} ago`,
    left: 'has left',
    nobody: 'none',
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
docs/frontier-folder.md descreve o formato de uma exportação.
`,
    noWhere: 'falta a fronteira; indique a pasta de uma coleta ou de uma fronteira, ou redis://HOST:PORTA/NOME',
    noAction: actions => `diga o que fazer com a fronteira: ${actions}`,
    noSuchAction: (text, actions) => `não existe a ação ${text}; escolha uma destas: ${actions}`,
    noArgument: (action, name) => `${action} recebe ${name}; escreva-o depois de ${action}`,
    notAFolder: action =>
      `${action} recebe uma pasta, não uma URL; para mover entre duas fronteiras, exporte para uma pasta e importe-a`,
    foreignOption: (option, action) => `${option} não é uma opção de ${action}`,
    exporting: links => `${links} links exportados`,
    importing: links => `${links} links importados`,
    exported: (links, hosts, folder, bytes, seconds) =>
      `${links} links de ${hosts} hosts exportados para ${folder} (${bytes}) em ${seconds} s`,
    imported: (links, hosts, where, seconds) =>
      `${links} links de ${hosts} hosts importados em ${where} em ${seconds} s`,
    exportStopped: 'interrompido; nada foi exportado',
    importStopped: (where, command) =>
      `interrompido; ${where} está incompleto e não pode ser usado; remova o que está lá com ${command}`,
    sure: where => `Esquecer tudo em ${where}, inclusive quais URLs já foram vistas? Digite sim: `,
    sureHost: (host, where) => `Esquecer todos os links que esperam em ${host} em ${where}? Digite sim: `,
    yes: 'sim',
    sayYes: 'clear esquece para sempre; dê --yes para confirmar',
    notCleared: 'nada foi mudado',
    cleared: where => `nada resta em ${where}`,
    hostCleared: (host, where) => `nada mais espera em ${host} em ${where}`,
    noSuchHost: (host, where) =>
      `o host ${host} não é conhecido em ${where}; nada foi mudado; escalona frontier WHERE hosts lista os conhecidos`,
    noOutput: 'report precisa de uma pasta para report.html e report.json; indique-a com -o DIR',
    reported: path => `o relatório está em ${path}`,
    crawlers: 'coletores',
    shards: 'partes',
    auxiliaries: 'links auxiliares',
    turnedAway: 'rejeitados',
    crawler: (id, pages, ago) => `${id}: ${pages} páginas, ${ago}`,
    heard: ago => `visto há ${ago}`,
    left: 'saiu',
    nobody: 'nenhum',
  },
})
