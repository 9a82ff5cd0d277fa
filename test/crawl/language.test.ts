// Pages by their language: what is archived and followed with --only-language, what comes last with --language, and what comes back.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { inLanguage } from '../../src/base/words/language.ts'
import { type CrawlOptions, crawl } from '../../src/library/crawl.ts'
import { openCrawl } from '../../src/view/crawl-view.ts'
import { historyLines } from '../../src/view/history-lines.ts'

const SPANISH =
  'El museo abre de martes a domingo, de nueve a diecisiete horas, y la entrada es gratuita para todos los alumnos que presenten su carné de estudiante en la taquilla.'
const PORTUGUESE =
  'As inscrições para o processo seletivo começam na próxima segunda-feira e terminam no fim do mês; não há taxa, e os documentos podem ser entregues na secretaria.'

const links = (...paths: readonly string[]) => paths.map(path => `<a href="${path}">${path}</a>`).join(' ')
const PAGES: Readonly<Record<string, string>> = {
  '/': `<html lang="en">${links('/en', '/header', '/es', '/pt', '/found-pt', '/silent')}`,
  '/en': `<html lang="en-GB">${links('/behind-en', '/shared')}`,
  '/header': links('/behind-header'),
  '/es': `<p>${SPANISH}</p>${links('/behind-es')}`,
  '/pt': `<html lang="pt-BR">${links('/behind-pt', '/es')}`,
  '/found-pt': `<p>${PORTUGUESE}</p>`,
  '/silent': '<p>404 12 7</p>',
  '/behind-pt': `<html lang="pt">${links('/shared', '/es')}`,
  '/shared': '<html lang="pt">',
}

async function web(
  t: TestContext,
): Promise<{ readonly options: CrawlOptions; readonly home: string; asked: string[] }> {
  const asked: string[] = []
  const server = createServer(({ url = '' }, response) => {
    asked.push(url)
    if (url === '/robots.txt') return response.writeHead(404).end()
    if (url === '/header') response.setHeader('Content-Language', 'de')
    response.setHeader('Content-Type', 'text/html')
    return response.end(PAGES[url] ?? '<html lang="pt">')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const folder = mkdtempSync(join(tmpdir(), 'escalona-language-'))
  t.after(() => {
    server.closeAllConnections()
    server.close()
    rmSync(folder, { recursive: true })
  })
  const home = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const options = { folder, delayMs: 1, workers: 1, retries: 0, allowNetworks: ['127.0.0.0/8'] }
  return { options: { ...options, seeds: [`${home}/`] }, home, asked }
}

function languagesIn(folder: string, home: string): Record<string, string | undefined> {
  const lines = readFileSync(join(folder, 'pages.jsonl'), 'utf8').trimEnd().split('\n')
  const pages = lines.map(line => JSON.parse(line) as { url: string; language?: string })
  return Object.fromEntries(pages.map(({ url, language }) => [url.slice(home.length), language]).sort())
}

test('language: pages in others are neither archived nor followed, and a wider setting brings them and their links back', async t => {
  const { options, home, asked } = await web(t)
  const folder = options.folder!
  const { frontier } = await crawl({ ...options, onlyLanguage: ['pt', 'fr'] }).run()
  assert.deepEqual(languagesIn(folder, home), {
    '/': 'en',
    '/behind-pt': 'pt',
    '/found-pt': 'pt',
    '/pt': 'pt-br',
    '/shared': 'pt',
    '/silent': undefined,
  })
  // Three pages, and three links on them that no other page has.
  assert.deepEqual(frontier.refusedFor, { language: 3, 'page-language': 3 })
  assert.ok(!asked.includes('/behind-en') && asked.includes('/es'))

  const reader = await openCrawl(folder)
  for (const [path, reason] of [
    ['/es', 'language'],
    ['/behind-es', 'page-language'],
  ] as const) {
    const history = await reader.explain(home + path)
    assert.deepEqual([history.state, history.reason], ['held', reason], path)
    for (const language of ['en', 'pt'] as const)
      assert.match(
        inLanguage(language, () =>
          historyLines(history)
            .map(({ text }) => text)
            .join('\n'),
        ),
        /--only-language/,
      )
  }
  await reader.close()

  const again = await crawl({ folder, onlyLanguage: ['pt', 'fr', 'es', 'de'] }).run()
  const found = languagesIn(folder, home)
  assert.deepEqual([found['/es'], found['/header'], found['/behind-es'], found['/en']], ['es', 'de', 'pt', undefined])
  assert.equal(again.frontier.refusedFor.language, 1, 'the English page; its links came back with the others')
})

test('language: a page in another is fetched once, however many pages lead to it', async t => {
  const { options, asked } = await web(t)
  // With a rule of the caller, workers send each link every time; without one, each worker sends it, and each run.
  await crawl({ ...options, onlyLanguage: ['pt'], filterLink: () => true }).run()
  assert.ok(asked.includes('/behind-pt'))
  assert.equal(asked.filter(path => path === '/es').length, 1)
})

test('language: nothing is detected unless a setting asks for languages', async t => {
  const { options, home } = await web(t)
  await crawl(options).run()
  const found = languagesIn(options.folder!, home)
  assert.deepEqual(
    [found['/es'], found['/found-pt'], found['/header'], found['/pt']],
    [undefined, undefined, 'de', 'pt-br'],
  )
})

test('language: links on pages in others come last at their host, and explain says so', async t => {
  const { options, home, asked } = await web(t)
  const folder = options.folder!
  await crawl({ ...options, language: ['pt'], limit: 6, strategy: 'breadth' }).run()
  const paths = asked.filter(path => path !== '/robots.txt')
  assert.deepEqual(paths, ['/', '/en', '/header', '/es', '/pt', '/behind-pt'])
  assert.equal(languagesIn(folder, home)['/es'], 'es')
  const reader = await openCrawl(folder)
  const history = await reader.explain(`${home}/behind-en`)
  await reader.close()
  assert.deepEqual([history.state, history.rank?.by], ['waiting', 'language'])
  for (const language of ['en', 'pt'] as const)
    assert.match(
      inLanguage(language, () =>
        historyLines(history)
          .map(({ text }) => text)
          .join('\n'),
      ),
      / --language /,
    )
  await crawl({ folder, limit: Infinity }).run()
  assert.equal(Object.keys(languagesIn(folder, home)).length, 12)
})
