import { EscalonaError } from '../base/errors.ts'
import { isOther } from '../settings/languages.ts'
import type { CrawlSettings } from '../settings/settings.ts'
import { type UrlPattern, urlPattern } from '../settings/url-patterns.ts'
import { hostOf } from '../url/host-of.ts'
import { registrableDomain } from '../url/registrable-domain.ts'
import { webUrl } from '../url/web.ts'
import { importanceOf, LEAST_IMPORTANCE, LEVELS, RecentShares } from './importance.ts'
import type { FoundLink } from './job.ts'
import type { LinkNote } from './link-note.ts'

/**
 * A link's rank: a host's links are taken by it, lowest first, then by arrival. The ends belong to `--prefer` and `--defer`, the last also to `--language`; in
 * between is the depth of the path or, since each rank in use costs a host memory, one of a few levels.
 */
export const PREFERRED = 0
export const DEFERRED = 255
/** Of a link that no page gave a share to: found in a sitemap, or enqueued by a program. */
const MIDDLE = LEVELS / 2

/** A link that was found, as the caller's rule sees it. */
export interface LinkToRank {
  readonly url: string
  /** Of the first `<a>` or `<area>` on the page that leads there; empty when there is none. */
  readonly text: string
  /** The number of links from a seed. */
  readonly hops: number
  /** The URL of the page, the sitemap or the redirect that leads to it. */
  readonly from: string
  /** What `onPage` returned for that page. */
  readonly score: number | undefined
}

/** The caller's own rule: from 1, which comes first, to 0. Undefined leaves it to the score of the page, or else to the setting `rank`. */
export type RankLink = (link: LinkToRank) => number | undefined

/** The page that links were found on, as far as their ranks depend on it. */
export interface RankingPage {
  /** Of the link that led to it. */
  readonly note: string | undefined
  readonly isSeed: boolean
  /** How many links it has, also those that are not offered again. */
  readonly linksOut: number
  /** It was visited before: it gives no more to hosts. */
  readonly isAgain?: boolean
  readonly score?: number | undefined
  /** As far as it is known. */
  readonly language?: string | undefined
}

/** The links of a page, or of a sitemap, which gives them nothing. */
export interface LinksToRank {
  readonly from: string
  readonly hops: number
  readonly redirects?: number | undefined
  readonly page?: RankingPage | undefined
}

/** How the links of a page are ranked, and what their notes say about it. */
export interface PageRanks {
  readonly note: Pick<LinkNote, 'share' | 'score' | 'rankedBy'>
  of(link: FoundLink): number
  /** What the page gives to the host of a link that it follows; see `Link.gives`. */
  gives(url: string): number | undefined
}

export type RankSettings = Pick<CrawlSettings, 'rank' | 'prefer' | 'defer' | 'strategy' | 'language'>

/** Ranks links: by patterns, by the caller's rule, by the language of their page, by its score, by the setting `rank`; the first that says something decides. */
export class LinkRanks {
  readonly rankLink: RankLink | undefined
  private readonly settings: RankSettings
  private readonly prefer: readonly UrlPattern[]
  private readonly defer: readonly UrlPattern[]
  private readonly shares: RecentShares

  constructor(settings: RankSettings, rankLink?: RankLink, shares = new RecentShares()) {
    this.settings = settings
    this.rankLink = rankLink
    this.prefer = settings.prefer.map(urlPattern)
    this.defer = settings.defer.map(urlPattern)
    this.shares = shares
  }

  /** By other settings; what was seen of pages still counts. */
  with(settings: RankSettings): LinkRanks {
    return new LinkRanks(settings, this.rankLink, this.shares)
  }

  /** Whether links, or their hosts, are chosen by the importance of pages, which is in the notes of links. */
  get needsNotes(): boolean {
    return this.settings.rank === 'inherited' || this.isGiving
  }

  /** Whether pages give to the hosts that they link to. */
  get isGiving(): boolean {
    return this.settings.strategy === 'important'
  }

