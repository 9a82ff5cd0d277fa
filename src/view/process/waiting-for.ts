import { catalogue } from '../../base/words/language.ts'
import { printable } from '../../base/words/printable.ts'
import { shownCount, shownDecimal, shownDuration, shownSpeed, shownTime } from '../../base/words/quantity.ts'
import type { HostView } from '../../frontier/frontier.ts'
import { restCause, shownCause } from '../../run/rests.ts'
import type { Doing, WorkFacts } from '../../run/run-status.ts'
import type { Pace } from './pace.ts'
import { plannedVisits } from './planned-visits.ts'

/** From this length on, a time of day is easier to read than a wait. */
const LONG_MS = 10 * 60_000

/** What only those who watch a run over time know. */
export interface Watched {
  /** No page was archived for some seconds. */
  readonly isStalled: boolean
  readonly pagesPerSecond: number
  readonly pace: Pace | undefined
}

/** One sentence about what a crawl is doing or waiting for; never empty. */
export function shownDoing(doing: Doing, watched: Watched): string {
  if (doing.kind === 'starting' || doing.kind === 'ended') return words()[doing.kind]
  const trouble = shownTrouble(doing, watched.isStalled)
  return trouble === '' && doing.kind === 'working' ? doingNow(doing.facts, watched) : trouble
}

function doingNow(facts: WorkFacts, { pagesPerSecond, pace }: Watched): string {
  const { slots, waiting, planned = 0, isEnding } = facts
  if (isEnding) return words().finished
  if (pagesPerSecond > 0) return words().collecting(shownSpeed(pagesPerSecond), shownPace(pace))
  if (slots.open > 0) return words().open(shownCount(slots.open), shownCount(slots.size))
  return causeOf(facts) || (waiting + planned > 0 ? words().next : words().nothingLeft)
}

/** What limits the speed, in a few words; empty when that is not known. */
export function shownPace(pace: Pace | undefined): string {
  return pace === undefined ? '' : words().paces[pace]
}

/** Why no page is archived, cause first; empty while pages come, or will come soon. */
export function shownTrouble(doing: Doing, isStalled: boolean): string {
  if (doing.kind === 'frontier away') return doing.message
  if (doing.kind !== 'working') return ''
  const { slots, network, isEnding, isPaused, isChanging, heldUpBy } = doing.facts
  const { open, size } = slots
  if (isEnding) return open === 0 ? '' : words().finishing(open)
  if (isPaused || isChanging) {
    const still = open === 0 ? words().nothingOpen : words().stillOpen(open)
    return isPaused ? words().paused(still) : words().changing(still)
  }
  if (network.missing !== undefined) return words()[network.missing](when(network.probeInMs))
  if (heldUpBy !== undefined) return words()[heldUpBy]
  if (!isStalled) return ''
  const cause = open >= size ? '' : causeOf(doing.facts)
  if (open === 0) return cause
  return cause === '' ? words().unanswered(open) : `${cause}; ${words().open(shownCount(open), shownCount(size))}`
}

function causeOf(facts: WorkFacts): string {
  const { slots, outlook, lookups, planned = 0 } = facts
  const { ready, resting, down, next } = outlook
  if (slots.paceMs !== undefined) return words().rate(shownRate(facts.maxRequestsPerSecond))
  if (slots.waiting > 0) return words().unproven(shownCount(slots.waiting))
  if (lookups > 0) return words().lookups(shownCount(lookups))
  if (!facts.isShort) return ''
  if (ready > 0) return atServers(facts)
  if (resting === 0 || next === undefined)
    return slots.open === 0 && facts.waiting === 0 && planned > 0
      ? words().planned(plannedVisits({ planned, due: 0 }, outlook))
      : ''
  if (next.isDown && down >= resting) return words().down(shownCount(down), printable(next.host), when(next.readyInMs))
  return resting === 1 ? aboutHost(next, facts) : aboutHosts(resting, next, facts)
}

function atServers({ slots, outlook, isServerSlower }: WorkFacts): string {
  if (outlook.ready > 1) return words().servers(shownCount(outlook.ready))
  // Otherwise its own time has just come, and it is about to be taken.
  return slots.open > 0 || isServerSlower ? words().server : ''
}

