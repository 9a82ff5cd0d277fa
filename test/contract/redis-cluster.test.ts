import { after } from 'node:test'
import { FRONTIER_STRATEGIES } from '../model/frontier-oracle.ts'
import { SOAK } from '../model/random-source.ts'
import { startCluster } from '../redis/cluster.ts'
import { runSentences } from './contract-suite.ts'
import { runPartedLives } from './parted-lives.ts'
import { clusterMaker } from './redis-maker.ts'

const maker = clusterMaker(await startCluster({ after }))
// One Redis plays all of them.
runSentences(maker, 2, 6)
runPartedLives(maker, SOAK > 1 ? FRONTIER_STRATEGIES : ['breadth'])
