import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type CrawlOptions, crawl } from '../../src/library/crawl.ts'
import { openCrawl } from '../../src/view/crawl-view.ts'
import type { ArchivedPage as Page } from '../../src/view/files/archived-page.ts'

/** A host on loopback: page n links to the next ten; and a folder to collect into. */
async function withWeb(
  pages: number,
  use: (options: CrawlOptions, web: { readonly home: string; requests: string[] }) => Promise<void>,
): Promise<void> {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(request.url!)
    const page = Number(request.url!.slice(1))
    if (!(page < pages)) response.statusCode = 404
    response.setHeader('content-type', 'text/html; charset=iso-8859-1')
    const links = Array.from({ length: 10 }, (_, n) => `<a href="/${page + n + 1}">${page + n + 1}</a>`)
    response.end(Buffer.from(`<title>Página ${page}</title>Olá, mundo ${links.join(' ')}`, 'latin1'))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const home = `http://127.0.0.1:${(server.address() as AddressInfo).port}/0`
  const folder = mkdtempSync(join(tmpdir(), 'escalona-library-'))
  try {
    await use(
      { seeds: [home], folder, delayMs: 1, retries: 0, workers: 1, allowNetworks: ['127.0.0.0/8'] },
      { home, requests },
    )
  } finally {
    server.closeAllConnections()
    server.close()
    rmSync(folder, { recursive: true })
  }
}

async function read(pages: AsyncIterable<Page>, most = Infinity): Promise<string[]> {
  const urls: string[] = []
  for await (const page of pages) {
    urls.push(page.url)
    if (urls.length >= most) break
  }
  return urls
}

test('ours: pages come once each, with title, text, hops and the page itself', async () => {
  await withWeb(25, async (options, { home }) => {
    const pages: Page[] = []
    const collecting = crawl(options)
    for await (const page of collecting) pages.push(page)
    assert.equal(new Set(pages.map(({ url }) => url)).size, 25)
    assert.equal(pages.length, 25)
    const first = pages.find(({ url }) => url === home)!
    assert.deepEqual([first.title, first.hops, first.status, first.linksOut], ['Página 0', 0, 200, 10])
    assert.match(first.text, /^Olá, mundo 1 2 3 .* 10$/)
    assert.equal(first.headers['content-type'], 'text/html; charset=iso-8859-1')
    assert.equal(first.links.length, 10)
    assert.ok(first.links.includes(home.replace(/0$/, '10')))
    assert.equal(first.from, undefined)
    assert.ok(pages.filter(({ url }) => url !== home).every(({ from }) => pages.some(({ url }) => url === from)))
    assert.match(first.html(), /<title>Página 0<\/title>/)
    assert.equal(first.body().length, first.bytes)
    assert.equal(collecting.end?.because, 'nothing left')
    assert.equal(collecting.stats?.pages, 25)
  })
})

test('ours: who leaves the loop ends the crawl in good order, and the same call goes on', async () => {
  await withWeb(40, async (options, { requests }) => {
    const first = await read(crawl(options), 5)
    const rest = await read(crawl(options))
    assert.equal(first.length, 5)
    // Pages that were archived while the loop was left belong to the folder, though nobody was handed them.
    const lines = readFileSync(join(options.folder!, 'pages.jsonl'), 'utf8').trim().split('\n')
    const urls = lines.map(line => (JSON.parse(line) as { url: string }).url)
    assert.equal(urls.length, 40)
    assert.equal(new Set(urls).size, 40)
    assert.ok([...first, ...rest].every(url => urls.includes(url)))
    const asked = requests.filter(url => url !== '/robots.txt')
    assert.equal(new Set(asked).size, asked.length)
  })
})

test('ours: the limit is met exactly', async () => {
  await withWeb(60, async options => {
    const collecting = crawl({ ...options, limit: 17 })
    assert.equal((await read(collecting)).length, 17)
    assert.equal(collecting.end?.because, 'limit')
  })
})

