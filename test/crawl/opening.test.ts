// How a crawl goes on: real folders, no web.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { parse } from 'smol-toml'
import { readCrawlFile } from '../../src/folder/crawl-file.ts'
import { failureLines } from '../../src/folder/lines-of.ts'
import type { CrawlFrontier, Link } from '../../src/frontier/frontier.ts'
import { abandonCrawlFolder } from '../../src/run/opening/crawl-folder.ts'
import { type OpeningOptions, type OpenRun, openRun } from '../../src/run/opening/opening.ts'
import { type WebUrl, webUrl } from '../../src/url/web.ts'

const NOW_MS = 1_700_000_000_000
const SEED = 'https://a.org/'

function newPath(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'escalona-opening-'))
  t.after(() => rmSync(path, { recursive: true }))
  return join(path, 'crawl')
}

interface Asked extends Partial<Omit<OpeningOptions, 'seeds'>> {
  readonly seeds?: readonly string[]
}

function open(folder: string, { seeds = [], ...more }: Asked = {}): Promise<OpenRun> {
  return openRun({
    folder,
    seeds: seeds.map(text => webUrl(text) as WebUrl),
    add: false,
    retry: [],
    given: {},
    version: '1.0',
    clock: () => NOW_MS,
    ...more,
  })
}

/** Opens it, does something, and lets go as if the process had been killed. */
async function visit<Result>(
  folder: string,
  asked: Asked,
  work: (run: OpenRun) => Promise<Result> | Result,
): Promise<Result> {
  const run = await open(folder, asked)
  try {
    return await work(run)
  } finally {
    await abandonCrawlFolder(run.folder)
  }
}

function link(url: string, refused?: string, hops = 1): Link {
  return { url, rank: 0, hops, ...(refused !== undefined && { refused }) }
}

/** The seed is taken and refused. */
async function refuseNext(frontier: CrawlFrontier, reason: string): Promise<void> {
  const { tickets } = await frontier.take(1)
  const outcome = { kind: 'refused', reason } as const
  await frontier.settle([{ ticketId: tickets[0]!.id, outcome, links: [], shown: undefined, delayMs: 0 }])
}

async function stateOf({ folder }: OpenRun, url: string): Promise<string> {
  const [explained] = await folder.frontier.explain([url])
  return explained!.state === 'refused' ? explained!.reason : explained!.state
}

test('resume: a new crawl keeps its seeds and settings, and goes on without being given any', async t => {
  const folder = newPath(t)
  await visit(folder, { seeds: [SEED], given: { scope: 'domain', limit: 10, delayMs: 2000 } }, ({ opening }) => {
    assert.deepEqual([opening.isNew, opening.addedSeeds, opening.waiting, opening.requeued], [true, 1, 0, {}])
  })
  await visit(folder, {}, ({ opening, folder: { plan, seeds } }) => {
    assert.deepEqual([opening.isNew, opening.addedSeeds, opening.waiting, opening.changes], [false, 0, 1, []])
    assert.equal(opening.sinceMs, NOW_MS)
    assert.deepEqual([plan.settings.scope, plan.settings.limit, plan.settings.delayMs], ['domain', 10, 2000])
    assert.deepEqual(seeds.given, [SEED])
  })
  const { runs } = readCrawlFile(folder)!
  assert.deepEqual(
    runs.map(({ seeds, settings, endedAt }) => ({ seeds, settings, endedAt })),
    [
      { seeds: [SEED], settings: { limit: '10', delay: '2s', scope: 'domain' }, endedAt: undefined },
      { seeds: [], settings: { limit: '10', delay: '2s', scope: 'domain' }, endedAt: undefined },
    ],
  )
})

test('resume: killed at any moment of its first start, a crawl never goes on with other settings', async t => {
  const folder = newPath(t)
  const asked = { seeds: [SEED], given: { scope: 'host' } } as const
  const goesOn = (asked: Asked) =>
    visit(folder, asked, async run => [run.folder.plan.settings.scope, await stateOf(run, SEED)])
  await visit(folder, asked, () => {})
  writeFileSync(join(folder, 'seeds.jsonl'), 'x\n{"url":5}\n')
  await assert.rejects(open(folder), { code: 'CRAWL_NO_SEEDS', message: /crawl command again/ })
  assert.deepEqual(await goesOn(asked), ['host', 'waiting'])
  const { id, startedAt } = readCrawlFile(folder)!
  rmSync(folder, { recursive: true })
  mkdirSync(folder)
  writeFileSync(join(folder, 'crawl.json'), JSON.stringify({ format: 2, id, startedAt, runs: [], forgottenRuns: 0 }))
  await assert.rejects(open(folder), { code: 'CRAWL_NO_SEEDS', message: /crawl command again/ })
  assert.deepEqual(await goesOn(asked), ['host', 'waiting'])
  assert.deepEqual(await goesOn({}), ['host', 'waiting'])
})

