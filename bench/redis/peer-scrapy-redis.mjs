// The layout of scrapy-redis: a set of fingerprints (SHA-1 of the URL, in hexadecimal) and a sorted set of requests. Here a
// request is its URL alone, which favours it: scrapy-redis stores a pickled or JSON-encoded request. No politeness, no leases,
// no results: a request that was popped is gone.
import { createHash } from 'node:crypto'
import { createClient } from '@redis/client'

const fingerprint = url => createHash('sha1').update(url).digest('hex')

/** `isPipelined`: by batches, which scrapy-redis doesn't do. */
export async function open({ addresses, name, isPipelined }) {
  const [host, port] = addresses[0].split(':')
  const redis = createClient({ RESP: 2, socket: { host, port: Number(port) } })
  await redis.connect()
  const [seen, requests] = [`${name}:dupefilter`, `${name}:requests`]
  const adding = ({ url }) => ['SADD', seen, fingerprint(url)]
  const pushing = ({ url, rank }) => ['ZADD', requests, String(rank), url]

  /** Sends all commands in one go; their replies. */
  function pipeline(commands) {
    const all = redis.multi()
    for (const command of commands) all.addCommand(command)
    return all.execAsPipeline()
  }

  async function offerOneByOne(links) {
    let fresh = 0
    for (const link of links) {
      if ((await redis.sendCommand(adding(link))) === 0) continue
      await redis.sendCommand(pushing(link))
      fresh++
    }
    return fresh
  }

  async function offerPipelined(links) {
    const added = await pipeline(links.map(adding))
    const fresh = links.filter((_, n) => added[n] === 1)
    await pipeline(fresh.map(pushing))
    return fresh.length
  }

  return {
    /** Returns how many were new. */
    offer: isPipelined ? offerPipelined : offerOneByOne,
    /** Pops one request, as its priority queue does. */
    async visit() {
      const multi = redis.multi()
      multi.addCommand(['ZRANGE', requests, '0', '0'])
      multi.addCommand(['ZREMRANGEBYRANK', requests, '0', '0'])
      const [urls] = await multi.exec()
      return urls.length
    },
    close: () => redis.close(),
  }
}
