// The work that every peer gets: the same links in the same batches, made out of numbers, so that nothing is stored.
//
// Link n is a pure function of n. Every 50th link brings a new host; the others fall on the hosts so far by Zipf's law
// (host r gets about 1/r as many links as the first). Paths are 1 to 5 levels deep, URLs 49 bytes long on average.

/** Links a batch; one in five is known already, any of those before with equal chance. */
export const BATCH = 1000
const FRESH = 800
/** What becomes of every visit. */
export const VISITED = { outcome: { kind: 'done', isPage: true }, links: [], shown: 'answer', delayMs: 0 }
const LINKS_A_HOST = 50
const WORDS = 'a,to,en,pt,art,doc,tag,img,blog,page,news,item,user,shop,2024,2025,about,forum,topic,local'.split(',')

/** A number from 0 up to 1; the same two always give the same. */
export function chance(n, salt) {
  let x = Math.imul(n, 0x9e3779b1) ^ Math.imul(salt + 1, 0x85ebca6b)
  x = Math.imul(x ^ (x >>> 16), 0x21f0aaad)
  x = Math.imul(x ^ (x >>> 15), 0x735a2d97)
  return ((x ^ (x >>> 15)) >>> 0) / 2 ** 32
}

/** `domain`: what follows the host's number; with a dot in front, all hosts are of one registrable domain. */
export function link(n, domain = '.example.com') {
  const hosts = Math.floor(n / LINKS_A_HOST) + 1
  const host = n % LINKS_A_HOST === 0 ? hosts - 1 : Math.floor(hosts ** chance(n, 0)) - 1
  const depth = 1 + Math.floor(chance(n, 1) * 5)
  let url = `https://host-${host}${domain}/`
  for (let level = 1; level < depth; level++) url += `${WORDS[Math.floor(chance(n, 1 + level) * WORDS.length)]}/`
  return { url: `${url}${n}.html`, rank: depth, hops: 1 }
}

/** The next batch, when `known` links went before. Tells how many of it are new. */
export function batch(known) {
  const links = []
  let fresh = 0
  for (let i = 0; i < BATCH; i++) {
    const wantsKnown = i % 5 === 4
    if (wantsKnown) links.push(link(Math.floor(chance(known + i, 9) * (known + fresh))))
    else links.push(link(known + fresh++))
  }
  return { links, fresh: FRESH }
}
