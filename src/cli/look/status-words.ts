import { catalogue } from '../../base/words/language.ts'

/** The help page of `status`, and how it shows a crawl. */
export const statusWords = catalogue({
  en: {
    head: `Examples
  escalona status crawl
  watch -n 5 escalona status crawl
  escalona status crawl --json | jq .waterfall

Usage: escalona status DIR

The state of a crawl, even while it runs: what it is waiting for, what became of every known link
(the numbers add up), its hosts, requests and disk use, and the folder's settings, seeds and runs.

`,
    rest: `
This never disturbs the crawl: DIR is only read. docs/reading.md describes every field.
`,
    waterfall: {
      known: 'known links',
      archived: 'archived',
      redirected: 'redirected',
      refused: 'refused',
      failed: 'failed',
      held: 'held',
      waiting: 'waiting',
      leased: 'being fetched',
    },
    running: (pid: string, host: string, since: string | undefined) =>
      `running (process ${pid}${host === '' ? '' : ` on ${host}`})${since === undefined ? '' : ` since ${since}`}`,
    unseen: (host: string) =>
      `in use by a process on ${host} that cannot be seen from here; these numbers come from its files`,
    ended: (at: string, why: string) => `ended ${at}${why === '' ? '' : `: ${why}`}`,
    notRunning: 'not running',
    killed: 'not running; its last run was killed or ended with an error. Continue it with escalona resume',
    now: (open: string, rate: string, isOne: boolean) =>
      `now: ${open} ${isOne ? 'request' : 'requests'} open, ${rate} pages per second`,
    titles: {
      hosts: 'hosts',
      work: 'requests',
      sitemaps: 'sitemaps',
      again: 'again',
      disk: 'disk',
      challenges: 'challenges',
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
    hosts: (known: string, ready: string, resting: string, down: string) =>
      `${known} known: ${ready} ready to be asked, ${resting} waiting for their delay; down: ${down}`,
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
  pt: {
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
    running: (pid, host, since) =>
      `em execução (processo ${pid}${host === '' ? '' : ` em ${host}`})${since === undefined ? '' : ` desde ${since}`}`,
    unseen: host => `em uso por um processo em ${host} que não é visível daqui; os números são os dos arquivos`,
    ended: (at, why) => `terminou em ${at}${why === '' ? '' : `: ${why}`}`,
    notRunning: 'parada',
    killed: 'parada; a última execução foi morta ou terminou com erro. Continue com escalona resume',
    now: (open, rate, isOne) =>
      `agora: ${open} ${isOne ? 'requisição aberta' : 'requisições abertas'}, ${rate} páginas por segundo`,
    titles: {
      hosts: 'hosts',
      work: 'requisições',
      sitemaps: 'sitemaps',
      again: 'de novo',
      disk: 'disco',
      challenges: 'desafios',
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
})
