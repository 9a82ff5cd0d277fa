// Two machines share a crawl that visits its pages again, while the pages change. The web's own log decides what was asked, and when.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { readRecord } from '../../src/archive/read.ts'
import { testOnEngines } from '../redis/engines.ts'
import { startRedis } from '../redis/servers.ts'
import { type PageLine, pagesIn } from './collected.ts'
import { type Running, running } from './crawl.ts'
import { politeness } from './politeness.ts'
import { pageWith, type SmallHost, smallWeb } from './small-web.ts'

const DELAY_MS = 20
const HOSTS = 6
const PATHS = ['/1', '/2', '/3']
const OFTEN = ['--recrawl', '--recrawl-first', '300ms', '--recrawl-min', '300ms', '--recrawl-max', '600ms']
const LINE = 'some words that stand on every page so that it is longer than a short one\n'.repeat(5)

interface VisitLine extends PageLine {
  readonly change: 'new' | 'changed' | 'same'
  readonly original?: { readonly file: string }
}

testOnEngines(
  'shared recrawl: each change is found once, by one machine; no page is visited by both at once; one is killed and comes back',
  async (t, program) => {
    let version = 1
    /** Which versions of which pages were sent whole. */
    const sent = new Set<string>()
    const host = (n: number): SmallHost => ({
      name: `host${n}.test`,
      address: `127.0.0.${n + 1}`,
      answer(path, _, headers = {}) {
        if (path !== '/' && !PATHS.includes(path)) return undefined
        const all = { 'Content-Type': 'text/html', ETag: `"${version}"` }
        if (headers['if-none-match'] === all.ETag) return { status: 304, headers: all }
        sent.add(`host${n}.test${path} ${version}`)
        // What is no text differs each time.
        const body = `${pageWith(path, PATHS)}<p>version ${version} ${LINE}<script>${Math.random()}</script>`
        return { headers: all, body }
      },
    })
    const hosts = Array.from({ length: HOSTS }, (_, n) => host(n + 1))
    const [web, redis] = await Promise.all([smallWeb(t, hosts), startRedis(t, { program })])
    const [, seeds, , folder, ...rest] = web.args
    const folderOf = (n: number) => `${folder}-${n}`
    const linesOf = (n: number) => (existsSync(join(folderOf(n), 'pages.jsonl')) ? wholeLines(folderOf(n)) : [])
    const frontier = redis.url('again', '?shards=4')
    const start = (n: number): Running => {
      const own = ['--frontier', frontier, '-o', folderOf(n), ...rest.slice(0, -1), `${DELAY_MS}ms`, '--workers', '1']
      // When it is killed, it has few hosts, and the others are visited by the one that is left.
      return running(t, [...(n === 1 ? ['-s', seeds!] : ['--concurrency', '2']), ...own, ...OFTEN])
    }
    let second: Running
    const until = async (what: string, isTrue: () => boolean) => {
      for (let n = 0; n < 3000 && !isTrue(); n++) await wait(10)
      assert.ok(isTrue(), `${what}: ${first.stderr} ${second.stderr}`)
    }
    const all = hosts.flatMap(({ name }) => ['/', ...PATHS].map(path => name + path))
    const isSent = (wanted: number) => all.every(page => sent.has(`${page} ${wanted}`))

    const first = start(1)
    second = start(2)
    await until('the first version of each page', () => isSent(1))
    await until('visits of both machines', () => [1, 2].every(n => linesOf(n).length > 8))
    version = 2
    const changes = () => [1, 2].flatMap(linesOf).filter(line => line.includes('"changed"')).length
    await until('the second version of each page', () => isSent(2) && changes() === all.length)
    second.kill('SIGKILL')
    await second.ending
    const killedMs = performance.timeOrigin + performance.now()
    version = 3
    await until('visits of the one that is left', () => changes() > all.length + 3)
    const before = linesOf(2).length
    second = start(2)
    await until('the third version of each page', () => isSent(3))
    // At its start it may write the lines of visits that it had open.
    await until('visits of the one that came back', () => linesOf(2).length > before + 2)
    for (const one of [first, second]) one.kill('SIGINT')
    for (const { code, stderr } of await Promise.all([first.ending, second.ending])) assert.equal(code, 130, stderr)

    const { complaints } = politeness(web.log, { delayMs: DELAY_MS, killsMs: [killedMs] })
    assert.deepEqual(complaints, [])
    const lines = [1, 2].flatMap(n => pagesIn(folderOf(n)).map(line => ({ ...(line as VisitLine), n })))
    for (const page of all) {
      const changes = lines.filter(({ url }) => url === web.url(...placeOf(page))).map(({ change }) => change)
      const times = (change: string) => changes.filter(one => one === change).length
      assert.deepEqual([times('new'), times('changed')], [1, 2], `${page}: ${changes}`)
    }
    const [own, others] = [[1, 2].map(n => linesOf(n).length), lines.filter(isOfAnother)]
    assert.ok(others.length > 0, 'no page was visited again by the other machine')
    // What a record refers to is in the other archive: it is named by URL and date.
    for (const { n, url, file, offset } of others.slice(0, 5)) {
      const { fields } = readRecord(folderOf(n), file, offset)
      assert.equal(fields.get('warc-refers-to-target-uri'), url)
      const date = Date.parse(fields.get('warc-refers-to-date')!)
      assert.ok(
        lines.some(line => line.n !== n && line.url === url && Date.parse(line.time) === date),
        url,
      )
    }
    t.diagnostic(`visits ${own}; ${others.length} refer to the other archive`)
  },
)

function isOfAnother({ original }: VisitLine): boolean {
  return original?.file.includes('/') ?? false
}

function placeOf(page: string): [string, string] {
  const at = page.indexOf('/')
  return [page.slice(0, at), page.slice(at)]
}

/** While the file is written, its last line may be there in part. */
function wholeLines(folder: string): string[] {
  return readFileSync(join(folder, 'pages.jsonl'), 'utf8').split('\n').slice(0, -1)
}
