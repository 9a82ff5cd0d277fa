import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import { EscalonaError } from '../../base/errors.ts'
import { uniqueName } from '../../base/random.ts'
import { version } from '../../base/version.ts'
import { catalogue } from '../../base/words/language.ts'
import { printable } from '../../base/words/printable.ts'
import type { FrontierOptions, HostView } from '../../frontier/frontier.ts'
import { type FrontierView, openLocalReadOnly } from '../../frontier/local/read-only.ts'
import { parseWhere } from '../../frontier/redis/engine/where.ts'
import { registrableDomain } from '../../url/registrable-domain.ts'
import { type CrawlFile, readCrawlFile } from '../crawl-file.ts'
import type { Desk } from '../desk/desk.ts'
import { FrontierDesk } from '../desk/frontier-desk.ts'
import { HostBook } from '../host-settings.ts'
import { type RestCause, restCause } from '../rests.ts'
import { readSeeds } from '../seeds-file.ts'
import { readNamed } from '../setting-names.ts'
import { agentOf, type CrawlSettings, settingsWith } from '../settings.ts'
import { checkExists } from '../shared/structure.ts'
import { LinkRules } from '../worker/link-rules.ts'

const words = catalogue({
  en: {
    notBegun: (path: string) =>
      `${path} has no frontier: the start of its crawl was interrupted, or the folder frontier was removed; run the crawl command again, or restore a copy`,
  },
  pt: {
    notBegun: (path: string) =>
      `${path} não tem fronteira: o início da coleta foi interrompido, ou a pasta frontier foi removida; execute de novo o comando crawl, ou restaure uma cópia`,
  },
})

/** Opens a desk that answers from the files of a crawl, as they are now. A frontier that machines share is asked where it is. */
export async function openFilesDesk(
  folder: string,
  clock: Clock,
  frontierPassword?: string,
): Promise<{ readonly desk: Desk; close(): Promise<void> }> {
  const file = readCrawlFile(folder)
  const settings = settingsOf(file)
  const place = file?.frontier?.where
  const { frontier, machines } =
    place === undefined
      ? { frontier: await openOwn(folder, file, settings, clock), machines: undefined }
      : await openShared(place, settings, frontierPassword)
  const rules =
    settings &&
    rulesOf(
      settings,
      readSeeds(folder).map(({ url }) => url),
    )
  const agent = agentOf(settings?.userAgent ?? 'escalona')
  const restOf = settings && restCauseFrom(settings, clock)
  const desk = new FrontierDesk({ frontier, rules, agent, restCause: restOf, ...(machines && { machines }) })
  return { desk, close: () => frontier.close() }
}

async function openOwn(
  folder: string,
  file: CrawlFile | undefined,
  settings: CrawlSettings | undefined,
  clock: Clock,
): Promise<FrontierView> {
  if (file !== undefined && !existsSync(join(folder, 'frontier')))
    throw new EscalonaError('CRAWL_NOT_FOUND', words().notBegun(printable(folder)))
  return openLocalReadOnly({ folder: join(folder, 'frontier'), clock, ...judgements(settings) })
}

/** As an observer: machines that work on the crawl do not notice. */
async function openShared(
  place: string,
  settings: CrawlSettings | undefined,
  password: string | undefined,
): Promise<{ readonly frontier: FrontierView; machines(): number }> {
  const { openRedis } = await import('../../frontier/redis/open.ts')
  const where = parseWhere(place, password)
  await checkExists(where)
  const frontier = await openRedis({ where, crawler: uniqueName(), isObserver: true, ...judgements(settings) })
  return { frontier, machines: () => frontier.crawlersAlive() }
}

/** What decides which hosts count as down, and the delays of the backlog. */
function judgements(settings: CrawlSettings | undefined): Pick<FrontierOptions, 'retries' | 'delayMs'> {
  return settings === undefined ? {} : { retries: settings.retries, delayMs: settings.delayMs }
}

/** Without what the process remembers: answers of this run. */
function restCauseFrom(settings: CrawlSettings, clock: Clock): (host: HostView) => RestCause | undefined {
  const hosts = new HostBook(settings)
  const delayMs = (host: string) => hosts.delayMs(host)
  return host => restCause(host, { nowMs: clock(), delayMs, rest: () => undefined })
}

/** The settings of the newest run; undefined in a folder made by an earlier version. */
function settingsOf(file: CrawlFile | undefined): CrawlSettings | undefined {
  const run = file?.runs.at(-1)
  return run && settingsWith(readNamed(run.settings), 1, version())
}

function rulesOf({ scope, include, exclude, maxDepth }: CrawlSettings, seeds: readonly string[]): LinkRules {
  return new LinkRules({ scope, include, exclude, seeds, maxHops: maxDepth }, registrableDomain)
}
