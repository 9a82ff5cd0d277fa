import { after } from 'node:test'
import { startCluster } from '../redis/cluster.ts'
import { startRedis } from '../redis/servers.ts'
import { openClient } from './redis-maker.ts'
import { type OpenClient, severalCrawlersTest } from './several-crawlers.ts'

const server = await startRedis({ after })
const cluster = await startCluster({ after })
const onRedis: OpenClient = (name, ...rest) => openClient(server.url(name, '?shards=1'), ...rest)
const onCluster: OpenClient = (name, ...rest) => openClient(cluster.url(name, '?shards=7'), ...rest)
severalCrawlersTest('Redis', onRedis, 1)
severalCrawlersTest('Redis Cluster', onCluster, 1)
