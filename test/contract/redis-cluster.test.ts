import { after } from 'node:test'
import { startCluster } from '../redis/cluster.ts'
import { runSentences } from './contract-suite.ts'
import { runPartedLives } from './parted-lives.ts'
import { clusterMaker } from './redis-maker.ts'

const maker = clusterMaker(await startCluster({ after }))
runSentences(maker)
runPartedLives(maker)
