import { catalogue } from '../base/words/language.ts'
import { printable } from '../base/words/printable.ts'
import { shownCount, shownDecimal, shownDuration } from '../base/words/quantity.ts'
import type { HostView, Outlook } from '../frontier/frontier.ts'
import { type RestFacts, restCause, shownCause } from './rests.ts'

/** The facts from which `waitingFor` makes its sentence. Times are Unix time. */
export interface WaitingFacts extends RestFacts {
  readonly outlook: Outlook
  /** `paceMs`: how long `maxRequestsPerSecond` delays a request for which there is room. */
  readonly slots: {
    readonly open: number
    readonly size: number
    readonly waiting: number
    readonly paceMs: number | undefined
  }
  /** At the last attempt, fewer links could be taken than there was room for. */
  readonly isShort: boolean
  /** Host names that are being looked up. */
  readonly lookups: number
  readonly network: { readonly missing: 'network' | 'proxy' | undefined; readonly probeInMs: number }
  /** Open requests are being finished, and no new ones are made. */
  readonly isEnding: boolean
  /** What cannot keep up: the disk, or the program that reads the pages. */
  readonly heldUpBy: 'disk' | 'reader' | undefined
  readonly maxRequestsPerSecond: number
  /** `--server-delay` is longer than `--delay`. */
  readonly isServerSlower: boolean
}

/** From this length on, a time of day is easier to read than a wait. */
const LONG_MS = 10 * 60_000

const words = catalogue({
  en: {
    finishing: (count: number) =>
      count === 1 ? 'finishing 1 open request' : `finishing ${shownCount(count)} open requests`,
    network: (when: string) => `the network is down; trying again ${when}`,
    proxy: (when: string) => `the proxy cannot be reached; trying again ${when}`,
    disk: 'waiting for the disk, which cannot keep up',
    reader: 'waiting for the program that reads the pages',
    nothingOpen: 'nothing open',
    open: (open: string, size: string) => `${open} of ${size} requests open`,
    rate: (rate: string) => `--max-rate allows ${rate} per second`,
    lookups: (count: string) => `host names are being looked up: ${count}`,
    unproven: (count: string) =>
      `hosts that have never answered share a quarter of the requests, and ${count} of them are waiting`,
    nothingElse: 'nothing is waiting at other hosts',
    server: 'one host is waiting for its turn',
    servers: (count: string) => `${count} hosts are waiting for their turn at servers (--server-delay, --per-server)`,
    hosts: (count: string, when: string, host: string, cause: string) =>
      `${count} hosts are waiting, the next one ${when}: ${host}${cause === '' ? '' : ` (${cause})`}`,
    down: (count: string, host: string, when: string) =>
      `the remaining hosts do not answer (${count}); trying ${host} again ${when}`,
    askedUntil: (host: string, until: string) => `${host} asked to be left alone until ${until} (Retry-After)`,
    asked: (host: string, when: string) => `${host} asked to be left alone (Retry-After); next ${when}`,
    failures: (host: string, count: number, when: string) =>
      count === 1
        ? `${host} failed and is left alone for now; next ${when}`
        : `${host} failed ${count} times in a row and is left alone for now; next ${when}`,
    crawlDelay: (host: string, delay: string, when: string) =>
      `${host} asked for ${delay} between requests; next ${when}`,
    delay: (host: string, delay: string, when: string) =>
      `${host} is left alone for ${delay} between requests (--delay); next ${when}`,
    error: (host: string, when: string) =>
      `${host} is left alone for now after an error on one of its pages; next ${when}`,
    slow: (host: string, when: string) => `${host} is left alone for as long as its slow answer took; next ${when}`,
    rests: (host: string, when: string) => `${host} is left alone for now; next ${when}`,
    now: 'now',
    inTime: (time: string) => `in ${time}`,
  },
  pt: {
    finishing: (count: number) =>
      count === 1 ? 'terminando 1 requisição aberta' : `terminando ${shownCount(count)} requisições abertas`,
    network: (when: string) => `a rede está fora; nova tentativa ${when}`,
    proxy: (when: string) => `o proxy não pode ser alcançado; nova tentativa ${when}`,
    disk: 'esperando o disco, que não dá conta',
    reader: 'esperando o programa que lê as páginas',
    nothingOpen: 'nada aberto',
    open: (open: string, size: string) => `${open} de ${size} requisições abertas`,
    rate: (rate: string) => `--max-rate permite ${rate} por segundo`,
    lookups: (count: string) => `nomes de hosts sendo resolvidos: ${count}`,
    unproven: (count: string) =>
      `hosts que nunca responderam dividem um quarto das requisições, e ${count} deles esperam`,
    nothingElse: 'nada espera em outros hosts',
    server: 'um host espera a sua vez',
    servers: (count: string) => `${count} hosts esperam a vez em servidores (--server-delay, --per-server)`,
    hosts: (count: string, when: string, host: string, cause: string) =>
      `${count} hosts esperam, o próximo ${when}: ${host}${cause === '' ? '' : ` (${cause})`}`,
    down: (count: string, host: string, when: string) =>
      `os hosts que restam não respondem (${count}); nova tentativa com ${host} ${when}`,
    askedUntil: (host: string, until: string) => `${host} pediu sossego até ${until} (Retry-After)`,
    asked: (host: string, when: string) => `${host} pediu sossego (Retry-After); próxima ${when}`,
    failures: (host: string, count: number, when: string) =>
      count === 1
        ? `${host} falhou e fica em paz por enquanto; próxima ${when}`
        : `${host} falhou ${count} vezes seguidas e fica em paz por enquanto; próxima ${when}`,
    crawlDelay: (host: string, delay: string, when: string) =>
      `${host} pediu ${delay} entre requisições; próxima ${when}`,
    delay: (host: string, delay: string, when: string) =>
      `${host} fica em paz por ${delay} entre requisições (--delay); próxima ${when}`,
    error: (host: string, when: string) =>
      `${host} fica em paz por enquanto depois de um erro em uma de suas páginas; próxima ${when}`,
    slow: (host: string, when: string) =>
      `${host} fica em paz por tanto tempo quanto levou sua resposta lenta; próxima ${when}`,
    rests: (host: string, when: string) => `${host} fica em paz por enquanto; próxima ${when}`,
    now: 'agora',
    inTime: (time: string) => `em ${time}`,
  },
})

