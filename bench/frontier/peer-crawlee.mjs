// Crawlee's RequestQueue, in memory or persisted (a JSON file a URL). It knows nothing of hosts, delays or fsync, and gets
// what suits it: unique keys that are given, not computed, and one open request at a time (10 and 25 at once, awaited
// together, were no faster).
import { peerRequire } from './peers.mjs'

export const takesAtOnce = 1

export async function open(folder) {
  const { Configuration, RequestQueue, log } = peerRequire('@crawlee/core')
  const { MemoryStorage } = peerRequire('@crawlee/memory-storage')
  log.setLevel(log.LEVELS.OFF)
  const persistStorage = folder !== undefined
  const storageClient = new MemoryStorage({ persistStorage, ...(persistStorage ? { localDataDirectory: folder } : {}) })
  const config = new Configuration({ storageClient, persistStorage, purgeOnStart: false })
  const queue = await RequestQueue.open('links', { config, storageClient })
  const open = new Map()
  return {
    async offer(links) {
      const requests = links.map(({ url, rank }) => ({ url, uniqueKey: url, userData: { rank } }))
      const { processedRequests } = await queue.addRequests(requests)
      return processedRequests.filter(request => !request.wasAlreadyPresent).length
    },
    async take(max) {
      const tickets = []
      while (tickets.length < max) {
        const request = await queue.fetchNextRequest()
        if (request === null) break
        open.set(request.id, request)
        tickets.push({ id: request.id, url: request.url, host: request.url.slice(8, request.url.indexOf('/', 8)) })
      }
      return { tickets }
    },
    async settle(settlements) {
      for (const { ticketId } of settlements) {
        await queue.markRequestHandled(open.get(ticketId))
        open.delete(ticketId)
      }
      return 0
    },
    close: () => storageClient.teardown(),
  }
}
