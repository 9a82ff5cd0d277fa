// The work that Escalona and its peers get: the links of bench/frontier, except that every host is a registrable domain of
// its own, since a domain is never divided among shards. URLs are 49 bytes long on average.
import { BATCH, chance, link } from '../frontier/work.mjs'

/** Links per batch; one in five is known already. */
const FRESH = BATCH * 0.8
const DOMAIN = '-example.com'
/** In the even load: every host gets as many links. */
const LINKS_PER_HOST = 50

/** Link n of the usual load: hosts by Zipf's law. */
export const zipf = n => link(n, DOMAIN)

/** Link n of a load whose hosts are all alike, so that all of it can be visited without waiting for the biggest ones. */
export function even(n) {
  const host = Math.floor(n / LINKS_PER_HOST)
  const { url, ...rest } = link(n, DOMAIN)
  return { ...rest, url: `https://host-${host}${DOMAIN}${url.slice(url.indexOf('/', 8))}` }
}

/** The first page of each host, for `known` links of a load. */
export function homes(known, { clients, client }) {
  const hosts = Math.ceil(known / LINKS_PER_HOST)
  const numbers = Array.from({ length: hosts }, (_, host) => host).filter(host => host % clients === client)
  return numbers.map(host => ({ url: `https://host-${host}${DOMAIN}/`, pathDepth: 0, hops: 0 }))
}

/** A server of its own for each host. */
export function serverOf(host) {
  const number = Number(/\d+/.exec(host)[0])
  return `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`
}

/**
 * The batches that bring a client from `from` to `to` links of its own. With several clients, client c gets every clients-th
 * link from the c-th on: no two have a link in common, but all have the same hosts.
 */
export function batches(from, to, { clients, client, load }) {
  const own = n => load(n * clients + client)
  const list = []
  for (let known = from; known < to; known += FRESH) {
    const links = []
    let fresh = 0
    for (let i = 0; i < BATCH; i++) {
      if (i % 5 === 4) links.push(own(Math.floor(chance(known + i, 9) * (known + fresh))))
      else links.push(own(known + fresh++))
    }
    list.push(links)
  }
  return list
}
