import { FrontierOracle } from '../model/frontier-oracle.ts'
import type { Maker, Subject } from './maker.ts'

/** The oracle as a frontier under test: what the sentences and laws say and what the oracle does is the same. */
export const oracleMaker: Maker = {
  name: 'oracle',
  make: async (options, clock) => subjectOf(new FrontierOracle(options, clock.read)),
}

function subjectOf(frontier: FrontierOracle): Subject {
  return {
    frontier,
    get repairs() {
      return frontier.repairs
    },
    async reopen(options) {
      await frontier.close()
      frontier.reopen(options)
    },
    async afterCrash() {
      const copy = frontier.copy()
      copy.reopen()
      return subjectOf(copy)
    },
    end: () => frontier.close(),
  }
}
