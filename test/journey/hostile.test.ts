// Every way that we know of to make a collector hang, swell or fall over, each on a host of its own, all in one crawl.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../cli/run-cli.ts'
import { pagesIn, reportOf, responsesIn } from './collected.ts'
import { crawl } from './crawl.ts'
import { HOSTILE_HOSTS, MANY_LINKS, serveHostile } from './hostile-server.ts'

const MOST_MB = 500
const MOST_MS = 60_000
const BODY_BYTES = 4 << 20

test('rule 5.8: hostile hosts: the crawl ends by itself, memory stays bounded, each is an outcome with its name', async t => {
  const server = await serveHostile()
  t.after(() => server.close())
  const files = temporaryFolder(t)
  const folder = join(files, 'crawl')
  const [seeds, hosts] = [join(files, 'seeds.txt'), join(files, 'hosts.txt')]
  const url = (name: string) => `http://${name}.hostile.test:${server.port}/`
  const tls = `https://robots-404.hostile.test:${server.port}/`
  writeFileSync(seeds, [...HOSTILE_HOSTS.map(({ name }) => url(name)), tls, ''].join('\n'))
  writeFileSync(hosts, server.hostsFile)
  const args = ['-s', seeds, '-o', folder, '--hosts', hosts, '--allow-network', '127.0.0.0/8', '--delay', '100ms']
  const bounds = ['--timeout', '4s', '--retries', '1', '--max-body', '4MiB', '--delay', '10ms', '--exclude', '*/many/*']
  const ending = await crawl({ args }, '-n', '100000', ...bounds)
  const { pages, failed, again, refused, refusedLinks, frontier } = reportOf(folder)
  t.diagnostic(`${pages} pages in ${ending.tookMs.toFixed(0)} ms, at most ${ending.peakMb.toFixed(0)} MB`)
  t.diagnostic(`failed ${JSON.stringify(failed)}, refused ${JSON.stringify({ ...refused, ...refusedLinks })}`)

  await t.test('rule 5.8: it ends by itself, in time and memory that are bounded', () => {
    assert.deepEqual([ending.code, ending.signal], [0, null], ending.stderr)
    assert.ok(ending.tookMs < MOST_MS, `${ending.tookMs} ms`)
    assert.ok(ending.peakMb > 20 && ending.peakMb < MOST_MB, `${ending.peakMb} MB`)
  })

  await t.test('rule 5.1: what is HTML in spite of everything is archived', () => {
    const wanted = HOSTILE_HOSTS.filter(({ ends }) => ends.includes('page')).map(({ name }) => url(name))
    assert.deepEqual(
      pagesIn(folder)
        .map(page => page.url)
        .sort(),
      wanted.sort(),
    )
  })

  await t.test('ours: every other host is counted under its name, and under no other', () => {
    const left = { ...refused }
    for (const counts of [failed, refusedLinks])
      for (const [name, n] of Object.entries(counts)) left[name] = (left[name] ?? 0) + n
    for (const { name, ends } of HOSTILE_HOSTS.filter(host => !host.ends.includes('page'))) {
      const end = ends.find(one => (left[one] ?? 0) > 0)
      assert.ok(end !== undefined, `${name} is not counted as ${ends}: ${JSON.stringify(left)}`)
      left[end]!--
    }
    assert.equal(failed['robots-tls'], 1, 'TLS with a server that has none')
    for (const name of ['timeout', 'reset', 'length']) assert.ok(again[name]! > 0, `${name} was not tried again`)
  })

  await t.test('rule 5.8: what is cut says so', async () => {
    const cut = (await responsesIn(folder)).filter(({ fields }) => fields['WARC-Truncated'] === 'length')
    const names = cut.map(({ url }) => url)
    for (const name of ['endless-body', 'gzip-bomb']) assert.ok(names.includes(url(name)), name)
    for (const { payload, url } of cut) assert.ok(payload.length <= BODY_BYTES, url)
    for (const name of ['endless-body', 'gzip-bomb']) {
      assert.equal(pagesIn(folder).find(page => page.url === url(name))!.bytes, BODY_BYTES, name)
    }
  })

  await t.test('rule 5.8: nobody could push more at us than we wanted', () => {
    const most = Math.max(...[...server.sentBytes].filter(([name]) => name !== 'many-links').map(([, bytes]) => bytes))
    assert.ok(most < 24 << 20, JSON.stringify([...server.sentBytes].filter(([, bytes]) => bytes > 1 << 20)))
  })

  await t.test('rule 5.8: a hundred thousand links are read, and counted where they are refused', () => {
    assert.equal(frontier.refusedFor.exclude, MANY_LINKS + 1, 'and one with a NUL byte')
  })

  await t.test('rule 5.8: a redirect loop ends, and a chain of redirects has ten at most', () => {
    // As sets: on a machine that stands still for seconds, a request may be given up and made again.
    const asked = (name: string) => new Set(server.paths.get(name)!.filter(path => path !== '/robots.txt'))
    assert.deepEqual(asked('redirect-loop'), new Set(['/', '/b']))
    assert.equal(asked('redirect-forever').size, 11)
  })

  await t.test('ours: nothing that a page says reaches the terminal as it is', () => {
    const text = ending.stderr + JSON.stringify(pagesIn(folder))
    assert.ok(!text.includes('\x1b') && !text.includes('\x9b'))
  })
})
