import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SLOTS, slotOf } from '../../../src/frontier/redis/engine/slot.ts'
import { parseWhere } from '../../../src/frontier/redis/engine/where.ts'
import { crawlTag, shardTags } from '../../../src/frontier/redis/shard/host-shards.ts'

test('Redis: shard i lies in slot ⌊16384 i / shards⌋', () => {
  for (const shards of [1, 3, 64, 1024]) {
    const tags = shardTags('news', shards)
    assert.deepEqual(
      tags.map(slotOf),
      Array.from({ length: shards }, (_, i) => Math.floor((SLOTS * i) / shards)),
    )
    assert.equal(new Set([...tags, crawlTag('news')]).size, shards + 1)
  }
})

test('Redis: the tags of a crawl never change: its keys are called by them', () => {
  assert.deepEqual(shardTags('news', 4), KNOWN_TAGS)
  assert.equal(crawlTag('news'), '{news}')
})

test('ours: no shard of a crawl has the tag of another crawl', () => {
  for (const name of ['news', 'news.a', 'n-_.']) {
    assert.equal(crawlTag(parseWhere(`redis://h/${name}`).name), `{${name}}`)
    for (const tag of shardTags(name, 16)) {
      assert.throws(() => parseWhere(`redis://h/${tag.slice(1, -1)}`), { code: 'FRONTIER_BAD_URL' })
    }
  }
})

const KNOWN_TAGS = ['{news:hp}', '{news:yr}', '{news:Jt}', '{news:dNR}']
