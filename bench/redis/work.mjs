// The work that Escalona and its peers get: the links of bench/frontier, except that every host is a registrable domain of
// its own, since a domain is never divided among shards. URLs are 49 bytes long on average.
import { BATCH, chance, link } from '../frontier/work.mjs'

/** One link in five is known already. */
export const FRESH_SHARE = 0.8
const DOMAIN = '-example.com'
/** In the usual load, on average. */
const LINKS_PER_HOST = 50
const LINKS_PER_EVEN_HOST = 250

/** Link n of each load. */
export const LOADS = {
  /** Hosts by Zipf's law. */
  usual: n => link(n, DOMAIN),
  /** All hosts have as many, so that all links can be visited without waiting for the biggest host. */
  even: n => atHost(Math.floor(n / LINKS_PER_EVEN_HOST), n),
  /** Each link has a host of its own. */
  alone: n => atHost(n, n),
}

function atHost(host, n) {
  const { url, ...rest } = link(n, DOMAIN)
  return { ...rest, url: `https://host-${host}${DOMAIN}${url.slice(url.indexOf('/', 8))}` }
}

/** The first page of each host, for `known` links of the usual load. */
export function homes(known, { clients, client }) {
  const hosts = Math.ceil(known / LINKS_PER_HOST)
  const numbers = Array.from({ length: hosts }, (_, host) => host).filter(host => host % clients === client)
  return numbers.map(host => ({ url: `https://host-${host}${DOMAIN}/`, rank: 0, hops: 0 }))
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
  for (let known = from; known < to; known += BATCH * FRESH_SHARE) {
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
