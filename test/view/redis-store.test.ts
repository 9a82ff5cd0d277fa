import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { version } from '../../src/base/version.ts'
import { parseWhere } from '../../src/frontier/redis/engine/where.ts'
import { writeTerms } from '../../src/run/machines/terms.ts'
import { settingsWith } from '../../src/settings/settings.ts'
import { RedisStore } from '../../src/view/stores/redis-store.ts'
import { Crew, link } from '../frontier/redis/crew.ts'
import { startRedis } from '../redis/servers.ts'

const server = await startRedis({ after })

for (const strategy of ['breadth', 'explore', 'important'] as const) {
  test(`ours: a host that is cleared while a crawl runs with ${strategy} is leased once when it has links again`, async t => {
    let damaged = 0
    const onDamaged = (some: number) => {
      damaged += some
    }
    const crew = new Crew(t, server, 1, { strategy, seed: 1, onDamaged })
    const frontier = await crew.join('a')
    await frontier.book.writeSettings(writeTerms({ strategy }, settingsWith({ strategy }, 1, version()), 0))
    const hosts = Array.from({ length: 60 }, (_, n) => `host${n}.example${n}.com`)
    await frontier.offer(hosts.flatMap(host => [link(host, 1), link(host, 2)]))
    await frontier.take(0)
    const store = new RedisStore(parseWhere(crew.url), () => {})
    for (const host of hosts.slice(0, 30)) await store.clear(host, true)
    await store.close()
    await frontier.offer(hosts.slice(15, 30).flatMap(host => [link(host, 3), link(host, 4)]))
    const { tickets } = await frontier.take(100)
    assert.equal(new Set(tickets.map(({ host }) => host)).size, tickets.length)
    const { waiting, leased } = await frontier.counts()
    assert.deepEqual([tickets.length, leased, waiting, damaged], [45, 45, 45, 0])
  })
}