test('ours: an error in the loop is the caller’s, and leaves the folder free', async () => {
  await withWeb(30, async options => {
    const failing = async () => {
      for await (const _ of crawl(options)) throw new Error('mine')
    }
    await assert.rejects(failing(), /mine/)
    assert.ok((await read(crawl(options))).length > 0)
  })
})

test('ours: the crawl waits for onPage, and an error in it ends the crawl', async () => {
  await withWeb(30, async options => {
    let open = 0
    const onPage = async () => {
      assert.equal(++open, 1)
      await sleep(2)
      open--
    }
    assert.equal((await crawl({ ...options, limit: 10, onPage }).run()).because, 'limit')
    const failing = crawl({ ...options, limit: 20, onPage: () => Promise.reject(new Error('hook')) })
    await assert.rejects(failing.run(), /hook/)
  })
})

test('ours: a reader who is slow holds the crawl up', async () => {
  await withWeb(1500, async (options, { requests }) => {
    for await (const _ of crawl({ ...options, delayMs: 0 })) {
      while (requests.length <= 100) await sleep(50)
      await sleep(2000)
      break
    }
    assert.ok(requests.length < 700, `${requests.length} requests were made for a reader who read one page`)
  })
})

test('ours: filterLink decides about links, and knows where they come from', async () => {
  await withWeb(30, async (options, { home }) => {
    const filterLink: CrawlOptions['filterLink'] = ({ url, from, hops }) =>
      from === home && hops === 1 && !url.endsWith('/3')
    const collecting = crawl({ ...options, filterLink })
    assert.equal((await read(collecting)).length, 10)
    assert.ok((collecting.end?.frontier.refusedFor.filtered ?? 0) > 0)
  })
})

test('ours: filterLink is asked about a link each time that it is found', async () => {
  await withWeb(12, async options => {
    const asked: string[] = []
    const filterLink: CrawlOptions['filterLink'] = ({ url, from }) => {
      asked.push(`${from} ${url}`)
      return true
    }
    const pages = await read(crawl({ ...options, filterLink }))
    assert.equal(pages.length, 12)
    assert.equal(asked.length, 12 * 10)
    assert.equal(new Set(asked).size, 12 * 10)
  })
})

test('ours: a signal ends the crawl, also one that was aborted before', async () => {
  await withWeb(300, async options => {
    const aborting = new AbortController()
    const collecting = crawl({ ...options, signal: aborting.signal, onPage: () => aborting.abort() })
    await read(collecting)
    assert.equal(collecting.end?.because, 'stopped')
    const never = crawl({ ...options, signal: AbortSignal.abort() })
    assert.deepEqual(await read(never), [])
    assert.equal(never.end?.because, 'stopped')
  })
})

test('ours: a crawl can be read once, and two can not share a folder', async () => {
  await withWeb(50, async options => {
    const collecting = crawl({ ...options, limit: 5 })
    for await (const _ of collecting) {
      await assert.rejects(read(crawl(options)), { code: 'CRAWL_LOCKED' })
      break
    }
    await assert.rejects(read(collecting), { code: 'CRAWL_BEGUN' })
  })
})

test('library: a page for which onPage threw is handed out again, and none is left out', async () => {
  await withWeb(40, async options => {
    const seen: string[] = []
    const failing = crawl({
      ...options,
      onPage: ({ url }) => {
        if (seen.length === 12) throw new Error('mine')
        seen.push(url)
      },
    })
    await assert.rejects(failing.run(), /mine/)
    assert.equal(seen.length, 12)
    const rest = await read(crawl(options))
    const lines = readFileSync(join(options.folder!, 'pages.jsonl'), 'utf8').trim().split('\n')
    const archived = lines.map(line => (JSON.parse(line) as { url: string }).url)
    assert.deepEqual([...seen, ...rest], archived)
    assert.equal(new Set(archived).size, 40)
    assert.deepEqual(await read(crawl(options)), [])
  })
})

