import type { RecordWithTtl } from 'node:dns'
import { Resolver as ServerResolver } from 'node:dns/promises'
import { isIPv4, isIPv6 } from 'node:net'
import type { Clock } from '../base/clock.ts'
import { EscalonaError } from '../base/errors.ts'

export type ServerAnswer =
  | { readonly kind: 'found'; readonly ips: readonly string[]; readonly ttlSeconds: number }
  | { readonly kind: 'gone' }
  | { readonly kind: 'unavailable'; readonly isOurs: boolean }

/** What they say about one family. `unanswered`: no server answered. */
type FamilyAnswer = readonly RecordWithTtl[] | 'no-records' | 'no-name' | 'failed' | 'unanswered'

const MEANINGS: Readonly<Record<string, FamilyAnswer>> = {
  ENODATA: 'no-records',
  ENOTFOUND: 'no-name',
  EBADNAME: 'no-name',
  ESERVFAIL: 'failed',
  EREFUSED: 'failed',
  ENOTIMP: 'failed',
  EFORMERR: 'failed',
  EBADRESP: 'failed',
}

/** Once one family has a final answer, the other gets this much more time: some servers never answer about IPv6. */
const SECOND_FAMILY_MS = 1000

/** One socket could not buffer the answers for 256 names if they came while we are busy. */
const SOCKETS = 4

/** The system's servers are read again when none can be reached: we may have left their network. */
const RENEWED_EVERY_MS = 10_000

/** Checks a DNS server that a user named: an address with or without a port; an IPv6 address with a port is in brackets. */
export function parseDnsServer(text: string): string {
  const server = text.trim()
  const [, v6, v4, port = '53'] = /^(?:\[([^\]]+)\]|([\d.]+))(?::(\d{1,5}))?$/.exec(server) ?? []
  const isAddress = isIPv6(server) || isIPv6(v6 ?? '') || isIPv4(v4 ?? '')
  if (isAddress && Number(port) > 0 && Number(port) < 65_536) return server
  throw new EscalonaError('FETCH_BAD_DNS', { text: text.slice(0, 60) })
}

export class NameServers {
  private readonly clock: Clock
  /** `address` or `address:port`; undefined: the system's. */
  private readonly servers: readonly string[] | undefined
  private readonly timeoutMs: number
  private resolvers: readonly ServerResolver[]
  private turn = 0
  private renewedAtMs: number
  private answers = 0

  constructor(clock: Clock, servers: readonly string[] | undefined, timeoutMs: number) {
    this.clock = clock
    this.servers = servers?.map(parseDnsServer)
    this.timeoutMs = timeoutMs
    this.resolvers = this.connect()
    this.renewedAtMs = clock()
  }

  async ask(name: string): Promise<ServerAnswer> {
    const answersBefore = this.answers
    const answer = this.conclude(await this.askBothFamilies(name), answersBefore)
    if (answer.kind === 'unavailable' && answer.isOurs) this.renew()
    return answer
  }

  private askBothFamilies(name: string): Promise<readonly FamilyAnswer[]> {
    const resolver = this.resolvers[this.turn++ % SOCKETS]!
    return new Promise(resolve => {
      const answers: FamilyAnswer[] = []
      let isEnded = false
      const end = () => {
        isEnded = true
        clearTimeout(timer)
        resolve(answers)
      }
      let timer = setTimeout(end, this.timeoutMs)
      const take = (answer: FamilyAnswer) => {
        if (answer !== 'unanswered') this.answers++
        if (isEnded) return
        if (answers.push(answer) === 2) end()
        else if (isFinal(answer)) {
          clearTimeout(timer)
          timer = setTimeout(end, SECOND_FAMILY_MS)
        }
      }
      void meaningOf(resolver.resolve4(name, { ttl: true })).then(take)
      void meaningOf(resolver.resolve6(name, { ttl: true })).then(take)
    })
  }

  private conclude(answers: readonly FamilyAnswer[], answersBefore: number): ServerAnswer {
    const records = answers.flatMap(answer => (typeof answer === 'string' ? [] : answer))
    if (records.length > 0) {
      const ttlSeconds = Math.min(...records.map(record => record.ttl))
      return { kind: 'found', ips: records.map(record => record.address), ttlSeconds }
    }
    // RFC 4074 4.2: some servers deny the name when they only lack its AAAA records, so addresses take precedence.
    if (answers.includes('no-name')) return { kind: 'gone' }
    if (answers.length === 2 && answers.every(answer => answer === 'no-records')) return { kind: 'gone' }
    return { kind: 'unavailable', isOurs: this.answers === answersBefore }
  }

  /** Reads the system's settings. */
  private connect(): readonly ServerResolver[] {
    const { servers, timeoutMs } = this
    return Array.from({ length: SOCKETS }, () => {
      const resolver = new ServerResolver({ timeout: Math.ceil(timeoutMs / 5), tries: 2 })
      if (servers !== undefined) resolver.setServers(servers)
      return resolver
    })
  }

  private renew(): void {
    const nowMs = this.clock()
    if (this.servers !== undefined || nowMs - this.renewedAtMs < RENEWED_EVERY_MS) return
    this.resolvers = this.connect()
    this.renewedAtMs = nowMs
  }
}

function isFinal(answer: FamilyAnswer): boolean {
  return answer === 'no-name' || typeof answer !== 'string'
}

function meaningOf(question: Promise<readonly RecordWithTtl[]>): Promise<FamilyAnswer> {
  return question.then(
    records => (records.length > 0 ? records : 'no-records'),
    error => MEANINGS[(error as NodeJS.ErrnoException).code ?? ''] ?? 'unanswered',
  )
}
