import { catalogue } from '../base/words/language.ts'

/** What a crawl says when it begins and when it ends. */
export const endingWords = catalogue({
  en: {
    begins: (folder: string, seeds: string, isOne: boolean) =>
      `a new crawl in ${folder}, from ${seeds} ${isOne ? 'seed' : 'seeds'}`,
    goesOn: (folder: string, pages: string, since: string, waiting: string) =>
      `going on in ${folder}: ${pages} since ${since}, ${waiting} waiting`,
    changed: (changes: string) => `changed: ${changes}`,
    change: (setting: string, before: string, now: string) => `${setting} ${before} → ${now}`,
    seedsAdded: (seeds: string, isOne: boolean) => `${seeds} ${isOne ? 'seed' : 'seeds'} added`,
    requeued: (links: string, reasons: string) => `back in the queue: ${links} (${reasons})`,
    noContact: (userAgent: string) =>
      `hosts see "${userAgent}" and nobody to write to; give them a contact with --contact`,
    slower: (delay: string) => `, and consider a longer --delay than ${delay}, such as 1s`,
    endings: {
      limit: 'the limit is reached',
      'nothing left': 'nothing is left to do',
      stopped: 'stopped; the same command goes on',
      time: 'the time is over (--max-time); the same command goes on',
      bytes: 'the archive has the size of --max-bytes',
    },
    pages: (count: string, isOne: boolean) => `${count} ${isOne ? 'page' : 'pages'}`,
    links: (count: string, isOne: boolean) => `${count} ${isOne ? 'link' : 'links'}`,
    ofHosts: (pages: string, hosts: string, isOne: boolean) => `${pages} of ${hosts} ${isOne ? 'host' : 'hosts'}`,
    queued: (count: string) => `${count} queued`,
    known: (count: string) => `known links ${count}`,
    archived: 'archived',
    redirected: 'redirected',
    refused: 'refused',
    failed: 'failed',
    held: 'held',
    waiting: 'waiting',
    leased: 'open',
    nothingArchived: 'no page was archived',
    down: (links: string, why: string) =>
      `${links} left at hosts that could not be asked${why}; the same command tries them again`,
    failures: (command: string) => `which ones failed: ${command}`,
    report: (path: string) => `the report: ${path}`,
    reportUnwritable: (folder: string, reason: string) => `cannot write the report in ${folder}: ${reason}`,
  },
  pt: {
    begins: (folder, seeds, isOne) =>
      `nova coleta em ${folder}, a partir de ${seeds} ${isOne ? 'semente' : 'sementes'}`,
    goesOn: (folder, pages, since, waiting) =>
      `continuando em ${folder}: ${pages} desde ${since}, ${waiting} esperando`,
    changed: changes => `mudou: ${changes}`,
    change: (setting, before, now) => `${setting} ${before} → ${now}`,
    seedsAdded: (seeds, isOne) => `${seeds} ${isOne ? 'semente acrescentada' : 'sementes acrescentadas'}`,
    requeued: (links, reasons) => `de volta à fila: ${links} (${reasons})`,
    noContact: userAgent => `os hosts veem "${userAgent}" e ninguém a quem escrever; dê um contato com --contact`,
    slower: delay => `, e considere um --delay maior que ${delay}, como 1s`,
    endings: {
      limit: 'o limite foi atingido',
      'nothing left': 'não há mais nada a fazer',
      stopped: 'parou; o mesmo comando continua',
      time: 'o tempo acabou (--max-time); o mesmo comando continua',
      bytes: 'o arquivo chegou ao tamanho de --max-bytes',
    },
    pages: (count, isOne) => `${count} ${isOne ? 'página' : 'páginas'}`,
    links: (count, isOne) => `${count} ${isOne ? 'link' : 'links'}`,
    ofHosts: (pages, hosts, isOne) => `${pages} de ${hosts} ${isOne ? 'host' : 'hosts'}`,
    queued: count => `${count} na fila`,
    known: count => `links conhecidos ${count}`,
    archived: 'arquivados',
    redirected: 'redirecionados',
    refused: 'recusados',
    failed: 'falharam',
    held: 'retidos',
    waiting: 'esperando',
    leased: 'abertos',
    nothingArchived: 'nenhuma página foi arquivada',
    down: (links, why) => `${links} em hosts que não puderam ser consultados${why}; o mesmo comando tenta de novo`,
    failures: command => `quais falharam: ${command}`,
    report: path => `o relatório: ${path}`,
    reportUnwritable: (folder, reason) => `não é possível escrever o relatório em ${folder}: ${reason}`,
  },
})
