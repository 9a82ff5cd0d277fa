import type { Clock } from '../../../base/clock.ts'
import type { LinkLog } from '../journal/link-log.ts'
import type { LinkTexts } from '../journal/link-texts.ts'
import type { FrontierState } from './state.ts'

/** What keeps a frontier safe besides its log. */
export interface Keeper {
  /** Called after a change, when everything is safe. */
  afterChange(): void
  beforeClose(): Promise<void>
  close(): void
}

/** What a frontier is made of. */
export interface Parts {
  readonly state: FrontierState
  readonly log: LinkLog
  readonly texts: LinkTexts
  readonly keeper: Keeper
  readonly clock: Clock
  readonly canReopen: boolean
}
