import { catalogue } from '../../base/words/language.ts'

/** Messages at the start and at the end of a crawl. */
export const endingWords = catalogue({
  en: {
    begins: (folder: string, seeds: string, isOne: boolean) =>
      `a new crawl in ${folder}, from ${seeds} ${isOne ? 'seed' : 'seeds'}`,
    beginsShared: (where: string, folder: string, seeds: string, isOne: boolean) =>
      `a new crawl at ${where}, from ${seeds} ${isOne ? 'seed' : 'seeds'}; the pages of this machine go to ${folder}; others join with escalona crawl --frontier ${where} -o DIR`,
    joins: (where: string, folder: string, pages: string, waiting: string, others: string, isOne: boolean) =>
      `joining the crawl at ${where} with ${others === '0' ? 'no other machine' : `${others} other ${isOne ? 'machine' : 'machines'}`}: ${pages}, ${waiting} waiting; the pages of this machine go to ${folder}`,
    goesOn: (folder: string, pages: string, since: string, waiting: string) =>
      `going on in ${folder}: ${pages} since ${since}, ${waiting} waiting`,
    paused: (folder: string) => `the crawl is paused, and makes no requests; to go on: escalona resume ${folder}`,
    changed: (changes: string) => `changed: ${changes}`,
    change: (setting: string, before: string, now: string) => `${setting} ${before} → ${now}`,
    seedsAdded: (seeds: string, isOne: boolean) => `${seeds} ${isOne ? 'seed' : 'seeds'} added`,
    requeued: (links: string, reasons: string) => `back in the queue: ${links} (${reasons})`,
    noContact: (userAgent: string) => `hosts see "${userAgent}", with no one to contact; name a contact with --contact`,
    slower: (delay: string) => `, and consider a longer --delay than ${delay}, such as 1s`,
    unsent: (header: string, host: string, origin: string, instead: string) =>
      `${header} for ${host} is not sent to ${origin}, since its port differs or it is http; to send it, write ${instead} as the host`,
    noSuchSeed: (header: string, host: string) =>
      `${header} for ${host}: no seed is on this host; it is sent only if a link leads there`,
    endings: {
      limit: 'the limit is reached',
      'nothing left': 'nothing is left to do',
      stopped: 'stopped; run the same command to continue',
      time: 'the time is up (--max-time); run the same command to continue',
      bytes: 'the archive has reached --max-bytes',
    },
    share: (pages: string, percent: number, machines: string, isOne: boolean, command: string) =>
      `of these pages, ${pages} are in this folder (${percent} %)${isOne ? '' : `; ${machines} machines worked on the crawl at the same time`}; requests and times are this machine's; for all machines: ${command}`,
    losses: (count: string) =>
      `the frontier's engine forgot what it had acknowledged ${count}×; it was offered again, and some pages may be in the archives twice`,
    pages: (count: string, isOne: boolean) => `${count} ${isOne ? 'page' : 'pages'}`,
    links: (count: string, isOne: boolean) => `${count} ${isOne ? 'link' : 'links'}`,
    ofHosts: (pages: string, hosts: string, isOne: boolean) => `${pages} of ${hosts} ${isOne ? 'host' : 'hosts'}`,
    queued: (count: string) => `${count} queued`,
    known: (count: string) => `known links ${count}`,
    archived: (_isOne: boolean) => 'archived',
    redirected: (_isOne: boolean) => 'redirected',
    refused: (_isOne: boolean) => 'refused',
    failed: (_isOne: boolean) => 'failed',
    held: (_isOne: boolean) => 'held',
    waiting: (_isOne: boolean) => 'waiting',
    leased: (_isOne: boolean) => 'open',
    sitemaps: (count: string) => `sitemaps ${count}`,
    sitemapsRead: (_isOne: boolean) => 'read',
    sitemapsNotRead: (_isOne: boolean) => 'not read',
    visitsAgain: (count: string) => `visits again ${count}`,
    revisits: {
      changed: (_isOne: boolean) => 'changed',
      same: (_isOne: boolean) => 'the same',
      gone: (_isOne: boolean) => 'gone',
      failed: (_isOne: boolean) => 'failed',
    },
    nothingArchived: 'no page was archived',
    raiseLimit: (pages: string) => `the crawl already has ${pages}; raise the limit with -n, or remove it with -n none`,
    raiseBytes: 'raise the size with --max-bytes, or remove the limit with --max-bytes none',
    nothingToRetry: (what: string) => `--retry ${what}: no such link in this crawl`,
    secretsMissing: (names: string) => `secrets are not kept in the folder; give these again: ${names}`,
    down: (links: string, why: string) =>
      `${links} left at hosts that could not be reached${why}; run the same command to try them again`,
    failures: (command: string) => `to list what failed: ${command}`,
    report: (path: string) => `report: ${path}`,
    reportUnwritable: (folder: string, reason: string) => `cannot write the report in ${folder}: ${reason}`,
  },
  pt: {
    begins: (folder, seeds, isOne) =>
      `nova coleta em ${folder}, a partir de ${seeds} ${isOne ? 'semente' : 'sementes'}`,
    beginsShared: (where, folder, seeds, isOne) =>
      `nova coleta em ${where}, a partir de ${seeds} ${isOne ? 'semente' : 'sementes'}; as páginas desta máquina vão para ${folder}; outras entram com escalona crawl --frontier ${where} -o DIR`,
    joins: (where, folder, pages, waiting, others, isOne) =>
      `entrando na coleta em ${where} com ${others === '0' ? 'nenhuma outra máquina' : `${others} ${isOne ? 'outra máquina' : 'outras máquinas'}`}: ${pages}, ${waiting} esperando; as páginas desta máquina vão para ${folder}`,
    goesOn: (folder, pages, since, waiting) =>
      `continuando em ${folder}: ${pages} desde ${since}, ${waiting} esperando`,
    paused: folder => `a coleta está em pausa e não faz requisições; para continuar: escalona resume ${folder}`,
    changed: changes => `mudou: ${changes}`,
    change: (setting, before, now) => `${setting} ${before} → ${now}`,
    seedsAdded: (seeds, isOne) => `${seeds} ${isOne ? 'semente acrescentada' : 'sementes acrescentadas'}`,
    requeued: (links, reasons) => `de volta à fila: ${links} (${reasons})`,
    noContact: userAgent => `os hosts veem "${userAgent}", sem contato; indique um com --contact`,
    slower: delay => `, e considere um --delay maior que ${delay}, como 1s`,
    unsent: (header, host, origin, instead) =>
      `${header} para ${host} não é enviado a ${origin}, pois a porta é outra ou é http; para enviá-lo, escreva ${instead} como host`,
    noSuchSeed: (header, host) =>
      `${header} para ${host}: nenhuma semente está nesse host; só é enviado se um link levar a ele`,
    endings: {
      limit: 'o limite foi atingido',
      'nothing left': 'não há mais nada a fazer',
      stopped: 'parou; execute o mesmo comando para continuar',
      time: 'o tempo acabou (--max-time); execute o mesmo comando para continuar',
      bytes: 'o arquivo chegou a --max-bytes',
    },
    share: (pages, percent, machines, isOne, command) =>
      `destas páginas, ${pages} estão nesta pasta (${percent} %)${isOne ? '' : `; ${machines} máquinas trabalharam na coleta ao mesmo tempo`}; requisições e tempos são desta máquina; de todas as máquinas: ${command}`,
    losses: count =>
      `o servidor da fronteira esqueceu o que tinha confirmado ${count}×; foi oferecido de novo, e algumas páginas podem estar duas vezes nos arquivos`,
    pages: (count, isOne) => `${count} ${isOne ? 'página' : 'páginas'}`,
    links: (count, isOne) => `${count} ${isOne ? 'link' : 'links'}`,
    ofHosts: (pages, hosts, isOne) => `${pages} de ${hosts} ${isOne ? 'host' : 'hosts'}`,
    queued: count => `${count} na fila`,
    known: count => `links conhecidos ${count}`,
    archived: isOne => (isOne ? 'arquivado' : 'arquivados'),
    redirected: isOne => (isOne ? 'redirecionado' : 'redirecionados'),
    refused: isOne => (isOne ? 'recusado' : 'recusados'),
    failed: isOne => (isOne ? 'falhou' : 'falharam'),
    held: isOne => (isOne ? 'retido' : 'retidos'),
    waiting: () => 'esperando',
    leased: isOne => (isOne ? 'aberto' : 'abertos'),
    sitemaps: count => `sitemaps ${count}`,
    sitemapsRead: isOne => (isOne ? 'lido' : 'lidos'),
    sitemapsNotRead: isOne => (isOne ? 'não lido' : 'não lidos'),
    visitsAgain: count => `novas visitas ${count}`,
    revisits: {
      changed: isOne => (isOne ? 'mudou' : 'mudaram'),
      same: isOne => (isOne ? 'igual' : 'iguais'),
      gone: isOne => (isOne ? 'sumiu' : 'sumiram'),
      failed: isOne => (isOne ? 'falhou' : 'falharam'),
    },
    nothingArchived: 'nenhuma página foi arquivada',
    raiseLimit: pages => `a coleta já tem ${pages}; aumente o limite com -n, ou retire-o com -n none`,
    raiseBytes: 'aumente o tamanho com --max-bytes, ou retire o limite com --max-bytes none',
    nothingToRetry: what => `--retry ${what}: não há link assim nesta coleta`,
    secretsMissing: names => `segredos não são guardados na pasta; indique de novo: ${names}`,
    down: (links, why) =>
      `${links} em hosts que não puderam ser alcançados${why}; execute o mesmo comando para tentar de novo`,
    failures: command => `para listar o que falhou: ${command}`,
    report: path => `relatório: ${path}`,
    reportUnwritable: (folder, reason) => `não é possível escrever o relatório em ${folder}: ${reason}`,
  },
})
