import type { Where } from '../../frontier/redis/where.ts'
import { shownWhere } from '../../frontier/redis/where.ts'
import type { FrontierPlace, PlaceDump, PlaceReport, PlaceStatus } from './place.ts'

/** A name in Redis. */
export class RedisPlace implements FrontierPlace {
  readonly shown: string

  constructor(where: Where, _onTrouble: (message: string) => void) {
    this.shown = shownWhere(where)
  }

  status(): Promise<PlaceStatus> {
    throw new Error('not built yet')
  }

  // biome-ignore lint/correctness/useYield: not built yet
  async *hosts(): AsyncGenerator<never> {
    throw new Error('not built yet')
  }

  explain(): Promise<never> {
    throw new Error('not built yet')
  }

  dump(): Promise<PlaceDump> {
    throw new Error('not built yet')
  }

  async restore(): Promise<void> {}

  async clear(): Promise<void> {}

  report(): Promise<PlaceReport> {
    throw new Error('not built yet')
  }

  async close(): Promise<void> {}
}
