import { after } from 'node:test'
import { startRedis } from '../redis/servers.ts'
import { allLawsHoldOn } from './lives.ts'
import { redisMaker } from './redis-maker.ts'

await allLawsHoldOn([redisMaker(await startRedis({ after }))])
