import { basename, resolve } from 'node:path'
import { type Bilingual, catalogue, inBothLanguages } from '../base/words/language.ts'
import { printable } from '../base/words/printable.ts'
import type { CrawlFile, CrawlRun } from '../folder/crawl-file.ts'
import { waterfall } from '../folder/stats/outcome-counts.ts'
import type { RunStatus } from '../run/run-status.ts'
import type { CrawlSettings } from '../settings/settings.ts'
import type { CrawlNow } from './questions/crawl-shapes.ts'
import { type CrawlState, lossesIn, stateOf, totalsOf } from './status.ts'

const words = catalogue({
  en: {
    endings: {
      limit: 'the limit is reached',
      'nothing left': 'nothing is left to do',
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

/** Where a crawl stands: as its process says, or as its files do. `settings`: undefined when they are unknown. */
export function crawlNow(
  folder: string,
  status: RunStatus<Bilingual>,
  file: CrawlFile | undefined,
  settings: CrawlSettings | undefined,
): Omit<CrawlNow, 'waitingFor'> & { readonly waitingFor: Bilingual } {
  const { frontier, outlook, failed = 0, blockedHosts = 0, running, machines } = status
  const losses = status.losses ?? (running === undefined ? lossesIn(folder) : 0)
  const { ready, resting, down } = outlook
  const { pages, requests, wireBytes, workMs } = totalsOf(folder, file?.frontier === undefined, frontier, running)
  const startedAt = file?.runs.at(-1)?.startedAt ?? file?.startedAt
  const limit = running === undefined ? settings?.limit : running.limit
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
    waitingFor:
      running?.waitingFor ?? inBothLanguages(() => restSentence(stateOf(folder, file, undefined), printable(folder))),
    machines,
  }
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