function aboutHosts(count: number, next: HostView, facts: WorkFacts): string {
  const cause = restCause(next, facts)
  const asked = cause === 'crawl-delay' ? next.delayMs : cause === 'delay' ? facts.delayMs(next.host) : undefined
  const shown = cause === undefined ? '' : shownCause(cause) + (asked === undefined ? '' : ` ${shownDuration(asked)}`)
  return words().hosts(shownCount(count), when(next.readyInMs), printable(next.host), shown)
}

/** The only host that waits, and why it is left alone. */
function aboutHost(view: HostView, facts: WorkFacts): string {
  const name = printable(view.host)
  // Others may wait at hosts whose request is open.
  const isAll = view.waiting > 0 && view.waiting === facts.waiting
  const why = whyLeftAlone(view, facts, isAll)
  return isAll ? words().all(view.waiting, name, why) : words().alone(name, why)
}

/** Why a host is left alone, as far as known. `isClause`: after `which`. */
function whyLeftAlone(view: HostView, facts: WorkFacts, isClause: boolean): string {
  const { host, readyInMs, delayMs, failures } = view
  const soon = when(readyInMs)
  const until = shownTime(facts.nowMs + readyInMs, facts.nowMs)
  switch (restCause(view, facts)) {
    case 'blocked':
      return isClause ? words().blocked(until) : words().blockedAlone(until)
    case 'retry-after':
      return readyInMs < LONG_MS ? words().asked(soon) : words().askedUntil(until)
    case 'error':
      return words().error(soon)
    case 'slow':
      return words().slow(soon)
    case 'challenge':
      return words().challenge(soon)
    case 'failures':
      return words().failures(failures, soon)
    case 'crawl-delay':
      return words().crawlDelay(shownDuration(delayMs), soon)
    case 'little-new':
      return words().littleNew(soon)
    case 'delay':
      return words().delay(shownDuration(facts.delayMs(host)), soon)
    case undefined:
      return words().rests(soon)
  }
}

function when(ms: number): string {
  if (ms <= 0) return words().now
  return words().inTime(ms < 950 ? `${shownDecimal(Math.max(ms, 100) / 1000, 1)} s` : shownDuration(ms))
}

function shownRate(perSecond: number): string {
  return Number.isInteger(perSecond) ? shownCount(perSecond) : shownDecimal(perSecond, 3).replace(/0+$/, '')
}

/** The parts of the sentence about what a crawl is doing or waiting for. */
const words = catalogue({
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
    planned: (planned: string) => `no page is due; ${planned}`,
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
    challenge: (when: string) => `answers with challenge pages and is left alone for now; next ${when}`,
    littleNew: (when: string) => `is left alone for longer because its pages bring little that is new; next ${when}`,
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
    planned: (planned: string) => `nenhuma página está na hora; ${planned}`,
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
    askedUntil: (until: string) => `pediu para não ser consultado até ${until} (Retry-After)`,
    asked: (when: string) => `pediu para não ser consultado por enquanto (Retry-After); próxima ${when}`,
    failures: (count: number, when: string) =>
      count === 1
        ? `falhou e não é consultado por enquanto; próxima ${when}`
        : `falhou ${count} vezes seguidas e não é consultado por enquanto; próxima ${when}`,
    crawlDelay: (delay: string, when: string) => `pediu ${delay} entre requisições; próxima ${when}`,
    delay: (delay: string, when: string) => `tem um intervalo de ${delay} entre requisições (--delay); próxima ${when}`,
    challenge: (when: string) => `responde com páginas de desafio e não é consultado por enquanto; próxima ${when}`,
    littleNew: (when: string) =>
      `é consultado mais raramente porque suas páginas trazem pouco de novo; próxima ${when}`,
    error: (when: string) => `não é consultado por enquanto, depois de um erro em uma de suas páginas; próxima ${when}`,
    slow: (when: string) => `não é consultado por tanto tempo quanto levou sua resposta lenta; próxima ${when}`,
    rests: (when: string) => `não é consultado por enquanto; próxima ${when}`,
    now: 'agora',
    inTime: (time: string) => `em ${time}`,
  },
})
