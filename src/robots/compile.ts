import { GRAM_HASHES, GRAM_LENGTHS, HEAD, hashed, MAGIC, NONE, PREFIX, STAR, VERSION, WILDCARD } from './block.ts'
import type { RuleLine, Share } from './groups.ts'
import { sameOctets } from './path-octets.ts'

/** Read by {@link RobotsRules}. */
export function compileShare(
  { rules, crawlDelaySeconds }: Share,
  sitemaps: readonly string[],
): Uint8Array<ArrayBuffer> {
  const ranked = ranking(rules.flatMap(rulesOf))
  const prefixes = prefixesOf(ranked)
  let texts = ''
  const addText = (text: string): number => {
    texts += text
    return texts.length - text.length
  }
  const written = prefixes.map(prefix => addText(prefix.text))
  const wildcards = prefixes.flatMap(prefix => prefix.wildcards.map(rule => ({ rule, text: addText(rule.rest!) })))
  const textOctets = Buffer.from(texts, 'latin1')
  const sitemapOctets = sitemaps.map(sitemap => Buffer.from(sitemap))

  const atPrefixes = HEAD.bytes + 4 * ranked.length
  const atWildcards = atPrefixes + PREFIX.bytes * prefixes.length
  const atTexts = atWildcards + WILDCARD.bytes * wildcards.length
  const atSitemaps = atTexts + textOctets.length
  const length = sitemapOctets.reduce((sum, octets) => sum + 4 + octets.length, atSitemaps)
  const block = new Uint8Array(length)
  const view = new DataView(block.buffer)
  const put = (start: number, ...values: number[]) => {
    let at = start
    for (const value of values) {
      view.setUint32(at, value, true)
      at += 4
    }
  }

  put(0, MAGIC, VERSION, length, ranked.length, prefixes.length, wildcards.length, textOctets.length, sitemaps.length)
  view.setFloat64(HEAD.crawlDelay, crawlDelaySeconds ?? Number.NaN, true)
  for (const [rank, { line, allowed }] of ranked.entries()) put(HEAD.bytes + 4 * rank, line * 2 + Number(allowed))
  let firstWildcard = 0
  for (const [i, { text, parent, rank, wholeRank, wildcards: own }] of prefixes.entries()) {
    put(atPrefixes + PREFIX.bytes * i, written[i]!, text.length, parent, rank, wholeRank, firstWildcard)
    firstWildcard += own.length
  }
  const grams = rarestGrams(wildcards.map(({ text, rule }) => textOctets.subarray(text, text + rule.rest!.length)))
  for (const [i, { rule, text }] of wildcards.entries()) {
    const restLength = rule.rest!.length * 2 + Number(rule.isWhole)
    put(atWildcards + WILDCARD.bytes * i, rule.rank, text, restLength, grams[i]!)
  }
  block.set(textOctets, atTexts)
  let at = atSitemaps
  for (const octets of sitemapOctets) {
    put(at, octets.length)
    block.set(octets, at + 4)
    at += 4 + octets.length
  }
  return block
}

interface Rule {
  /** One character per octet, up to the first star. */
  readonly prefix: string
  /** After that star; never empty, and doesn't end with a star. */
  readonly rest: string | undefined
  readonly isWhole: boolean
  readonly octets: number
  readonly allowed: boolean
  readonly line: number
}

interface RankedRule extends Rule {
  readonly rank: number
}

/** RFC 9309 2.2.2: the most octets win; of equally long rules, the one that allows. Of rules for the same paths only the strongest is kept. */
function ranking(rules: readonly Rule[]): RankedRule[] {
  const best = new Map<string, Rule>()
  for (const rule of rules.toSorted((a, b) => b.octets - a.octets || Number(b.allowed) - Number(a.allowed))) {
    const pattern = `${rule.prefix}${rule.rest === undefined ? '' : `*${rule.rest}`}${rule.isWhole ? '$' : ''}`
    if (!best.has(pattern)) best.set(pattern, rule)
  }
  return Array.from(best.values(), (rule, rank) => ({ ...rule, rank }))
}

