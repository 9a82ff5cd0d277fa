import { after } from 'node:test'
import { startCluster } from '../redis/cluster.ts'
import { runSomeSentences } from './contract-suite.ts'
import { runPartedLives } from './parted-lives.ts'
import { clusterMaker } from './redis-maker.ts'

const maker = clusterMaker(await startCluster({ after }))
runSomeSentences(maker, 2)
runPartedLives(maker)
