// A view that says what a test wants to hear: what hostile hosts could make a real one say. Real crawls are in journey/.

import type { PageLine } from '../../src/archive/pages-file.ts'
import { EscalonaError } from '../../src/base/errors.ts'
import type { Language } from '../../src/base/words/language.ts'
import type { FailureLine } from '../../src/folder/failures-file.ts'
import type { Action, ActionResult } from '../../src/settings/actions.ts'
import type { EventBatch, NumberedEvent } from '../../src/view/questions/crawl-shapes.ts'
import type { HostRow } from '../../src/view/questions/host-shapes.ts'
import type { Answered, AskedName, Asks, View } from '../../src/view/questions/questions.ts'
import type { crawlNow } from '../../src/view/status.ts'

/** Text as the worst of the web would write it. */
export const HOSTILE = `<script>alert(1)</script>"'\`&lt;\u202e\u2066\u0000\u001b[2J\u2028\r\nevent: fake\r\ndata: {}\r\n\r\n\ud800${'é'.repeat(100)}`

const AT_MS = 1_790_000_000_000

export const page: PageLine = {
  file: 'archive/escalona-0001.warc.gz',
  offset: 0,
  length: 10,
  url: `http://a.example/${HOSTILE}`,
  status: 200,
  title: HOSTILE,
  bytes: 5,
  tokens: 1,
  hops: 0,
  linksOut: 0,
  change: 'new',
  language: HOSTILE,
  dateMs: AT_MS,
  from: HOSTILE,
}

const failure: FailureLine = { url: HOSTILE, reason: 'status-404', attempts: 1, status: 404, atMs: AT_MS }

const row: HostRow = {
  host: 'a.example:8080',
  waiting: 3,
  due: 0,
  state: 'waiting',
  readyInMs: 12.5,
  delayMs: 0,
  server: undefined,
  pages: 1,
  received: 0.0341,
  turns: 12,
  isByShare: true,
  failures: 0,
  isDown: false,
  waitsFor: 'delay',
  failed: 1,
  gap: { ms: 100, by: 'setting' },
  blockedUntilMs: undefined,
  robots: 'rules',
}

export const now: ReturnType<typeof crawlNow> = {
  state: 'running',
  name: HOSTILE,
  startedAtMs: AT_MS,
  workMs: 1500,
  pages: 7,
  limit: undefined,
  requests: 9,
  wireBytes: 12345,
  losses: 0,
  failed: 2,
  pagesPerSecond: 1.5,
  bytesPerSecond: 100,
  openRequests: 1,
  slots: 48,
  frontier: {
    known: 20,
    waiting: 8,
    leased: 1,
    done: 8,
    refused: 3,
    refusedFor: { 'status-404': 1, 'status-418': 1, 'robots-timeout': 1, [HOSTILE]: 2 },
    pages: 7,
    planned: 4,
    due: 2,
    revisiting: 1,
    down: 0,
    auxiliaries: 0,
    hosts: 2,
    turnedAway: { 'max-hosts': 0, 'domain-hosts': 0, 'page-hosts': 0 },
  },
  hosts: { ready: 1, resting: 1, down: 0, blocked: 4 },
  eta: { ms: Number.POSITIVE_INFINITY, isAtLeast: true, slowest: [{ host: HOSTILE, waiting: 1, ms: 5 }] },
  waitingFor: { en: 'waits in English', pt: 'espera em português' },
  challenges: { en: 'a host challenges', pt: 'um host desafia' },
  machines: undefined,
}

/** A view whose answers are the same every time, except for events, which a test adds. */
export class StandInView implements View {
  readonly folder: string
  readonly acted: Action[] = []
  readonly asked: unknown[] = []
  /** How often it was asked what happened. */
  eventQuestions = 0
  isRunning = true
  /** Patterns of a list that can be edited. */
  readonly excluded = Array.from({ length: 300 }, (_, i) => `*/print/${i}/*`)
  private readonly happened: NumberedEvent[] = []

  constructor(folder = 'nowhere') {
    this.folder = folder
  }

