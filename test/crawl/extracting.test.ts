import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type CrawlOptions, crawl } from '../../src/library/crawl.ts'

/** A host on loopback: every page links to /x, which no program asks for. */
async function withWeb(use: (options: CrawlOptions) => Promise<void>): Promise<void> {
  const server = createServer((request, response) => {
    if (request.url === '/old') response.writeHead(302, { location: '/new' })
    response.setHeader?.('content-type', 'text/html')
    response.end(`<title>${request.url}</title><a href="/x">x</a>`)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const home = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const folder = mkdtempSync(join(tmpdir(), 'escalona-extracting-'))
  try {
    await use({ seeds: [home], folder, follow: 'nothing', delayMs: 1, workers: 1, allowNetworks: ['127.0.0.0/8'] })
  } finally {
    server.closeAllConnections()
    server.close()
    rmSync(folder, { recursive: true })
  }
}

const itemsIn = (folder: string) =>
  readFileSync(join(folder, 'items.jsonl'), 'utf8')
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as { n: number })

test('library: label and data of an enqueued link come back with its page, the last one too', async () => {
  await withWeb(async options => {
    const seen: unknown[] = []
    const pages = crawl(options)
    for await (const page of pages) {
      seen.push([new URL(page.url).pathname, page.label, page.data])
      const n = (page.data as { n: number } | undefined)?.n ?? 0
      if (n < 3) void pages.enqueue(`/p${n + 1}`, { label: 'product', data: { n: n + 1 } })
      if (n === 0) assert.equal(await pages.enqueue('mailto:a@b.c'), 'protocol')
      pages.items.push({ n })
    }
    assert.deepEqual(seen, [
      ['/', undefined, undefined],
      ['/p1', 'product', { n: 1 }],
      ['/p2', 'product', { n: 2 }],
      ['/p3', 'product', { n: 3 }],
    ])
    assert.deepEqual(itemsIn(options.folder!), [{ n: 0 }, { n: 1 }, { n: 2 }, { n: 3 }])
    await assert.rejects(pages.enqueue('/y'), { code: 'CRAWL_NO_PAGE' })
  })
})

test('library: items of a page that did not count as done are dropped, and its page comes again', async () => {
  await withWeb(async options => {
    const failing = crawl({
      ...options,
      async onPage(page, { enqueue, items }) {
        items.push({ n: 1 })
        if (new URL(page.url).pathname === '/a') throw new Error('mine')
        await enqueue('/a', { label: 'a' })
      },
    })
    await assert.rejects(failing.run(), /mine/)
    assert.equal(itemsIn(options.folder!).length, 2)
    const labels: unknown[] = []
    await crawl({
      ...options,
      onPage({ label }, { items }) {
        labels.push(label)
        items.push({ n: 2 })
      },
    }).run()
    assert.deepEqual(labels, ['a'])
    assert.deepEqual(itemsIn(options.folder!), [{ n: 1 }, { n: 2 }])
  })
})

test('library: what can not be kept is an error that says so', async () => {
  await withWeb(async options => {
    for await (const page of crawl({ ...options, onPage: check })) void page
    async function check(_: unknown, { enqueue, items }: Parameters<NonNullable<CrawlOptions['onPage']>>[1]) {
      const loop: Record<string, unknown> = {}
      loop.self = loop
      await assert.rejects(enqueue('/a', { data: 'x'.repeat(2000) }), { code: 'CRAWL_BAD_ATTACHMENT' })
      await assert.rejects(enqueue('/a', { data: loop }), { code: 'CRAWL_BAD_ATTACHMENT' })
      assert.throws(() => items.push(loop), { code: 'CRAWL_BAD_ITEM' })
      assert.throws(() => items.push([1]), { code: 'CRAWL_BAD_ITEM' })
    }
  })
})

test('library: filterLink knows the page, and what it returns comes back with the page of the link', async () => {
  await withWeb(async options => {
    const seen: unknown[] = []
    const filterLink: CrawlOptions['filterLink'] = ({ page }) => (page.label === undefined ? { label: 'x' } : false)
    for await (const page of crawl({ ...options, follow: 'links', filterLink })) seen.push(page.label)
    assert.deepEqual(seen, [undefined, 'x'])
  })
})

test('library: a temporary folder is removed when the crawl ends', async () => {
  await withWeb(async ({ folder: _, ...options }) => {
    const pages = crawl({ ...options, temporary: true })
    for await (const page of pages) assert.ok(existsSync(pages.folder!) && page.html().includes('<a'))
    assert.equal(existsSync(pages.folder!), false)
    assert.throws(() => crawl({ ...options, folder: 'x', temporary: true }), { code: 'CRAWL_BAD_OPTIONS' })
  })
})

test('library: after kill -9 no item and no enqueued link of any page is missing', async () => {
  await withWeb(async ({ seeds, folder }) => {
    const program = fileURLToPath(new URL('./extracting-process.js', import.meta.url))
    let code: number | null = null
    for (let kills = 0; code === null; kills++) {
      const child = spawn(process.execPath, [program, seeds![0]!, folder!, '30'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const exited = once(child, 'exit')
      let lines = 0
      child.stdout.on('data', (some: Buffer) => {
        lines += some.toString().split('\n').length - 1
        if (kills < 2 && lines >= 10) child.kill('SIGKILL')
      })
      code = ((await exited) as [number | null])[0]
      assert.ok(kills < 5)
    }
    assert.equal(code, 0)
    const expected = Array.from({ length: 31 }, (_, n) => [1, 2].map(part => ({ n, part }))).flat()
    assert.deepEqual(itemsIn(folder!), expected)
  })
})
