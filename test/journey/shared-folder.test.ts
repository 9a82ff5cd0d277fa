// Two crawls and one folder, where the one can't see the other: containers on one volume, a dead owner that nobody waited for.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { IN_CONTAINER, whyNot } from '../base/files/lock-holder.ts'
import { archivedUrls } from './collected.ts'
import { requests, running } from './crawl.ts'
import { plainHost, type SmallWeb, smallWeb, urlsOfPlain } from './small-web.ts'

const HOSTS = 6
const PAGES = 30
const OPTIONS = ['--delay', '40ms']
const AN_ERROR = 2
const NO_CONTAINER = whyNot(IN_CONTAINER)

async function slowWeb(t: TestContext, net: number): Promise<{ web: SmallWeb; wanted: string[] }> {
  const hosts = Array.from({ length: HOSTS }, (_, n) => plainHost(`h${n}.test`, `127.48.${net}.${n + 1}`, PAGES))
  const web = await smallWeb(t, hosts)
  return { web, wanted: hosts.flatMap(({ name }) => urlsOfPlain(web, name, PAGES)).sort() }
}

describe('one owner: one folder, two crawls', { concurrency: 3 }, () => {
  test('one owner: of two containers on one folder the second is refused, and the first goes on', {
    skip: NO_CONTAINER,
  }, async t => {
    const { web, wanted } = await slowWeb(t, 1)
    // Long enough for the second one to see that the first one lives.
    const slowly = [...web.args, '--delay', '250ms']
    const first = running(t, slowly, { before: IN_CONTAINER })
    await requests({ server: web }, 20)
    const second = await running(t, slowly, { before: IN_CONTAINER }).ending
    assert.equal(second.code, AN_ERROR, second.stderr)
    t.diagnostic(second.stderr.trim().split('\n').at(-1)!)
    assert.match(second.stderr, /CRAWL_LOCKED|in use|another/i)
    const ending = await first.ending
    assert.equal(ending.code, 0, ending.stderr)
    assert.deepEqual(await archivedUrls(web.folder), wanted)
  })

  test('one owner: an owner that was frozen is fenced off once another container has the folder', {
    skip: NO_CONTAINER,
  }, async t => {
    const { web, wanted } = await slowWeb(t, 2)
    const first = running(t, [...web.args, ...OPTIONS], { before: IN_CONTAINER, longestMs: 120_000 })
    await requests({ server: web }, 40)
    first.kill('SIGSTOP')
    const second = await running(t, [...web.args, ...OPTIONS], { before: IN_CONTAINER }).ending
    assert.equal(second.code, 0, second.stderr)
    const before = await archivedUrls(web.folder)
    first.kill('SIGCONT')
    const ending = await first.ending
    assert.equal(ending.code, AN_ERROR, ending.stderr)
    t.diagnostic(ending.stderr.trim().split('\n').at(-1)!)
    assert.deepEqual(before, wanted)
    assert.deepEqual(await archivedUrls(web.folder), wanted, 'the first one wrote when it was no longer the owner')
  })

  test('one owner: an owner that is dead and was never waited for holds nothing', async t => {
    const { web, wanted } = await slowWeb(t, 3)
    // The shell begins the crawl and becomes a program that never waits for it.
    const script = '"$@" & echo "pid $!" >&2; exec sleep 100'
    const first = running(t, [...web.args, ...OPTIONS], { before: ['sh', '-c', script, 'sh'] })
    await requests({ server: web }, 20)
    const pid = Number(/pid (\d+)/.exec(first.stderr)![1])
    process.kill(pid, 'SIGKILL')
    while (!/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))) await wait(5)
    const ending = await running(t, [...web.args, ...OPTIONS]).ending
    assert.equal(ending.code, 0, ending.stderr)
    assert.doesNotMatch(ending.stderr, /waiting \d+ s to find out/)
    assert.deepEqual(await archivedUrls(web.folder), wanted)
  })
})