/** One sentence about what a crawl is waiting for; empty while it makes as many requests at once as it may. */
export function waitingFor(facts: WaitingFacts): string {
  const { slots, network, isEnding, heldUpBy } = facts
  const { open, size } = slots
  if (isEnding) return open === 0 ? '' : words().finishing(open)
  if (network.missing !== undefined) return words()[network.missing](when(network.probeInMs))
  if (heldUpBy !== undefined) return words()[heldUpBy]
  if (open >= size) return ''
  const cause = causeOf(facts)
  if (cause === '') return ''
  return open === 0
    ? `${words().nothingOpen}: ${cause}`
    : `${words().open(shownCount(open), shownCount(size))}; ${cause}`
}

function causeOf(facts: WaitingFacts): string {
  const { slots, outlook, lookups } = facts
  const { ready, resting, down, next } = outlook
  if (slots.paceMs !== undefined) return words().rate(shownRate(facts.maxRequestsPerSecond))
  if (slots.waiting > 0) return words().unproven(shownCount(slots.waiting))
  if (lookups > 0) return words().lookups(shownCount(lookups))
  if (!facts.isShort) return ''
  if (ready > 0) return atServers(facts)
  if (resting === 0 || next === undefined) return slots.open === 0 ? '' : words().nothingElse
  if (next.isDown && down >= resting) return words().down(shownCount(down), printable(next.host), when(next.readyInMs))
  return resting === 1 ? aboutHost(next, facts) : aboutHosts(resting, next, facts)
}

function atServers({ slots, outlook, isServerSlower }: WaitingFacts): string {
  if (outlook.ready > 1) return words().servers(shownCount(outlook.ready))
  // Otherwise its own time has just come, and it is about to be taken.
  return slots.open > 0 || isServerSlower ? words().server : ''
}

function aboutHosts(count: number, next: HostView, facts: WaitingFacts): string {
  const cause = restCause(next, facts)
  const asked = cause === 'crawl-delay' ? next.delayMs : cause === 'delay' ? facts.delayMs(next.host) : undefined
  const shown = cause === undefined ? '' : shownCause(cause) + (asked === undefined ? '' : ` ${shownDuration(asked)}`)
  return words().hosts(shownCount(count), when(next.readyInMs), printable(next.host), shown)
}

/** Why a host is left alone, as far as known. */
function aboutHost(view: HostView, facts: WaitingFacts): string {
  const { host, readyInMs, delayMs, failures } = view
  const name = printable(host)
  const soon = when(readyInMs)
  switch (restCause(view, facts)) {
    case 'retry-after':
      return readyInMs < LONG_MS
        ? words().asked(name, soon)
        : words().askedUntil(name, clockTime(facts.nowMs + readyInMs))
    case 'error':
      return words().error(name, soon)
    case 'slow':
      return words().slow(name, soon)
    case 'failures':
      return words().failures(name, failures, soon)
    case 'crawl-delay':
      return words().crawlDelay(name, shownDuration(delayMs), soon)
    case 'delay':
      return words().delay(name, shownDuration(facts.delayMs(host)), soon)
    case undefined:
      return words().rests(name, soon)
  }
}

function when(ms: number): string {
  if (ms <= 0) return words().now
  return words().inTime(ms < 950 ? `${shownDecimal(Math.max(ms, 100) / 1000, 1)} s` : shownDuration(ms))
}

function shownRate(perSecond: number): string {
  return Number.isInteger(perSecond) ? shownCount(perSecond) : shownDecimal(perSecond, 3).replace(/0+$/, '')
}

/** `17:45`, by this machine's clock. No wait is longer than a day. */
function clockTime(atMs: number): string {
  const at = new Date(atMs)
  return `${String(at.getHours()).padStart(2, '0')}:${String(at.getMinutes()).padStart(2, '0')}`
}
