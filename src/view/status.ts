import { existsSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { lockHolder } from '../base/files/folder-lock.ts'
import { type Bilingual, catalogue, inBothLanguages, language } from '../base/words/language.ts'
import { printable } from '../base/words/printable.ts'
import { type CrawlFile, type CrawlRun, readCrawlFile } from '../folder/crawl-file.ts'
import { aboutChallenges, type ChallengedHost, Details } from '../folder/stats/details.ts'
import { type DiskUse, diskUse } from '../folder/stats/disk-use.ts'
import { type SitemapCounts, sitemapCounts, type Waterfall, waterfall } from '../folder/stats/outcome-counts.ts'
import { keptStats } from '../folder/stats/stats-file.ts'
import type { FrontierCounts, Outlook } from '../frontier/frontier.ts'
import type { RunActivity, RunStatus } from '../run/run-status.ts'
import { ENDED_BECAUSE } from '../settings/events.ts'
import type { NamedSettings } from '../settings/setting-texts.ts'
import type { CrawlSettings } from '../settings/settings.ts'
import { type CrawlNow, REPORT } from './questions/crawl-shapes.ts'
import type { Source } from './questions/questions.ts'

/** The state of a crawl. */
export interface CrawlStatus {
  readonly state: CrawlState
  /** When its first run began, in milliseconds since 1970; undefined when unknown. */
  readonly startedAtMs: number | undefined
  /** What the process is doing now; undefined when the crawl is not running or does not answer. */
  readonly running: RunActivity | undefined
  /** What became of all known links; the numbers add up. */
  readonly waterfall: Waterfall
  readonly frontier: FrontierCounts
  /** How many hosts could be asked now, and which one is next. */
  readonly outlook: Outlook
  /** Totals over all runs. */
  readonly totals: CrawlTotals
  /** Hosts that answer with challenge pages: docs/challenges.md. */
  readonly challengedHosts: readonly ChallengedHost[]
  /** What became of the sitemaps, over all runs; while the crawl runs, as of the last time it saved its statistics. */
  readonly sitemaps: SitemapCounts
  /** When machines share the crawl; the totals, runs and disk are this folder's, everything else is the whole crawl's. */
  readonly shared?: SharedStatus
  /** Oldest first. Empty when `crawl.json` is missing. */
  readonly runs: readonly CrawlRun[]
  /** The settings given in the newest run or an earlier one, by option name; all others have their defaults. */
  readonly settings: NamedSettings
  readonly disk: DiskUse
}

/**
 * Whether a crawl is running, and how it ended otherwise.
 *
 * - `running`: a process is working on it; `host` is the machine.
 * - `unseen`: the folder is in use by a process that cannot be seen from here, on another machine or in a container.
 * - `ended`: it ended in good order; `because` and `atMs` are undefined when `crawl.json` is missing.
 * - `killed`: its last run was killed or ended with an error.
 * - `new`: it never ran.
 */
export type CrawlState =
  | { readonly kind: 'running' | 'unseen'; readonly pid: number | undefined; readonly host: string | undefined }
  | { readonly kind: 'ended'; readonly because: CrawlRun['because']; readonly atMs: number | undefined }
  | { readonly kind: 'killed' | 'new' }

/** A folder's part in a crawl that machines share. */
export interface SharedStatus {
  /** `redis://HOST:PORT/NAME`, without a password. */
  readonly where: string
  /** How many machines are at work. */
  readonly machines: number
}

/** Totals over all runs of a crawl. */
export interface CrawlTotals {
  readonly pages: number
  readonly requests: number
  readonly wireBytes: number
  readonly workMs: number
  /** Links that a setting kept out and that were only counted (`held-limit`), since `maxHeld` were remembered already. */
  readonly notRemembered: number
  /** How often the engine of a shared frontier had forgotten what it had acknowledged. */
  readonly losses: number
}

export async function statusOf(folder: string, source: Source): Promise<CrawlStatus> {
  const answered = await source.ask('status', {})
  const { frontier, outlook, running: now, losses = lossesIn(folder), machines = 0 } = answered
  const { challengedHosts = challengedIn(folder) } = answered
  const running = now && { ...now, waitingFor: now.waitingFor[language()] }
  const file = readCrawlFile(folder)
  const where = file?.frontier?.where
  return {
    state: stateOf(folder, file, running, frontier),
    startedAtMs: file && Date.parse(file.startedAt),
    running,
    waterfall: waterfall(frontier),
    frontier,
    outlook,
    totals: {
      ...totalsOf(folder, where === undefined, frontier, running),
      notRemembered: notRememberedIn(folder),
      losses,
    },
    challengedHosts,
    sitemaps: sitemapCounts(Object.entries(keptStats(folder)?.sitemaps ?? {})),
    ...(where !== undefined && { shared: { where, machines } }),
    runs: file?.runs ?? [],
    settings: file?.runs.at(-1)?.settings ?? {},
    disk: await diskUse(folder),
  }
}

/** `running`: what its process says, if it answers. `counts`: of its frontier; links may wait there although nothing was left when it ended. */
export function stateOf(
  folder: string,
  file: CrawlFile | undefined,
  running: Pick<RunActivity, 'pid'> | undefined,
  counts?: Pick<FrontierCounts, 'waiting' | 'down'>,
): CrawlState {
  const { state, owner } = lockHolder(folder)
  if (running !== undefined) return { kind: 'running', pid: running.pid, host: owner?.host }
  if (state === 'runs') return { kind: 'running', pid: owner?.pid, host: owner?.host }
  if (state === 'unseen') return { kind: 'unseen', pid: owner?.pid, host: owner?.host }
  const run = file?.runs.at(-1)
  if (run?.endedAt !== undefined) {
    const isLeft = run.because === 'nothing left' && counts !== undefined && counts.waiting > 0
    const because = isLeft ? (counts.down > 0 ? 'unreachable' : undefined) : run.because
    return { kind: 'ended', because, atMs: Date.parse(run.endedAt) }
  }
  if (state === 'gone' || run !== undefined) return { kind: 'killed' }
  return file === undefined || file.runs.length === 0
    ? { kind: 'ended', because: undefined, atMs: undefined }
    : { kind: 'new' }
}

/**
 * The totals that the process knows, or those from `stats.json`; after a kill, with pages that it does not have, as the next start
 * will count them. `isOwn`: the frontier counts the pages of this folder, not those of other machines, too.
 */
export function totalsOf(
  folder: string,
  isOwn: boolean,
  counts: FrontierCounts,
  running: Omit<RunActivity, 'waitingFor'> | undefined,
): Omit<CrawlTotals, 'notRemembered' | 'losses'> {
  if (running !== undefined) {
    const { pages, requests, wireBytes, workMs } = running
    return { pages, requests, wireBytes, workMs }
  }
  const frontier = isOwn ? counts : undefined
  const { pages: keptPages = 0, wireBytes: keptBytes = 0, requests = 0, workMs = 0 } = keptStats(folder) ?? {}
  const lost = Math.max(0, (frontier?.pages ?? 0) - keptPages)
  return {
    pages: frontier?.pages ?? keptPages,
    requests: Math.max(requests + lost, frontier?.done ?? 0),
    wireBytes: Math.round(keptBytes * (1 + lost / Math.max(1, keptPages))),
    workMs,
  }
}

/** As its files say: the process does not answer, or there is none. */
function challengedIn(folder: string): ChallengedHost[] {
  return new Details(keptStats(folder)?.details).challengedHosts
}

export function lossesIn(folder: string): number {
  return keptStats(folder)?.losses ?? 0
}

function notRememberedIn(folder: string): number {
  return keptStats(folder)?.refusedLinks['held-limit'] ?? 0
}

const words = catalogue({
  en: {
    endings: {
      limit: 'the limit is reached',
      'nothing left': 'nothing is left to do',
      unreachable: 'what is left cannot be reached',
      stopped: 'it was stopped',
      time: 'its time was up',
      bytes: 'the archive reached its size limit',
    },
    ended: (why: string) => (why === '' ? 'ended' : `ended: ${why}`),
    resume: (folder: string) => `continue it with: escalona resume ${folder}`,
    killed: 'not running: its last run was killed or ended with an error',
    fresh: 'not running: it has not begun yet',
    silent: 'its process does not answer; these numbers come from its files',
    closing: 'ending: the files are being closed',
  },
  pt: {
    endings: {
      limit: 'o limite foi atingido',
      'nothing left': 'não há mais nada a fazer',
      unreachable: 'o que resta não pode ser alcançado',
      stopped: 'foi interrompida',
      time: 'o tempo acabou',
      bytes: 'o arquivo chegou ao tamanho limite',
    },
    ended: (why: string) => (why === '' ? 'terminada' : `terminada: ${why}`),
    resume: (folder: string) => `continue com: escalona resume ${folder}`,
    killed: 'parada: a última execução foi morta ou terminou com erro',
    fresh: 'parada: ainda não começou',
    silent: 'o processo não responde; os números são os dos arquivos',
    closing: 'terminando: os arquivos estão sendo fechados',
  },
})

/** Why a run ended, for people; empty when that is not known. */
export function shownEnding(because: CrawlRun['because']): string {
  return because === undefined ? '' : words().endings[because]
}

/** The state of a crawl: as its process says, or as its files do. `settings`: undefined when they are unknown. */
export function crawlNow(
  folder: string,
  status: RunStatus<Bilingual>,
  file: CrawlFile | undefined,
  settings: CrawlSettings | undefined,
): Omit<CrawlNow, 'waitingFor' | 'challenges'> & {
  readonly waitingFor: Bilingual
  readonly challenges: Bilingual | undefined
} {
  const { frontier, outlook, failed = 0, blockedHosts = 0, running, machines } = status
  const losses = status.losses ?? (running === undefined ? lossesIn(folder) : 0)
  const challenged = status.challengedHosts ?? (running === undefined ? challengedIn(folder) : [])
  const { ready, resting, down } = outlook
  const { pages, requests, wireBytes, workMs } = totalsOf(folder, file?.frontier === undefined, frontier, running)
  const startedAt = file?.runs.at(-1)?.startedAt ?? file?.startedAt
  const limit = running === undefined ? settings?.limit : running.limit
  const state = stateOf(folder, file, running, frontier)
  return {
    state: running?.state ?? 'ended',
    name: basename(resolve(folder)),
    startedAtMs: running?.sinceMs ?? (startedAt === undefined ? undefined : Date.parse(startedAt)),
    ...{ workMs, limit: limit === Infinity ? undefined : limit, requests, wireBytes },
    pages: machines === undefined ? pages : Math.max(frontier.pages, pages),
    // The frontier alone knows those of other machines, and those of a run that was killed.
    failed: Math.max(failed, waterfall(frontier).failed.count),
    losses,
    pagesPerSecond: running?.pagesPerSecond ?? 0,
    bytesPerSecond: running?.bytesPerSecond ?? 0,
    openRequests: running?.openRequests ?? 0,
    slots: running?.slots ?? 0,
    frontier,
    hosts: { ready, resting, down, blocked: blockedHosts },
    eta: running?.eta,
    waitingFor: running?.waitingFor ?? inBothLanguages(() => restSentence(state, printable(folder))),
    challenges: challenged.length === 0 ? undefined : inBothLanguages(() => aboutChallenges(challenged)!),
    machines,
    ended: running === undefined ? { ...endOf(state), hasReport: existsSync(join(folder, REPORT)) } : undefined,
  }
}

function endOf(state: CrawlState): Omit<NonNullable<CrawlNow['ended']>, 'hasReport'> {
  if (state.kind === 'killed') return { because: 'killed' }
  if (state.kind !== 'ended') return { because: 'unknown' }
  return { because: ENDED_BECAUSE.find(known => known === state.because) ?? 'unknown', atMs: state.atMs }
}

/** The same a moment later, while the process closes its files and no longer answers. */
export function closingNow(now: ReturnType<typeof crawlNow>): ReturnType<typeof crawlNow> {
  const none = { pagesPerSecond: 0, bytesPerSecond: 0, openRequests: 0, eta: undefined }
  return { ...now, ...none, state: 'stopping', waitingFor: inBothLanguages(() => words().closing) }
}

/** One sentence about a crawl that does not run. */
function restSentence(state: CrawlState, folder: string): string {
  const { ended, killed, fresh, silent, resume } = words()
  switch (state.kind) {
    case 'running':
    case 'unseen':
      return silent
    case 'ended':
      return state.because === 'nothing left' || state.because === undefined
        ? ended(shownEnding(state.because))
        : `${ended(shownEnding(state.because))}; ${resume(folder)}`
    case 'killed':
      return `${killed}; ${resume(folder)}`
    case 'new':
      return `${fresh}; ${resume(folder)}`
  }
}
