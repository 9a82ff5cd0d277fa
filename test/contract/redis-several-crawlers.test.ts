import { after } from 'node:test'
import { startCluster } from '../redis/cluster.ts'
import { startRedis } from '../redis/servers.ts'
import { severalCrawlersTests } from './several-crawlers.ts'

const server = await startRedis({ after })
const cluster = await startCluster({ after })
severalCrawlersTests('Redis', name => server.url(name, '?shards=1'), 3)
severalCrawlersTests('Redis Cluster', name => cluster.url(name, '?shards=7'), 3)
