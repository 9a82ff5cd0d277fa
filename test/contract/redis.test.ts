import { after } from 'node:test'
import { startRedis } from '../redis/servers.ts'
import { runSentences } from './contract-suite.ts'
import { runPartedLives } from './parted-lives.ts'
import { redisMaker } from './redis-maker.ts'

const maker = redisMaker(await startRedis({ after }))
runSentences(maker, 1)
runPartedLives(maker)
