import { catalogue } from '../../base/words/language.ts'

function also(meant: string | undefined, question: (meant: string) => string): string {
  return meant === undefined ? '' : `; ${question(meant)}`
}

/** Messages of the commands that look at a crawl: `status`, `hosts`, `list`, `explain`, `cat`. */
export const lookWords = catalogue({
  en: {
    noFolder: 'no folder given; name the folder of a crawl',
    noUrl: 'no URL given; write it after the folder',
    badLimit: (text: string) => `--limit takes a whole number from 1 up, not ${text}`,
    badChoice: (option: string, choices: string, text: string, meant: string | undefined) =>
      `${option} takes one of ${choices}, not ${text}${also(meant, word => `did you mean ${word}?`)}`,
    nothingListed: 'no such links in this crawl',
    noSuchReason: (reason: string, known: string) =>
      `no link ended for the reason ${reason}; reasons in this crawl: ${known === '' ? 'none' : known}`,
    noHosts: 'no such host in this crawl',
    noPage: (url: string, status: number, command: string) =>
      `${url} answered with status ${status} and is no page; ${command} prints the head of the answer`,
    notArchived: (url: string, folder: string) =>
      `the archive has no answer from ${url}; escalona explain ${folder} ${url} says why`,
    redirects: (url: string, target: string, command: string) => `${url} redirected to ${target}; ${command}`,
    redirectsNowhere: (url: string, command: string) => `${url} redirected, but not to a web address; ${command}`,
    now: 'now',
    titles: {
      state: 'STATE',
      reason: 'REASON',
      attempts: 'TRIES',
      hops: 'HOPS',
      host: 'HOST',
      waiting: 'WAITING',
      pages: 'PAGES',
      failures: 'FAILURES',
      delay: 'DELAY',
      readyIn: 'READY IN',
      waitsFor: 'BECAUSE OF',
    },
    hostStates: { idle: 'idle', waiting: 'waiting', leased: 'leased', down: 'down' },
    waterfall: {
      known: 'known links',
      archived: 'archived',
      redirected: 'redirected',
      refused: 'refused',
      failed: 'failed',
      held: 'held',
      waiting: 'waiting',
      leased: 'leased',
    },
    status: {
      running: (pid: string, host: string, since: string | undefined) =>
        `running (process ${pid}${host === '' ? '' : ` on ${host}`})${since === undefined ? '' : ` since ${since}`}`,
      unseen: (host: string) =>
        `in use by a process on ${host} that cannot be seen from here; these numbers come from its files`,
      ended: (at: string, why: string) => `ended ${at}${why === '' ? '' : `: ${why}`}`,
      notRunning: 'not running',
      killed: 'not running; its last run was killed or ended with an error. Continue it with escalona resume',
      now: (open: string, rate: string) => `now: ${open} requests open, ${rate} pages per second`,
      titles: {
        hosts: 'hosts',
        work: 'requests',
        sitemaps: 'sitemaps',
        again: 'again',
        disk: 'disk',
        frontier: 'frontier',
        settings: 'settings',
        seeds: 'seeds',
        runs: 'runs',
      },
      shared: (where: string, machines: string, isOne: boolean, own: string, all: string) =>
        `${where}, shared, ${machines} ${isOne ? 'machine' : 'machines'} at work; ${own} of ${all} pages are in this folder`,
      losses: (count: string) => `forgot what it had acknowledged ${count}×; it was offered again`,
      sitemaps: (read: string, notRead: string, _isOneRead: boolean, _isOneNot: boolean) =>
        `${read} read, ${notRead} not read`,
      again: (planned: string, due: string) => `pages to visit again: ${planned}; due now: ${due}`,
      hosts: (known: string, ready: string, resting: string, down: string) =>
        `${known} known: ${ready} ready to be asked, ${resting} waiting for their delay, ${down} down`,
      work: (requests: string, bytes: string, time: string) => `${requests}, ${bytes} received in ${time} of work`,
      rate: (rate: string) => `, ${rate} pages per second on average`,
      disk: { archive: 'archive', index: 'index', frontier: 'frontier', lists: 'lists', other: 'other' },
      defaults: 'all at their defaults',
      unknown: 'unknown: crawl.json is missing',
      more: (count: string) => `${count} more`,
      notRemembered: (count: string) => `beyond --max-held, only counted: ${count}`,
      earlier: (count: string, isOne: boolean) => `${count} earlier ${isOne ? 'run' : 'runs'}`,
      run: (began: string, ended: string, why: string) => `${began} to ${ended}${why === '' ? '' : `: ${why}`}`,
      runRuns: (began: string) => `${began}, still running`,
      runKilled: (began: string) => `${began}, killed or ended with an error`,
    },
  },
  pt: {
    noFolder: 'falta a pasta; indique a pasta de uma coleta',
    noUrl: 'falta a URL; escreva-a depois da pasta',
    badLimit: text => `--limit recebe um número inteiro a partir de 1, não ${text}`,
    badChoice: (option, choices, text, meant) =>
      `${option} recebe um destes: ${choices}; não ${text}${also(meant, word => `você quis dizer ${word}?`)}`,
    nothingListed: 'não há links assim nesta coleta',
    noSuchReason: (reason, known) =>
      `nenhum link terminou pelo motivo ${reason}; motivos nesta coleta: ${known === '' ? 'nenhum' : known}`,
    noHosts: 'não há host assim nesta coleta',
    noPage: (url, status, command) =>
      `${url} respondeu com o status ${status} e não é uma página; ${command} imprime o cabeçalho da resposta`,
    notArchived: (url, folder) => `o arquivo não tem resposta de ${url}; escalona explain ${folder} ${url} diz por quê`,
    redirects: (url, target, command) => `${url} redirecionou para ${target}; ${command}`,
    redirectsNowhere: (url, command) => `${url} redirecionou, mas não para um endereço da web; ${command}`,
    now: 'agora',
    titles: {
      state: 'ESTADO',
      reason: 'MOTIVO',
      attempts: 'TENT.',
      hops: 'DIST',
      host: 'HOST',
      waiting: 'ESPERAM',
      pages: 'PÁGINAS',
      failures: 'FALHAS',
      delay: 'PAUSA',
      readyIn: 'PRONTO EM',
      waitsFor: 'POR CAUSA DE',
    },
    hostStates: { idle: 'ocioso', waiting: 'esperando', leased: 'em coleta', down: 'fora do ar' },
    waterfall: {
      known: 'links conhecidos',
      archived: 'arquivados',
      redirected: 'redirecionados',
      refused: 'recusados',
      failed: 'falharam',
      held: 'retidos',
      waiting: 'esperando',
      leased: 'em coleta',
    },
    status: {
      running: (pid, host, since) =>
        `em execução (processo ${pid}${host === '' ? '' : ` em ${host}`})${since === undefined ? '' : ` desde ${since}`}`,
      unseen: host => `em uso por um processo em ${host} que não é visível daqui; os números são os dos arquivos`,
      ended: (at, why) => `terminou em ${at}${why === '' ? '' : `: ${why}`}`,
      notRunning: 'parada',
      killed: 'parada; a última execução foi morta ou terminou com erro. Continue com escalona resume',
      now: (open, rate) => `agora: ${open} requisições abertas, ${rate} páginas por segundo`,
      titles: {
        hosts: 'hosts',
        work: 'requisições',
        sitemaps: 'sitemaps',
        again: 'de novo',
        disk: 'disco',
        frontier: 'fronteira',
        settings: 'configurações',
        seeds: 'sementes',
        runs: 'execuções',
      },
      shared: (where, machines, isOne, own, all) =>
        `${where}, compartilhada, ${machines} ${isOne ? 'máquina' : 'máquinas'} em ação; ${own} de ${all} páginas estão nesta pasta`,
      losses: count => `esqueceu o que tinha confirmado ${count}×; foi oferecido de novo`,
      sitemaps: (read, notRead, isOneRead, isOneNot) =>
        `${read} ${isOneRead ? 'lido' : 'lidos'}, ${notRead} não ${isOneNot ? 'lido' : 'lidos'}`,
      again: (planned, due) => `páginas a visitar de novo: ${planned}; já na hora: ${due}`,
      hosts: (known, ready, resting, down) =>
        `${known} no total; prontos agora: ${ready}; à espera do intervalo: ${resting}; fora do ar: ${down}`,
      work: (requests, bytes, time) => `${requests}, ${bytes} recebidos em ${time} de trabalho`,
      rate: rate => `, ${rate} páginas por segundo em média`,
      disk: { archive: 'arquivo', index: 'índice', frontier: 'fronteira', lists: 'listas', other: 'outros' },
      defaults: 'todas com o valor padrão',
      unknown: 'desconhecidas: falta crawl.json',
      more: count => `mais ${count}`,
      notRemembered: count => `além de --max-held, só contados: ${count}`,
      earlier: (count, isOne) => `${count} ${isOne ? 'execução anterior' : 'execuções anteriores'}`,
      run: (began, ended, why) => `${began} a ${ended}${why === '' ? '' : `: ${why}`}`,
      runRuns: began => `${began}, ainda em execução`,
      runKilled: began => `${began}, morta ou terminada com erro`,
    },
  },
})
