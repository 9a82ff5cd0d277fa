import { after, test } from 'node:test'
import { ONLY_IN_SOAK, SOAK } from '../model/random-source.ts'
import { startCluster } from '../redis/cluster.ts'
import { allLawsHoldOn } from './lives.ts'
import { clusterMaker } from './redis-maker.ts'

// In npm test they hold on one Redis: redis-laws.test.ts.
if (SOAK > 1) await allLawsHoldOn([clusterMaker(await startCluster({ after }))])
else test('all laws hold on a cluster', ONLY_IN_SOAK, () => {})
