import { hostOf } from '../../../url/host-of.ts'
import { checkCursor, checkFilter } from '../../checks.ts'
import type { Cursor, LinkFilter, LinkView, Page } from '../../frontier.ts'
import type { LinkTexts } from '../journal/link-texts.ts'
import { type LinkId, needsText, REFUSED, WAITING } from '../memory/links.ts'
import { Sought } from '../memory/sought.ts'
import type { FrontierState } from '../state/state.ts'

/** The most links looked at, and texts read, in one call: a few milliseconds' work. */
const LOOKED_AT_AT_ONCE = 1 << 17
const TEXTS_AT_ONCE = 2048

/** Lists links by number; a cursor is the number of the last link that was looked at. */
export class Listing {
  private readonly state: FrontierState
  private readonly texts: LinkTexts
  private readonly sought = new Sought()

  constructor(state: FrontierState, texts: LinkTexts) {
    this.state = state
    this.texts = texts
  }

  page(which: LinkFilter, cursor: Cursor): Page<LinkView> {
    checkFilter(which)
    const { skipped, limit } = checkCursor(cursor)
    const { last } = this.state.links
    const items: LinkView[] = []
    const isWanted = this.wanted(which)
    if (isWanted === undefined) return { items, next: undefined }
    const end = Math.min(last, skipped + LOOKED_AT_AT_ONCE)
    let link = skipped
    for (let texts = 0; link < end && items.length < limit && texts < TEXTS_AT_ONCE; ) {
      if (!isWanted(++link)) continue
      const view = this.viewOf(link)
      if (which.host === undefined || view.host === which.host) items.push(view)
      texts++
    }
    return { items, next: link < last ? String(link) : undefined }
  }

  /** One link that waits, is leased, was refused or is planned; the texts of others are not kept. */
  one(url: string): LinkView | undefined {
    const { links, plans } = this.state
    const link = this.state.find(url, this.sought)
    if (link === 0) return undefined
    const plan = plans.of(link)
    if (plan === 0) return needsText(links.state(link)) ? this.viewOf(link) : undefined
    const text = this.texts.readAt(link, plans.segment(plan), plans.textAt(plan))
    return { ...this.viewOf(link, text), again: { visitedAtMs: plans.visitedAtMs(plan) } }
  }

  /** A test for the wanted links; undefined when there can be none. */
  private wanted({ state, reasons, host }: LinkFilter): ((link: LinkId) => boolean) | undefined {
    const { links, lists, refusals } = this.state
    const known = host === undefined ? undefined : this.state.hostNamed(host)
    if (known === 0) return undefined
    if (state === 'waiting') {
      const count = known === undefined ? this.state.waiting : lists.count(known)
      return count === 0 ? undefined : link => links.state(link) === WAITING
    }
    const numbers = (reasons ?? refusals.reasons).map(reason => refusals.find(reason))
    const some = new Set(numbers.filter(number => number !== undefined && refusals.countFor(number) > 0))
    return some.size === 0 ? undefined : link => links.state(link) === REFUSED && some.has(links.reason(link))
  }

  private viewOf(link: LinkId, { note, ...text } = this.texts.read(link)): LinkView {
    const { links, refusals } = this.state
    return {
      kind: 'page',
      ...text,
      ...(note === undefined ? {} : { note }),
      host: hostOf(text.url),
      ...(links.state(link) === REFUSED ? { reason: refusals.reasons[links.reason(link)]! } : {}),
      attempts: links.attempts(link),
    }
  }
}
