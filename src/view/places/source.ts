import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { unixClock } from '../../base/clock.ts'
import { isCrawlFolder } from '../../folder/crawl-file.ts'
import { type DumpHead, type DumpRecord, linksIn } from '../../frontier/dump.ts'
import { MANIFEST } from '../../frontier/dump-manifest.ts'
import { type DumpSource, openDump } from '../../frontier/read-dump.ts'
import { FolderPlace } from './folder-place.ts'

/** What is to be imported: an export, or the folder of a crawl or of a frontier, as it is now. */
export async function sourceAt(folder: string): Promise<DumpSource> {
  const isFrontier = isCrawlFolder(folder) || existsSync(join(folder, 'frontier.txt'))
  return existsSync(join(folder, MANIFEST)) || !isFrontier ? openDump(folder) : frontierIn(folder)
}

async function frontierIn(folder: string): Promise<DumpSource> {
  const place = new FolderPlace(folder)
  const { records, crawl, hosts, links } = await place.dump().finally(() => place.close())
  const iterator = records[Symbol.asyncIterator]()
  const head = (await iterator.next()).value as DumpHead
  return {
    ...{ folder, madeAt: new Date(unixClock()).toISOString(), head, hosts, links },
    async *records({ onLinks, signal } = {}): AsyncGenerator<DumpRecord> {
      yield head
      let seen = 0
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
        seen += linksIn(next.value)
        onLinks?.(seen)
        signal?.throwIfAborted()
        yield next.value
      }
    },
    crawl: crawl && {
      settings: crawl.settings,
      async *seeds() {
        yield* crawl.seeds
      },
    },
  }
}
