import { type Clock, unixClock } from '../../base/clock.ts'
import { checkTime } from '../checks.ts'

/** The time of a call. */
export interface Moment {
  /** What the scripts are given; undefined: the engine's clock counts. */
  readonly engineMs: number | undefined
  /** By the clock of this client, or that of a test: only ever used for durations. */
  readonly localMs: number
}

/** What this client's clock says after a call of this time was answered, however long that took. */
export function answeredMs({ engineMs }: Moment): number {
  return engineMs ?? unixClock()
}

/** `clock`: that of a test. */
export function momentOf(clock: Clock | undefined): Moment {
  const engineMs = clock?.()
  if (engineMs !== undefined) checkTime(engineMs)
  return { engineMs, localMs: engineMs ?? unixClock() }
}