test('library: the page at which the loop was left comes again', async () => {
  await withWeb(20, async options => {
    const first = await read(crawl(options), 5)
    const rest = await read(crawl(options))
    assert.equal(rest[0], first.at(-1))
    assert.equal(new Set([...first, ...rest]).size, 20)
    assert.equal(rest.length, 16)
  })
})

test('library: pages that were in nobody’s hands when the process died come at the next start', async () => {
  await withWeb(30, async options => {
    await read(crawl({ ...options, limit: 10 }))
    const cursor = join(options.folder!, 'handed-out.json')
    const saved = readFileSync(cursor, 'utf8')
    const pages = await read(crawl({ ...options, limit: 20 }))
    // As if the process had been killed before the cursor was written again.
    writeFileSync(cursor, saved)
    assert.deepEqual(await read(crawl({ ...options, limit: 20 })), pages)
    // A cursor that a power cut tore hands out everything, rather than lose a page.
    writeFileSync(cursor, '')
    assert.equal((await read(crawl({ ...options, limit: 20 }))).length, 20)
  })
})

test('ours: pages that another program collected before are not handed out', async () => {
  await withWeb(20, async options => {
    await crawl({ ...options, limit: 8 }).run()
    rmSync(join(options.folder!, 'handed-out.json'))
    assert.equal((await read(crawl({ ...options, limit: 15 }))).length, 7)
  })
})

test('library: all wrong options are named in one error, with what was meant', () => {
  const wrong = { seeds: ['https://a.example/', 'ftp://b.example/'], limt: 5, maxdepth: 2, delayMs: '100', retries: -1 }
  assert.throws(
    () => crawl(wrong as unknown as CrawlOptions),
    (error: Error & { code: string }) => {
      assert.equal(error.code, 'CRAWL_BAD_OPTIONS')
      assert.match(error.message, /no option limt; did you mean limit\?/)
      assert.match(error.message, /no option maxdepth; did you mean maxDepth\?/)
      assert.match(error.message, /delayMs must be a number, not a string/)
      assert.match(error.message, /retries must be a whole number from 0 to 100, not -1/)
      assert.match(error.message, /ftp:\/\/b\.example\/.*write https/)
      return true
    },
  )
  assert.doesNotThrow(() => crawl({ seeds: ['ufmg.br'], limit: 5, onPage: () => {}, hosts: new Map() }))
})

test('library: every wrong option is an error before anything is created, whatever is wrong with it', async () => {
  const folder = join(tmpdir(), `escalona-library-never-${process.pid}`)
  const wrong: readonly (readonly [unknown, RegExp])[] = [
    [undefined, /must be an object/],
    [null, /must be an object/],
    [{ folder, signal: {} }, /signal must be an AbortSignal, not an object/],
    [{ folder, proxy: 5 }, /proxy must be an object, not a number/],
    [{ folder, proxy: { http: 'proxy.example' } }, /proxy\.no must be a list/],
    [{ folder, exclude: [5] }, /exclude\[0\] must be a string, not a number/],
    [{ folder, seeds: [5] }, /seeds\[0\] must be a string/],
    [{ folder, hosts: new Map([['a.example', 5]]) }, /hosts\[a\.example\] must be a string/],
    [{ folder, hostSettings: [{ delayMs: 1 }] }, /hostSettings\[0\]\.host must be a string/],
    [
      { folder, hostSettings: [{ host: 'x.example', dealyMs: 1 }] },
      /no option hostSettings\[0\]\.dealyMs; did you mean hostSettings\[0\]\.delayMs\?/,
    ],
    [{ folder, limit: 1.5 }, /limit must be a whole number from 1 up, not 1\.5/],
  ]
  for (const [options, message] of wrong)
    assert.throws(() => crawl(options as CrawlOptions), { code: 'CRAWL_BAD_OPTIONS', message })
  assert.equal(existsSync(folder), false)
  assert.doesNotThrow(() => crawl({ signal: new AbortController().signal, proxy: { no: [] }, limit: Infinity }))
  await assert.rejects(openCrawl(undefined as unknown as string), { code: 'CRAWL_BAD_OPTIONS' })
})