  /** Each question has a method of its name. */
  async ask<Name extends AskedName>(name: Name, question: Asks<Name>, inLanguage: Language = 'en') {
    const answers = this as unknown as Record<
      string,
      (question: unknown, inLanguage: Language) => Promise<Answered<Name>>
    >
    return answers[name]!(question, inLanguage)
  }
  async crawl(_: object, inLanguage: Language) {
    const state = this.isRunning ? now.state : ('ended' as const)
    return { ...now, state, waitingFor: now.waitingFor[inLanguage], challenges: now.challenges?.[inLanguage] }
  }
  async series() {
    const none = { pages: [], wireBytes: [], failures: [] }
    return {
      recent: { untilMs: AT_MS, ...none, openRequests: [] },
      whole: { widthMs: 250, pages: [1, 2], wireBytes: [1, 2], newDomains: [1, 0], failures: [0, 0] },
    }
  }
  async totals() {
    return {
      statuses: { '200': 5, '429': 2, '418': 1, '799': 1, [HOSTILE]: 1 },
      retried: { timeout: 3, 'status-503': 1 },
      failed: { timeout: 1, [HOSTILE]: 2 },
      answers: { upToMs: [8, 16], counts: [1, 2, 3], totalMs: 1500 },
      disk: { freeBytes: 1000, sizeBytes: 2000 },
    }
  }
  async hosts(query: Asks<'hosts'>) {
    this.asked.push(query)
    return { items: [row], total: 1, ageMs: 3.5, isComplete: true }
  }
  async host({ host }: Asks<'host'>, inLanguage: Language) {
    if (host !== row.host) return undefined
    const line = { number: 1, text: HOSTILE, means: undefined }
    return {
      ...row,
      turn: { en: 'its next turn', pt: 'a próxima vez' }[inLanguage],
      queue: [{ url: HOSTILE, rank: 1, hops: 1, note: HOSTILE }],
      robotsFiles: [
        {
          url: HOSTILE,
          status: undefined,
          fetchedAtMs: AT_MS,
          lines: [line, { ...line, means: 'disallow' as const }],
          isCut: false,
          crawlDelaySeconds: undefined,
          sitemaps: [HOSTILE],
        },
      ],
      outcomes: [
        { kind: 'page' as const, page },
        { kind: 'ended' as const, failure, sentence: { en: 'not there', pt: 'não está lá' }[inLanguage] },
      ],
    }
  }
  async links(query: Asks<'links'>): Promise<Answered<'links'>> {
    this.asked.push(query)
    const link = { url: page.url, state: 'refused', reason: HOSTILE, from: HOSTILE, hops: 1, attempts: 1 } as const
    return {
      items: [link, { url: HOSTILE, state: 'done', hops: 0, title: HOSTILE }],
      total: 3,
      reachable: 2,
      isComplete: false,
    }
  }
  async pages(query: Asks<'pages'>) {
    this.asked.push(query)
    return { items: [page], total: 1, nextOffset: undefined }
  }
  async search(query: Asks<'search'>) {
    this.asked.push(query)
    const { url, title, dateMs, status } = page
    const snippet = [
      { text: `… ${HOSTILE}`, isMatch: false },
      { text: HOSTILE, isMatch: true },
    ]
    return {
      items: [{ url, title, dateMs, status, score: 1.5, snippet }],
      total: 1,
      isEstimate: false,
      isCut: false,
      indexed: 1,
      isIndexing: false,
    }
  }
  async changes(_: Asks<'changes'>): Promise<Answered<'changes'>> {
    return { items: [{ ...page, change: 'changed' }], total: 1, nextOffset: undefined }
  }
  async page({ url }: Asks<'page'>) {
    if (!url.startsWith('http://a.example/')) return undefined
    const warc = [['WARC-Type', 'response']] as const
    const html = '<script>alert(1)</script>'.repeat(40_000)
    return {
      page,
      warc,
      statusLine: HOSTILE,
      headers: [[HOSTILE, HOSTILE]] as const,
      links: [HOSTILE],
      html,
      isCut: true,
    }
  }
  async explain({ url }: Asks<'explain'>) {
    if (url === 'nonsense') throw new EscalonaError('CRAWL_BAD_URL', { text: 'nonsense', why: 'malformed' })
    const history = {
      url: HOSTILE,
      state: 'refused' as const,
      reason: 'robots',
      redirectsTo: undefined,
      heldBy: undefined,
      robots: { kind: 'refused' as const, line: 2, crawlDelaySeconds: undefined, text: HOSTILE },
      host: undefined,
      from: undefined,
      hops: undefined,
      attempts: undefined,
      page,
      answer: undefined,
      failure,
    }
    const lines = [{ about: 'state' as const, title: 'State', text: HOSTILE }]
    return { history, lines }
  }
  async settings() {
    const shared = { isDefault: true, canChange: true, choices: undefined }
    const one = (setting: string, option: string, value: readonly string[]) => {
      return { setting, option, value, valueCount: value.length, ...shared }
    }
    const addresses = Array.from({ length: 288 }, (_, i) => `127.0.0.1 ${i}.example`)
    const items = [
      { ...one('scope', '--scope', ['any']), choices: ['any', 'domain', 'host'] },
      one('delayMs', '--delay', ['100ms']),
      one('exclude', '--exclude', this.excluded),
      { ...one('include', '--include', this.excluded), valueCount: 100_000 },
      { ...one('hosts', '--hosts', addresses), canChange: false },
    ]
    return { items }
  }
  async actions() {
    const done = { atMs: AT_MS, result: {} }
    const items = [
      { kind: 'pause' as const, ...done },
      { kind: 'add seeds' as const, urls: [HOSTILE], atMs: AT_MS, result: { seeds: 1 } },
      { kind: 'change settings' as const, settings: { limit: Number.POSITIVE_INFINITY }, ...done },
      { kind: 'change host' as const, host: HOSTILE, change: { clear: true }, ...done },
      { kind: 'retry links' as const, which: { reason: HOSTILE }, ...done },
    ]
    return { items }
  }
  async events({ after }: Asks<'events'>): Promise<EventBatch> {
    this.eventQuestions++
    const items = this.happened.filter(({ number }) => number > after).slice(0, 200)
    return { items, last: items.at(-1)?.number ?? after, skipped: 0 }
  }
  async act({ action }: { action: Action }): Promise<ActionResult> {
    if (!this.isRunning) throw new EscalonaError('CRAWL_NOT_RUNNING', 'the crawl has ended; resume it')
    this.acted.push(action)
    return action.kind === 'add seeds' ? { seeds: action.urls.length } : {}
  }

  /** Something happens: a page with this title. */
  happen(title: string): void {
    const number = this.happened.length + 1
    this.happened.push({ kind: 'page', page: { ...page, title }, opening: '', atMs: AT_MS, number })
  }

  /** A host is gone, and with it a link that waited there. */
  goes(host: string): void {
    const number = this.happened.length + 1
    this.happened.push({ kind: 'gone', host, why: 'dns', links: 1, atMs: AT_MS, number })
  }
}