function rulesOf({ allowed, path, line }: RuleLine): Rule[] {
  const text = sameOctets(path)
  // Nothing else can be the beginning of a path.
  if (!text.startsWith('/') && !text.startsWith('*')) return []
  const rule = ruleOf(text, allowed, line)
  // Allowing a directory's index allows the directory, too.
  const index = allowed ? text.lastIndexOf('/index.htm') : -1
  if (index === -1 || text.includes('/', index + 1)) return [rule]
  return [rule, ruleOf(`${text.slice(0, index + 1)}$`, allowed, line)]
}

/** RFC 9309 2.2.3: `*` is any text, and `$` at the end is the end. A `$` elsewhere is one, which a URL has as `%24`. */
function ruleOf(text: string, allowed: boolean, line: number): Rule {
  const endsWithDollar = text.endsWith('$')
  const written = (endsWithDollar ? text.slice(0, -1) : text).replaceAll('$', '%24').replace(/\*+/g, '*')
  const endsWithStar = written.endsWith('*')
  const pattern = endsWithStar ? written.slice(0, -1) : written
  const star = pattern.indexOf('*')
  return {
    prefix: star === -1 ? pattern : pattern.slice(0, star),
    rest: star === -1 ? undefined : pattern.slice(star + 1),
    isWhole: endsWithDollar && !endsWithStar,
    octets: text.length,
    allowed,
    line,
  }
}

interface Prefix {
  readonly text: string
  parent: number
  rank: number
  wholeRank: number
  readonly wildcards: RankedRule[]
}

function prefixesOf(rules: readonly RankedRule[]): Prefix[] {
  const byText = new Map<string, Prefix>()
  for (const rule of rules) {
    let prefix = byText.get(rule.prefix)
    if (prefix === undefined) {
      prefix = { text: rule.prefix, parent: NONE, rank: NONE, wholeRank: NONE, wildcards: [] }
      byText.set(rule.prefix, prefix)
    }
    if (rule.rest !== undefined) prefix.wildcards.push(rule)
    else if (rule.isWhole) prefix.wholeRank = rule.rank
    else prefix.rank = rule.rank
  }
  const prefixes = [...byText.keys()].sort().map(text => byText.get(text)!)
  /** Prefixes of the current one, from the shortest to the longest. */
  const parents: number[] = []
  for (const [i, prefix] of prefixes.entries()) {
    while (parents.length > 0 && !prefix.text.startsWith(prefixes[parents.at(-1)!]!.text)) parents.pop()
    const parent = parents.at(-1)
    if (parent !== undefined) {
      prefix.parent = parent
      prefix.rank = Math.min(prefix.rank, prefixes[parent]!.rank)
    }
    parents.push(i)
  }
  return prefixes
}

/** By hash; all zero between two calls. A wrong count only makes the sieve coarser. */
const counts = new Uint16Array(GRAM_HASHES)

/** The piece that fewest of the others have, so that few are compared with a path that has it. */
function rarestGrams(rests: readonly Uint8Array[]): number[] {
  const all = rests.map(gramsOf)
  for (const grams of all) for (const gram of grams) counts[gram]!++
  const rarest = all.map(grams =>
    grams.reduce((best, gram) => (counts[gram]! < counts[best]! ? gram : best), grams[0]!),
  )
  for (const grams of all) for (const gram of grams) counts[gram] = 0
  return rarest
}

/** The longest pieces without a star. */
function gramsOf(rest: Uint8Array): number[] {
  for (const length of GRAM_LENGTHS) {
    const grams: number[] = []
    let run = 0
    let window = 0
    for (const octet of rest) {
      window = (window >>> 8) | (octet << 24)
      run = octet === STAR ? 0 : run + 1
      if (run >= length) grams.push(hashed(window >>> (32 - 8 * length)))
    }
    if (grams.length > 0) return grams
  }
  return []
}
