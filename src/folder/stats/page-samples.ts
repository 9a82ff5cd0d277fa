/** One archived page, as a sample for people to look at. */
export interface PageSample {
  readonly url: string
  readonly title: string
  /** The first words of visible text; empty if the page was counted again from `pages.jsonl`, which does not have them. */
  readonly opening: string
  readonly bytes: number
  readonly tokens: number
  readonly hops: number
}

/** What a sample is made from, besides the first words. */
export type SampledPage = Omit<PageSample, 'opening' | 'title'> & { readonly title?: string }

const MOST_SAMPLES = 12
/** Longer texts are cut, since samples are for reading and are written every few seconds. */
const MOST_CHARS = 300

/**
 * A few pages, chosen by the hash of their URL: as good as random, and the same whenever the choice is repeated. So the sample
 * stays fair over all runs, and what a crash lost can be added again.
 */
export class PageSamples {
  /** Smallest hash first. */
  private readonly chosen: { readonly hash: number; readonly page: PageSample }[] = []

  constructor(pages: readonly PageSample[] = []) {
    for (const page of pages) this.add(page, page.opening)
  }

  add({ url, title = '', bytes, tokens, hops }: SampledPage, opening: string): void {
    const hash = hashOf(url)
    const { chosen } = this
    if (chosen.length === MOST_SAMPLES && hash >= chosen[MOST_SAMPLES - 1]!.hash) return
    const at = chosen.findIndex(other => other.hash >= hash)
    if (chosen[at]?.page.url === url) return
    const page = { url, title: cut(title), opening: cut(opening), bytes, tokens, hops }
    chosen.splice(at === -1 ? chosen.length : at, 0, { hash, page })
    chosen.length = Math.min(chosen.length, MOST_SAMPLES)
  }

  toJSON(): PageSample[] {
    return this.chosen.map(({ page }) => page)
  }
}

function cut(text: string): string {
  return text.length <= MOST_CHARS ? text : `${Array.from(text.slice(0, MOST_CHARS)).slice(0, -1).join('')}…`
}

/** FNV-1a with a final mix, so that similar URLs get very different hashes. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}