test('resume: without crawl.json the settings are those of crawl.toml; without both, those that are given let links in', async t => {
  const folder = newPath(t)
  const said: string[] = []
  const onRepair = (message: string) => said.push(message)
  const hostSettings = [{ host: 'a.org', delayMs: 3000 }]
  await visit(folder, { seeds: [SEED], given: { scope: 'host', exclude: ['*.pdf'], hostSettings } }, run =>
    run.folder.frontier.offer([link('https://b.org/', 'scope')]),
  )
  rmSync(join(folder, 'crawl.json'))
  await visit(folder, { onRepair }, ({ folder: { plan }, opening }) => {
    assert.deepEqual([plan.settings.scope, plan.settings.exclude, opening.requeued], ['host', ['*.pdf'], {}])
    assert.deepEqual(plan.settings.hostSettings, hostSettings)
  })
  for (const name of ['crawl.json', 'crawl.toml']) rmSync(join(folder, name))
  await visit(folder, { given: { scope: 'any' }, onRepair }, ({ opening }) =>
    assert.deepEqual(opening.requeued, { scope: 1 }),
  )
  assert.match(said[0]!, /crawl\.json is missing; the settings are read from crawl\.toml/)
  assert.match(said[1]!, /only the settings that are given now/)
})

test('resume: the settings in effect are in crawl.toml, defaults as comments, and no secrets', async t => {
  const folder = newPath(t)
  const hostSettings = [{ host: 'a.org', delayMs: 3000, headers: { Cookie: 'hush' } }]
  await visit(folder, { seeds: [SEED], given: { limit: 10, hostSettings } }, () => {})
  const text = readFileSync(join(folder, 'crawl.toml'), 'utf8')
  assert.deepEqual(JSON.parse(JSON.stringify(parse(text))), { limit: '10', hosts: { 'a.org': { delay: '3s' } } })
  assert.match(text, /^# scope = "any"$/m)
  const json = readFileSync(join(folder, 'crawl.json'), 'utf8')
  assert.doesNotMatch(text + json, /hush/)
  assert.deepEqual(readCrawlFile(folder)!.runs[0]!.secrets, ['Cookie for a.org'])
  await visit(folder, {}, ({ opening }) => assert.deepEqual(opening.missingSecrets, ['Cookie for a.org']))
})

test('resume: other seeds stop the crawl and change nothing; with add they are added', async t => {
  const folder = newPath(t)
  await visit(folder, { seeds: [SEED] }, () => {})
  const before = readFileSync(join(folder, 'crawl.json'), 'utf8')
  const other = 'https://b.org/'
  await assert.rejects(open(folder, { seeds: [other] }), { code: 'CRAWL_OTHER_SEEDS', message: /--add.*-o/ })
  assert.equal(readFileSync(join(folder, 'crawl.json'), 'utf8'), before)
  await visit(folder, { seeds: [other], add: true }, async run => {
    assert.equal(run.opening.addedSeeds, 1)
    assert.deepEqual([await stateOf(run, other), await stateOf(run, SEED)], ['waiting', 'waiting'])
  })
  await visit(folder, { seeds: [other, SEED] }, ({ opening }) => assert.equal(opening.addedSeeds, 0))
})

test('resume: without a crawl and without seeds nothing is made', async t => {
  const folder = newPath(t)
  await assert.rejects(open(folder), { code: 'CRAWL_NO_SEEDS' })
  await assert.rejects(open(folder, { seeds: [SEED], given: { limit: 0 } }), { code: 'CRAWL_BAD_SETTING' })
  assert.equal(existsSync(folder), false)
})

test('resume: a seed that was refused or failed is tried again at every start', async t => {
  const folder = newPath(t)
  await visit(folder, { seeds: [SEED] }, ({ folder: { frontier } }) => refuseNext(frontier, 'connect'))
  for (let n = 0; n < 2; n++) {
    await visit(folder, {}, async run => {
      assert.deepEqual(run.opening.requeued, { seeds: 1 })
      assert.equal(await stateOf(run, SEED), 'waiting')
      await refuseNext(run.folder.frontier, 'address')
    })
  }
})

test('resume: what a seed redirected to is tried again too, and belongs to the scope', async t => {
  const folder = newPath(t)
  const target = 'https://www.a.org/'
  await visit(folder, { seeds: [SEED], given: { scope: 'host' } }, async ({ folder: { seeds, frontier } }) => {
    seeds.append([{ url: target, from: SEED }])
    await frontier.offer([link(target, 'timeout', 0), link('https://www.a.org/x', 'scope')])
  })
  await visit(folder, {}, async run => {
    assert.deepEqual(run.opening.requeued, { seeds: 1, scope: 1 })
    assert.deepEqual([await stateOf(run, target), await stateOf(run, 'https://www.a.org/x')], ['waiting', 'waiting'])
    assert.equal(run.rules.refusal({ href: 'https://www.a.org/y', host: 'www.a.org' }, 1), undefined)
  })
})

test('resume: a wider setting brings back what it alone held back, and says how many', async t => {
  const folder = newPath(t)
  const held = [
    link('https://b.org/', 'scope'),
    link('https://b.org/x.pdf', 'scope'),
    link('https://a.org/x.pdf', 'exclude'),
    link('https://a.org/far', 'max-depth', 9),
  ]
  const given = { scope: 'host', exclude: ['*.pdf'], maxDepth: 3 } as const
  await visit(folder, { seeds: [SEED], given }, async ({ folder: { frontier } }) => {
    await frontier.offer(held)
  })
  await visit(folder, { given: { limit: 5 } }, ({ opening }) => assert.deepEqual(opening.requeued, {}))
  await visit(folder, { given: { scope: 'any' } }, async run => {
    assert.deepEqual(run.opening.changes, [{ setting: 'scope', before: 'host', now: 'any' }])
    assert.deepEqual(run.opening.requeued, { scope: 2 }, 'the rest is judged when it is taken')
    const states = await Promise.all(held.map(({ url }) => stateOf(run, url)))
    assert.deepEqual(states, ['waiting', 'waiting', 'exclude', 'max-depth'])
  })
  const file = readCrawlFile(folder)!
  await visit(folder, { given: { maxDepth: 9 } }, ({ folder: { frontier } }) =>
    frontier.offer([link('https://b.org/2', 'max-depth', 9)]),
  )
  const killed = { ...readCrawlFile(folder)!.runs.at(-1)!, isOpening: true }
  writeFileSync(join(folder, 'crawl.json'), JSON.stringify({ ...file, runs: [killed] }))
  await visit(folder, {}, ({ opening }) =>
    assert.deepEqual(opening.requeued, { 'max-depth': 1 }, 'the change was killed'),
  )
  await visit(folder, { given: { maxDepth: 3 } }, ({ folder: { frontier } }) =>
    frontier.offer([link('https://b.org/3', 'max-depth', 9)]),
  )
  await visit(folder, { given: { maxDepth: 8 } }, ({ opening }) => assert.deepEqual(opening.requeued, {}))
  await visit(folder, { given: { maxDepth: 9, exclude: [] } }, ({ opening }) =>
    assert.deepEqual(opening.requeued, { exclude: 1, 'max-depth': 1 }),
  )
})

test('resume: another network, another name for robots.txt and a higher limit bring back what they refused', async t => {
  const folder = newPath(t)
  const links = ['address', 'robots', 'max-per-host', 'status-404'].map((reason, n) =>
    link(`https://b.org/${n}`, reason),
  )
  await visit(folder, { seeds: [SEED], given: { maxPerHost: 1 } }, async ({ folder: { frontier } }) => {
    await frontier.offer(links)
  })
  const requeued = (given: OpeningOptions['given']) => visit(folder, { given }, ({ opening }) => opening.requeued)
  assert.deepEqual(await requeued({ userAgent: 'escalona/9.9 (+https://example.org)' }), {})
  assert.deepEqual(await requeued({ userAgent: 'mybot/1.0' }), { robots: 1 })
  assert.deepEqual(await requeued({ allowNetworks: ['10.0.0.0/8'], maxPerHost: 5 }), { address: 1, 'max-per-host': 1 })
})

test('resume: --retry puts back what failed, was refused or is held, or one reason', async t => {
  const folder = newPath(t)
  const reasons = ['timeout', 'status-503', 'status-404', 'scope']
  await visit(folder, { seeds: [SEED], given: { scope: 'host' } }, async ({ folder: { frontier } }) => {
    await frontier.offer(reasons.map((reason, n) => link(`https://b.org/${n}`, reason)))
  })
  await visit(folder, {}, ({ folder: { failures } }) =>
    failures.append([{ url: 'https://b.org/2', reason: 'status-404', attempts: 1, status: 404, atMs: NOW_MS }]),
  )
  assert.equal([...failureLines(folder)].length, 1)
  const retry = (...words: string[]) => visit(folder, { retry: words }, ({ opening }) => opening.requeued)
  assert.deepEqual(await retry('status-404'), { 'status-404': 1 })
  assert.deepEqual([...failureLines(folder)], [], 'it has not ended any more')
  assert.deepEqual(await retry('failed', 'held'), { timeout: 1, 'status-503': 1, scope: 1 })
  assert.deepEqual(await retry('refused'), {})
  await assert.rejects(open(folder, { retry: ['faild'] }), {
    code: 'CRAWL_BAD_RETRY',
    message: /not faild; did you mean failed\?/,
  })
})
