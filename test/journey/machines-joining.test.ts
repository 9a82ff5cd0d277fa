// What the commands say about a folder whose frontier is shared; one machine at a time, so nothing here is judged by its time.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { CrawlView } from '../../src/view/crawl-view.ts'
import { escalona } from '../cli/run-cli.ts'
import { until } from '../redis/servers.ts'
import { expected } from '../web/synthetic-web.ts'
import { pagesSoFar } from './collected.ts'
import { differences, twice, urlsOf } from './crawl.ts'
import { machines, union } from './machines.ts'

const PASSWORD = 'pa55-for-tests'

test('shared crawl: settings, password, resume and the commands that look, with a frontier in a Redis', async t => {
  const trip = await machines(t, { seed: 75, hosts: 12, pagesAHost: 5, oddities: false }, { password: PASSWORD })
  const env = { ESCALONA_REDIS_PASSWORD: PASSWORD }
  const [one, two] = [trip.folderOf(1), trip.folderOf(2)]

  const early = trip.start(2, [], { env })
  await early.says(/waiting for the machine that begins the crawl at redis:/)
  const first = await trip.start(1, ['-n', '10', '--delay', '20ms', '--max-depth', '9'], { env }).ending
  assert.equal(first.code, 0, first.stderr)
  assert.equal((await early.ending).code, 0, early.stderr)
  assert.equal(pagesSoFar(one) + pagesSoFar(two), 10)
  assert.ok(!existsSync(join(one, 'frontier')))
  assert.match(
    readFileSync(join(two, 'crawl.toml'), 'utf8'),
    /frontier = "redis:[^\n]*\n[^#]*limit = "10"[^#]*delay = "20ms"/,
  )
  for (const folder of [one, two])
    for (const name of readdirSync(folder).filter(file => /json|toml|html/.test(file)))
      assert.ok(!readFileSync(join(folder, name), 'utf8').includes(PASSWORD), name)

  const without = escalona(['status', one])
  assert.equal(without.code, 2)
  assert.match(without.stderr, /ESCALONA_REDIS_PASSWORD/)
  const status = escalona(['status', one, '--json'], { env })
  assert.equal(status.code, 0, status.stderr)
  const { shared, frontier, totals } = JSON.parse(status.stdout.toString())
  assert.deepEqual([shared.machines, frontier.pages, totals.pages], [0, 10, pagesSoFar(one)])
  assert.match(escalona(['status', one], { env }).stdout.toString(), /shared, 0 machines at work; \d+ of 10 pages/)
  assert.match(escalona(['hosts', one], { env }).stdout.toString(), /test/)
  assert.notEqual(escalona(['list', one, '--state', 'waiting'], { env }).stdout.length, 0)
  const busy = pagesSoFar(one) > 0 ? one : two
  assert.match(escalona(['list', busy, '--state', 'done'], { env }).stdout.toString(), /done/)

  const view = new CrawlView(one, { frontierPassword: PASSWORD, isLive: true })
  try {
    const now = await view.ask('crawl', {})
    assert.deepEqual([now.state, now.pages, now.machines, now.limit], ['ended', 10, 0, 10])
    const found = () => view.ask('hosts', { sort: 'waiting', offset: 0, limit: 5 })
    await until('all hosts', 10_000, async () => (await found()).isComplete)
    const { items, total } = await found()
    assert.deepEqual([items.length, total], [Math.min(5, total), now.frontier.hosts])
    assert.ok(items.every(({ gap }) => gap.ms === 20))
    const [next] = (await view.ask('host', { host: items[0]!.host }))!.queue
    assert.equal((await view.ask('explain', { url: next!.url })).history.state, 'waiting')
  } finally {
    await view.close()
  }

  const resumed = escalona(['resume', two], { env })
  assert.equal(resumed.code, 0, resumed.stderr)
  assert.match(resumed.stderr, /joining the crawl at redis:.* with no other machine: 10 pages/)
  assert.match(resumed.stderr, /the crawl already has 10 pages/)
  const more = await trip.start(2, ['-n', 'none'], { env }).ending
  assert.equal(more.code, 0, more.stderr)
  assert.match(more.stderr, /changed: limit 10 → none/)
  const archived = await union(trip, 2)
  assert.deepEqual(twice(archived), [])
  assert.deepEqual(differences(archived, urlsOf(expected(trip.web).archived, trip)), { missing: [], extra: [] })

  const other = escalona(['crawl', '-o', one, '--frontier', trip.redis.url('another')], { env })
  assert.equal(other.code, 2)
  assert.match(other.stderr, /belongs to redis:.*web.*, not to redis:.*another/)
  await trip.redis.ask('FLUSHALL')
  for (const look of ['status', 'hosts']) {
    const looked = escalona([look, one], { env })
    assert.equal(looked.code, 2)
    assert.match(looked.stderr, /no crawl called web any more/)
  }
  assert.equal(await trip.redis.ask('DBSIZE'), 0, 'who only looks makes no crawl')
  const gone = escalona(['resume', one], { env })
  assert.equal(gone.code, 2)
  assert.match(gone.stderr, /no crawl called web any more/)
  await trip.redis.kill()
  const away = escalona(['status', one], { env })
  assert.equal(away.code, 2)
  assert.match(away.stderr, /127\.0\.0\.1:\d+/)
})

test('shared crawl: a page that was archived but not settled when its machine was killed is settled when it comes back', async t => {
  const trip = await machines(t, { seed: 76, hosts: 12, pagesAHost: 6, oddities: false })
  const first = trip.start(1, ['--delay', '50ms'])
  await until('pages', 20_000, () => pagesSoFar(trip.folderOf(1)) >= 8)
  // From now on nothing can be settled, but what is open is archived.
  trip.redis.freeze()
  const before = pagesSoFar(trip.folderOf(1))
  await until('pages that are not settled', 5000, () => pagesSoFar(trip.folderOf(1)) > before).catch(() => {})
  first.kill('SIGKILL')
  await first.ending
  trip.redis.thaw()
  const again = await trip.start(1).ending
  assert.equal(again.code, 0, again.stderr)
  const archived = await union(trip, 1)
  assert.deepEqual(twice(archived), [])
  assert.deepEqual(differences(archived, urlsOf(expected(trip.web).archived, trip)), { missing: [], extra: [] })
})
