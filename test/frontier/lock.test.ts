// One process at a time has a frontier's folder; test/base/folder-lock.test.ts has the lock itself.
import assert from 'node:assert/strict'
import { readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { openLocal } from '../../src/frontier/local/open.ts'
import { isLock, removeFrontier, temporaryFrontier } from '../contract/maker.ts'

test('ours: a second opening is refused, and names the process', async () => {
  const folder = temporaryFrontier()
  const frontier = await openLocal({ folder })
  try {
    const locked = { code: 'FRONTIER_LOCKED', message: new RegExp(`\\b${process.pid}\\b`) }
    await assert.rejects(openLocal({ folder }), locked)
    await assert.rejects(openLocal({ folder }), locked)
    assert.equal(await frontier.offer([{ url: 'http://a.com/', rank: 0, hops: 0 }]), 1)
    await frontier.close()
    const second = await openLocal({ folder })
    assert.equal((await second.counts()).known, 1)
    await second.close()
  } finally {
    removeFrontier(folder)
  }
})

test('ours: a failed opening leaves the folder free', async () => {
  const folder = temporaryFrontier()
  try {
    await (await openLocal({ folder })).close()
    const journal = readdirSync(folder).find(name => name.startsWith('journal'))!
    renameSync(`${folder}/${journal}`, `${folder}/kept`)
    writeFileSync(`${folder}/${journal}`, 'this is no journal, and longer than a header')
    for (let n = 0; n < 3; n++) await assert.rejects(openLocal({ folder }), { code: 'FRONTIER_DAMAGED' })
    renameSync(`${folder}/kept`, `${folder}/${journal}`)
    await (await openLocal({ folder })).close()
  } finally {
    removeFrontier(folder)
  }
})

test('ours: whoever has lost the folder acknowledges nothing any more, and writes nothing', async () => {
  const folder = temporaryFrontier()
  const frontier = await openLocal({ folder })
  try {
    await frontier.offer([{ url: 'http://a.com/', rank: 0, hops: 0 }])
    const path = `${folder}/journal-00000001.log`
    const { size } = statSync(path)
    for (const name of readdirSync(folder).filter(isLock)) rmSync(`${folder}/${name}`)
    const lost = { code: 'FRONTIER_LOST' }
    await assert.rejects(frontier.offer([{ url: 'http://b.com/', rank: 0, hops: 0 }]), lost)
    await assert.rejects(frontier.take(1), lost)
    assert.equal(statSync(path).size, size)
  } finally {
    await frontier.close().catch(() => {})
    removeFrontier(folder)
  }
})