  /** Of a seed, or of a link whose page is not known any more. */
  ofUrl(url: string, hops: number): number {
    return this.byPattern(url) ?? (this.settings.rank === 'depth' ? rankOfUrl(url) : hops === 0 ? 1 : MIDDLE)
  }

  /** Of the links of a page. To be called once per page: its shares are counted. */
  ofPage({ from, hops, redirects, page }: LinksToRank): PageRanks {
    const { rank } = this.settings
    const share = page && this.shareOf(page, redirects !== undefined)
    const score = page?.score
    const level = rank === 'depth' ? undefined : share === undefined ? MIDDLE : this.shares.level(share[0] / share[1])
    const isLast = isOther(page?.language, this.settings.language)
    const byScore = score === undefined ? level : levelOf(score)
    const ofPage = isLast ? DEFERRED : byScore
    const { rankLink } = this
    const isGiver = this.isGiving && share !== undefined && page?.isAgain !== true
    const gifts = isGiver ? new Gifts(from, share[0] / share[1]) : undefined
    return {
      gives: url => gifts?.to(url),
      note: {
        share,
        score,
        rankedBy:
          rankLink !== undefined
            ? 'program'
            : isLast
              ? 'language'
              : score !== undefined
                ? 'score'
                : rank === 'inherited'
                  ? 'importance'
                  : undefined,
      },
      of: ({ url, pathDepth, text = '' }) => {
        const byPattern = this.byPattern(url)
        if (byPattern !== undefined) return byPattern
        const own = rankLink?.({ url, text, hops, from, score })
        return own !== undefined ? levelOf(checkedRank(own)) : (ofPage ?? depthRank(pathDepth))
      },
    }
  }

  /** The pattern that decides the rank of a URL, as on the command line: `--prefer *\/news/*`; undefined when none does. */
  preference(url: string): string | undefined {
    for (const setting of ['prefer', 'defer'] as const) {
      const at = this[setting].findIndex(pattern => pattern.matches(url))
      if (at >= 0) return `--${setting} ${this.settings[setting][at]}`
    }
    return undefined
  }

  private byPattern(url: string): number | undefined {
    if (this.prefer.some(pattern => pattern.matches(url))) return PREFERRED
    return this.defer.some(pattern => pattern.matches(url)) ? DEFERRED : undefined
  }

  /** The importance of a page and the number of its links, if the settings need it. A redirect gives all that it has. */
  private shareOf({ note, isSeed, linksOut }: RankingPage, isRedirect: boolean): LinkNote['share'] {
    if (!this.needsNotes || linksOut === 0) return undefined
    const importance = rounded(importanceOf(note, isSeed) ?? this.shares.meanImportance)
    if (!isRedirect) this.shares.add(importance, linksOut)
    return [importance, linksOut]
  }
}

/** What a page gives to hosts: what it gives each of its links, but to each other registrable domain only once, or farms of links would pay. */
class Gifts {
  private readonly share: number
  private readonly given: Set<string>

  constructor(from: string, share: number) {
    this.share = share
    this.given = new Set([registrableDomain(hostOf(from))])
  }

  to(url: string): number | undefined {
    const domain = registrableDomain(hostOf(url))
    if (this.given.has(domain)) return undefined
    this.given.add(domain)
    return this.share
  }
}

/** From 0 to 1, where 1 comes first. */
function levelOf(value: number): number {
  return Math.max(LEVELS - Math.floor(value * LEVELS), 1)
}

function checkedRank(value: unknown): number {
  if (typeof value === 'number' && value >= 0 && value <= 1) return value
  throw new EscalonaError('CRAWL_BAD_RANK', { value: String(value) })
}

/** Notes have a few digits only: each page has one. */
function rounded(importance: number): number {
  return Math.max(Number(importance.toPrecision(4)), LEAST_IMPORTANCE)
}

/** The default rule: short paths first. */
export function depthRank(pathDepth: number): number {
  return Math.min(PREFERRED + 1 + pathDepth, DEFERRED - 1)
}

/** The same for a URL that no page gave. */
export function rankOfUrl(url: string): number {
  const parsed = webUrl(url)
  return depthRank(typeof parsed === 'string' ? 0 : parsed.depth)
}
