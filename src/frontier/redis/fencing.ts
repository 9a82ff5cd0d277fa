import { crawlScripts } from './crawl-scripts.ts'
import type { OtherCrawler } from './crawlers.ts'
import type { Moment } from './moment.ts'
import type { Servers } from './servers.ts'
import type { EngineSession } from './session.ts'
import { numberOf } from './shard/replies.ts'

/**
 * Fences a crawler that was silent for so long that its leases are over. Its numbers are made right: permits of tickets that
 * it never settled are free again, and pages that it settled but never reported are counted. Nothing that it sends from
 * then on is accepted, so a crawler that was only cut off has to open the frontier anew. What it did not pass on is done:
 * all hosts that wait for a server are woken.
 */
export async function fence(
  session: EngineSession,
  servers: Servers,
  { id, opening }: OtherCrawler,
  now: Moment,
): Promise<void> {
  const { engine, tag } = session
  const command = (which: number, number: number, step: 'begin' | 'end') =>
    engine.run(crawlScripts.fence, tag, [id, String(which), String(number), step])
  const last = numberOf(await command(opening, session.crawlers.fenceAfterMs, 'begin'))
  if (last === 0) return
  const pages = await comeBack(session, servers, id, last, now)
  await wakeAll(session, now)
  await command(last, pages, 'end')
}

/** Everything parked tries again: a crawler that died may have made room at a server and woken nobody. */
export async function wakeAll({ parts }: EngineSession, now: Moment): Promise<void> {
  await Promise.all(
    parts.map(async part => {
      await part.shard.wakeAll(now.engineMs)
      part.isChanged = true
    }),
  )
}

/** The tickets of a crawler from before an opening come back, in every shard. Returns how many pages it has done. */
export async function comeBack(
  { parts, owner }: EngineSession,
  servers: Servers,
  id: string,
  opening: number,
  now: Moment,
): Promise<number> {
  const former = await Promise.all(
    parts.map(async part => {
      const { released, pages } = await part.shard.former(id, opening, now.engineMs)
      if (id === owner) part.pages = pages
      part.isChanged = true
      await servers.passOn(part, now)
      return { released, pages }
    }),
  )
  const tokens = former.flatMap(({ released }) => released)
  await servers.release(
    tokens.flatMap(({ server, token }) => (server === undefined ? [] : [{ server, token, how: 'expired' as const }])),
    now,
  )
  return former.reduce((total, { pages }) => total + pages, 0)
}