test('library: a reader that is closed reads no more', async () => {
  await withWeb(3, async options => {
    await crawl(options).run()
    const reader = await openCrawl(options.folder!)
    await assert.rejects(reader.explain(undefined as unknown as string), { code: 'CRAWL_BAD_URL' })
    await assert.rejects(
      reader.explain(`https://a.example/${'x'.repeat(100_000)}`),
      ({ message }: Error) => message.length < 400,
    )
    await reader.close()
    for (const question of [
      reader.status(),
      read(reader.pages()),
      reader.page('a.example'),
      reader.explain('a.example'),
    ])
      await assert.rejects(question, { code: 'CRAWL_READER_CLOSED' })
  })
})

test('ours: explain says what keeps a link out, and does not count a turn without a request as a try', async () => {
  await withWeb(2, async options => {
    await crawl({ ...options, seeds: [...options.seeds!, 'http://10.0.0.1/'] }).run()
    const reader = await openCrawl(options.folder!)
    const { state, reason, heldBy, attempts } = await reader.explain('http://10.0.0.1/')
    assert.deepEqual([state, reason, heldBy, attempts], ['held', 'address', 'address', 0])
    for await (const link of reader.list({ states: ['held'] })) assert.equal(link.attempts, 0)
    await reader.close()
  })
})

test('library: openCrawl reads pages, headers, text, links and counts while the crawl runs', async () => {
  await withWeb(60, async (options, { home }) => {
    let isLooking = false
    const collecting = crawl({
      ...options,
      delayMs: 20,
      onPage: async ({ url }) => {
        if (isLooking || url === home) return
        isLooking = true
        const reader = await openCrawl(options.folder!)
        const front = await reader.page(home)
        assert.deepEqual([front?.title, front?.links.length, front?.hops], ['Página 0', 10, 0])
        assert.match(front!.text, /^Olá, mundo 1/)
        assert.match(front!.html(), /<title>Página 0/)
        const status = await reader.status()
        assert.equal(status.state.kind, 'running')
        assert.ok(status.running!.pages >= 2)
        const { known, archived, redirected, refused, failed, held, waiting, leased } = status.waterfall
        assert.equal(known, archived + redirected + refused.count + failed.count + held.count + waiting + leased)
        const urls = new Set<string>()
        for await (const page of reader.pages()) urls.add(page.url)
        assert.ok(urls.has(home) && urls.has(url))
        assert.equal((await reader.explain(home)).state, 'done')
        assert.equal((await reader.explain(`${home}0000`)).state, 'unknown')
        await reader.close()
      },
    })
    await collecting.run()
    assert.ok(isLooking)
    const after = await openCrawl(options.folder!)
    const { state } = await after.status()
    assert.deepEqual(state.kind === 'ended' && state.because, 'nothing left')
    const failed: string[] = []
    for await (const { url, reason } of after.failures()) failed.push(`${reason} ${new URL(url).pathname}`)
    assert.deepEqual(failed.sort(), Array.from({ length: 10 }, (_, n) => `status-404 /${60 + n}`).sort())
    const listed: string[] = []
    for await (const { url } of after.list({ states: ['refused'], reason: 'status-*' })) listed.push(url)
    assert.equal(listed.length, 10)
    const story = await after.explain(listed[0]!)
    assert.deepEqual([story.state, story.reason, story.failure?.status], ['refused', 'status-404', 404])
    assert.ok(story.sentence !== '' && story.from !== undefined)
    await after.close()
  })
})

test('ours: a folder without a crawl is named', async () => {
  await assert.rejects(openCrawl(join(tmpdir(), 'escalona-not-there')), { code: 'CRAWL_NOT_FOUND' })
  await assert.rejects(openCrawl(tmpdir()), { code: 'CRAWL_NOT_FOUND' })
})
