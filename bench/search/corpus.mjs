// As many pages as are wanted, from real ones: each real page again and again, every time with some words that no other page has, as names
// and numbers are on the web. So words are as frequent as in real texts, and the vocabulary grows.
import { realPages, repeated as syntheticPages } from '../export/debian-pages.mjs'

const HOSTS = 500
/** Of a page, in a row before its end. */
const OWN_WORDS = 5
const MOST_REAL = 6000

/** `{ url, body }` of each page, and what they are made from. `isSynthetic`: nothing is fetched. */
export function searchedPages(cache, count, isSynthetic) {
  const most = Math.min(count, MOST_REAL)
  const { kind, pages } = isSynthetic ? { kind: 'synthetic', pages: syntheticPages(most) } : realPages(cache, most)
  return { kind, pages: repeated([...pages], count) }
}

function* repeated(real, count) {
  for (let n = 0; n < count; n++) {
    // Another order in each round, so that copies are not always at the same distance.
    const { body, url } = real[(n * 7919 + Math.floor(n / real.length)) % real.length]
    const words = Array.from({ length: OWN_WORDS }, (_, i) => ownWord(n * OWN_WORDS + i)).join(' ')
    const path = new URL(url).pathname.split('/').at(-1)
    const page = Buffer.concat([body, Buffer.from(`<p>${words}</p>`)])
    yield { url: `http://host${n % HOSTS}.example/${n}/${path}`, body: page }
  }
}

/** A word that belongs to a number. */
export function ownWord(n) {
  return `w${(Math.imul(n + 1, 0x9e3779b1) >>> 0).toString(36)}${n.toString(36)}`
}
