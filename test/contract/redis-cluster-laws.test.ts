import { after } from 'node:test'
import { startCluster } from '../redis/cluster.ts'
import { allLawsHoldOn } from './lives.ts'
import { clusterMaker } from './redis-maker.ts'

await allLawsHoldOn([clusterMaker(await startCluster({ after }))])
