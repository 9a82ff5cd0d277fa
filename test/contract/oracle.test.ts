// The suite on the oracle itself: what the sentences say and what the oracle does is the same.
import type { Frontier } from '../../src/frontier/frontier.ts'
import { type FrontierOptions, FrontierOracle } from '../model/frontier-oracle.ts'
import { runContract } from './contract-suite.ts'
import type { Subject } from './maker.ts'

runContract('oracle', {
  name: 'oracle',
  make: async options => subjectOf(new FrontierOracle(options)),
})

function subjectOf(frontier: FrontierOracle): Subject {
  return {
    frontier: frontier as Frontier,
    async reopen(options?: FrontierOptions) {
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
