import { catalogue } from '../../base/words/language.ts'
import { shownCount } from '../../base/words/quantity.ts'
import type { Pace } from './pace.ts'

/** The parts of the sentence about what a crawl is doing or waiting for. */
export const waitingWords = catalogue({
  en: {
    starting: 'starting',
    ended: 'the crawl has ended',
    finishing: (count: number) =>
      count === 1 ? 'finishing 1 open request' : `finishing ${shownCount(count)} open requests`,
    finished: 'all requests are finished; the last pages are being written',
    paused: (open: string) => `paused; ${open}`,
    changing: (open: string) => `the settings are being changed; ${open}`,
    stillOpen: (count: number) =>
      count === 1 ? '1 request is still open' : `${shownCount(count)} requests are still open`,
    network: (when: string) => `the network is down; trying again ${when}`,
    proxy: (when: string) => `the proxy cannot be reached; trying again ${when}`,
    disk: 'waiting for the disk, which cannot keep up',
    reader: 'waiting for the program that reads the pages',
    nothingOpen: 'nothing is open',
    open: (open: string, size: string) => `${open} of ${size} requests are open`,
    unanswered: (open: number) =>
      open === 1
        ? '1 request is open and was not answered yet'
        : `${shownCount(open)} requests are open and were not answered yet`,
    collecting: (rate: string, pace: string) => `collecting ${rate} pages/s${pace === '' ? '' : `, ${pace}`}`,
    paces: {
      rate: 'as fast as --max-rate allows',
      requests: 'as fast as the open requests are answered',
      'new hosts': 'mostly from new hosts, a few at a time',
      names: 'as fast as host names are found',
      servers: 'as fast as --server-delay and --per-server allow',
      delays: "as fast as the hosts' delays allow",
      'few hosts': 'as fast as its few hosts answer',
    } satisfies Record<Pace, string>,
    rate: (rate: string) => `--max-rate allows ${rate} per second`,
    lookups: (count: string) => `host names are being looked up: ${count}`,
    unproven: (count: string) =>
      `hosts that have never answered share a quarter of the requests, and ${count} of them are waiting`,
    nothingLeft: 'nothing is left to do',
    planned: (count: string) => `no page is due; planned to be visited again: ${count}`,
    next: 'the next requests are about to begin',
    server: 'one host is waiting for its turn',
    servers: (count: string) => `${count} hosts are waiting for their turn at servers (--server-delay, --per-server)`,
    hosts: (count: string, when: string, host: string, cause: string) =>
      `${count} hosts are waiting, the next one ${when}: ${host}${cause === '' ? '' : ` (${cause})`}`,
    down: (count: string, host: string, when: string) =>
      `the remaining hosts do not answer (${count}); trying ${host} again ${when}`,
    alone: (host: string, why: string) => `${host} ${why}`,
    all: (count: number, host: string, why: string) =>
      `${count === 1 ? 'the only waiting URL belongs' : `all ${shownCount(count)} waiting URLs belong`} to ${host}, which ${why}`,
    blocked: (until: string) => `you blocked until ${until}`,
    blockedAlone: (until: string) => `is blocked by you until ${until}`,
    askedUntil: (until: string) => `asked to be left alone until ${until} (Retry-After)`,
    asked: (when: string) => `asked to be left alone (Retry-After); next ${when}`,
    failures: (count: number, when: string) =>
      count === 1
        ? `failed and is left alone for now; next ${when}`
        : `failed ${count} times in a row and is left alone for now; next ${when}`,
    crawlDelay: (delay: string, when: string) => `asked for ${delay} between requests; next ${when}`,
    delay: (delay: string, when: string) => `is left alone for ${delay} between requests (--delay); next ${when}`,
    error: (when: string) => `is left alone for now after an error on one of its pages; next ${when}`,
    slow: (when: string) => `is left alone for as long as its slow answer took; next ${when}`,
    rests: (when: string) => `is left alone for now; next ${when}`,
    now: 'now',
    inTime: (time: string) => `in ${time}`,
  },
  pt: {
    starting: 'começando',
    ended: 'a coleta terminou',
    finishing: (count: number) =>
      count === 1 ? 'terminando 1 requisição aberta' : `terminando ${shownCount(count)} requisições abertas`,
    finished: 'todas as requisições terminaram; as últimas páginas estão sendo gravadas',
    paused: (open: string) => `em pausa; ${open}`,
    changing: (open: string) => `as configurações estão sendo mudadas; ${open}`,
    stillOpen: (count: number) =>
      count === 1 ? '1 requisição ainda está aberta' : `${shownCount(count)} requisições ainda estão abertas`,
    network: (when: string) => `a rede está fora; nova tentativa ${when}`,
    proxy: (when: string) => `o proxy não pode ser alcançado; nova tentativa ${when}`,
    disk: 'esperando o disco, que não dá conta',
    reader: 'esperando o programa que lê as páginas',
    nothingOpen: 'nada está aberto',
    open: (open: string, size: string) => `${open} de ${size} requisições estão abertas`,
    unanswered: (open: number) =>
      open === 1
        ? '1 requisição está aberta, ainda sem resposta'
        : `${shownCount(open)} requisições estão abertas, ainda sem resposta`,
    collecting: (rate: string, pace: string) => `coletando ${rate} páginas/s${pace === '' ? '' : `, ${pace}`}`,
    paces: {
      rate: 'o que --max-rate permite',
      requests: 'no ritmo das respostas às requisições abertas',
      'new hosts': 'na maioria de hosts novos, alguns por vez',
      names: 'no ritmo em que os nomes dos hosts são resolvidos',
      servers: 'o que --server-delay e --per-server permitem',
      delays: 'o que os intervalos dos hosts permitem',
      'few hosts': 'no ritmo das respostas de poucos hosts',
    },
    rate: (rate: string) => `--max-rate permite ${rate} por segundo`,
    lookups: (count: string) => `nomes de hosts sendo resolvidos: ${count}`,
    unproven: (count: string) =>
      `hosts que nunca responderam dividem um quarto das requisições, e ${count} deles esperam`,
    nothingLeft: 'não há mais nada a fazer',
    planned: (count: string) => `nenhuma página está na hora; a visitar de novo: ${count}`,
    next: 'as próximas requisições estão para começar',
    server: 'um host espera a sua vez',
    servers: (count: string) => `${count} hosts esperam a vez em servidores (--server-delay, --per-server)`,
    hosts: (count: string, when: string, host: string, cause: string) =>
      `${count} hosts esperam, o próximo ${when}: ${host}${cause === '' ? '' : ` (${cause})`}`,
    down: (count: string, host: string, when: string) =>
      `os hosts que restam não respondem (${count}); nova tentativa com ${host} ${when}`,
    alone: (host: string, why: string) => `${host} ${why}`,
    all: (count: number, host: string, why: string) =>
      `${count === 1 ? 'a única URL que espera é' : `todas as ${shownCount(count)} URLs que esperam são`} de ${host}, que ${why}`,
    blocked: (until: string) => `você bloqueou até ${until}`,
    blockedAlone: (until: string) => `está bloqueado por você até ${until}`,
    askedUntil: (until: string) => `pediu sossego até ${until} (Retry-After)`,
    asked: (when: string) => `pediu sossego (Retry-After); próxima ${when}`,
    failures: (count: number, when: string) =>
      count === 1
        ? `falhou e fica em paz por enquanto; próxima ${when}`
        : `falhou ${count} vezes seguidas e fica em paz por enquanto; próxima ${when}`,
    crawlDelay: (delay: string, when: string) => `pediu ${delay} entre requisições; próxima ${when}`,
    delay: (delay: string, when: string) => `fica em paz por ${delay} entre requisições (--delay); próxima ${when}`,
    error: (when: string) => `fica em paz por enquanto depois de um erro em uma de suas páginas; próxima ${when}`,
    slow: (when: string) => `fica em paz por tanto tempo quanto levou sua resposta lenta; próxima ${when}`,
    rests: (when: string) => `fica em paz por enquanto; próxima ${when}`,
    now: 'agora',
    inTime: (time: string) => `em ${time}`,
  },
})
