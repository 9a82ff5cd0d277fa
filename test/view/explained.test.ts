// Explains one URL for every reason: whoever reads only that knows what to change. Where a crawl can be brought to it cheaply,
// the reason is a real one, in one crawl of a small web on real sockets; the others are explained by their names.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { inLanguage } from '../../src/base/words/language.ts'
import { CRAWL_GROUPS } from '../../src/cli/crawl/crawl-option-rows.ts'
import { openLocal } from '../../src/frontier/local/open.ts'
import { crawl } from '../../src/library/crawl.ts'
import { retried } from '../../src/run/opening/enqueue.ts'
import { reasonWords } from '../../src/settings/reason-words.ts'
import { aboutReason, aboutUnfollowed, classOf } from '../../src/settings/reasons.ts'
import { type CrawlReader, openCrawl } from '../../src/view/crawl-view.ts'
import { historyLines } from '../../src/view/history-lines.ts'
import type { UrlHistory } from '../../src/view/questions/explained-shapes.ts'
import { pageWith, type Reply, robotsTxt, type SmallHost, smallWeb } from '../journey/small-web.ts'
import { dnsServer } from '../web/dns-server.ts'

/** What a reason's sentence and advice must name, in both languages; `nothing`: that nothing can be changed. */
const KNOWN: Readonly<Record<string, string>> = {
  scope: '--scope',
  'max-depth': '--max-depth',
  include: '--include',
  exclude: '--exclude',
  'host-in-path': '--loops',
  'repeated-pair': '--loops',
  'max-per-host': '--max-per-host',
  address: '--allow-network',
  filtered: '--retry filtered',
  'near-duplicate': '--near-duplicates follow',
  challenge: '--retry challenge',
  language: '--only-language',
  'page-language': '--only-language',
  robots: '--user-agent',
  'robots-unavailable': '--retry robots-unavailable',
  type: 'nothing',
  noindex: 'nothing',
  noarchive: 'nothing',
  malformed: 'link',
  sitemap: '--sitemaps',
  'sitemap-none': 'robots.txt',
  cleared: '--retry cleared',
  dns: '--retry dns',
  connect: '--retry connect',
  tls: '--retry tls',
  'tls-expired': '--retry tls-expired',
  'tls-not-yet-valid': '--retry tls-not-yet-valid',
  'tls-self-signed': '--ca',
  'tls-wrong-name': '--retry tls-wrong-name',
  'tls-unknown-issuer': '--ca',
  timeout: '--timeout',
  reset: '--retry reset',
  length: '--retry length',
  protocol: '--retry protocol',
  headers: '--retry headers',
  encoding: '--retry encoding',
  files: 'ulimit -n',
  network: '--retry network',
  stopped: '--retry stopped',
  proxy: '--retry proxy',
  'proxy-login': '--proxy',
  'proxy-refused': '--retry proxy-refused',
  'not-modified': '--retry not-modified',
  'worker-died': 'URL',
  'status-403': '--auth',
  'status-404': '--retry status-404',
  'status-429': '--delay',
  'status-500': '--retry status-500',
  'robots-timeout': 'robots.txt',
}

/** The same for links that never became known. */
const UNFOLLOWED: Readonly<Record<string, string>> = {
  protocol: 'nothing',
  malformed: 'nothing',
  'too-long': 'nothing',
  'too-many-segments': 'nothing',
  'repeated-segment': 'nothing',
  nofollow: 'nothing',
  'too-many-links': '--add',
  'page-hosts': '--add',
  'max-hosts': '--max-hosts',
  'domain-hosts': '--max-hosts-per-domain',
  'held-limit': '--max-held',
  'redirect-to-known': 'nothing',
  'too-many-redirects': '--add',
  'sitemap-host': '--add',
  'sitemap-depth': '--add',
  'sitemap-files': '--add',
}

const LANGUAGES = ['en', 'pt'] as const
const NOTHING = { en: 'nothing to change', pt: 'nada a mudar' }

function names(text: string, what: string, language: (typeof LANGUAGES)[number], of: string): void {
  const wanted = what === 'nothing' ? NOTHING[language] : what
  assert.ok(text.includes(wanted), `${of}, ${language}: "${text}" does not name ${wanted}`)
}

test('reasons: every reason of the table says what to change, in both languages', () => {
  for (const reason of Object.keys(reasonWords().known)) assert.ok(reason in KNOWN, reason)
  for (const reason of Object.keys(reasonWords().unfollowed)) assert.ok(reason in UNFOLLOWED, reason)

  const options = new Set(Object.values(CRAWL_GROUPS).flatMap(group => Object.keys(group)))
  for (const language of LANGUAGES) {
    for (const [about, rows] of [
      [aboutReason, KNOWN],
      [aboutUnfollowed, UNFOLLOWED],
    ] as const) {
      for (const [reason, what] of Object.entries(rows)) {
        const { sentence, advice } = inLanguage(language, () => about(reason))
        const text = `${sentence} ${advice}`
        assert.match(text, /^[A-ZÀ-Ú].*\. .*\.$/, `${reason}, ${language}`)
        names(text, what, language, reason)
        for (const [, option] of text.matchAll(/--([a-z-]+)/g))
          assert.ok(options.has(option!), `--${option} is no option`)
        for (const [, name] of text.matchAll(/--retry ([a-z\d-]+)/g))
          assert.deepEqual(retried([name!], { [reason]: 1 }), [reason])
      }
    }
  }
})

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n'
const ROBOTS = '# Our own machines may come.\nUser-agent: *\nDisallow: /open/but/not/this\nDisallow: /private/\n'

/** A host whose pages other than robots.txt are all the same. */
function one(name: string, n: number, reply: Reply): SmallHost {
  return { name, address: `127.3.12.${n}`, answer: path => (path === '/robots.txt' ? undefined : reply) }
}

const HOME: Readonly<Record<string, Reply>> = {
  '/robots.txt': robotsTxt(ROBOTS),
  '/': pageWith('home', [
    ...['/far', '/private/x', '/picture', '/noindex', '/noarchive', '/missing', '/secret', '/drop/x', '/filtered'],
    ...['https://home.test:{{port}}/', 'http://outside.test:{{port}}/'],
    ...['/home.test/home.test/x', '/pairs?a=1&a=1&a=1'],
  ]),
  '/far': pageWith('far', ['/farther']),
  '/picture': { headers: { 'Content-Type': 'image/png' }, body: 'x' },
  '/noindex': '<meta name="robots" content="noindex">',
  '/noarchive': '<meta name="robots" content="noarchive">',
  '/secret': { status: 403 },
}

const HOSTS: readonly SmallHost[] = [
  { name: 'home.test', address: '127.3.12.1', answer: path => HOME[path] },
  one('few.test', 2, pageWith('few', ['/more'])),
  one('slow.test', 3, 'hang'),
  one('reset.test', 4, 'reset'),
  one('cut.test', 5, { raw: `${HEAD}Content-Length: 5000\r\n\r\nshort` }),
  one('odd.test', 6, { raw: 'SSH-2.0-OpenSSH_9.2\r\n' }),
  one('long.test', 7, { raw: `${HEAD}X: ${'x'.repeat(1 << 20)}\r\n\r\n` }),
  one('packed.test', 8, { raw: `${HEAD}Content-Encoding: gzip\r\nContent-Length: 7\r\n\r\nnotgzip` }),
  one('broken.test', 9, { status: 500 }),
  one('busy.test', 10, { status: 429, headers: { 'Retry-After': '600' } }),
  {
    name: 'moved.test',
    address: '127.3.12.11',
    answer: () => ({ status: 302, headers: { Location: 'http://nowhere.test/robots.txt' } }),
  },
  { name: 'unruly.test', address: '127.3.12.12', answer: () => ({ status: 500 }) },
]

/** A host that answers for robots.txt, and then is no longer there. */
async function leavingHost(t: TestContext): Promise<string> {
  const server = createServer((_, response) => {
    response.writeHead(404, { Connection: 'close' }).end()
    server.close()
  })
  t.after(() => server.close())
  await once(server.listen(0, '127.3.12.13'), 'listening')
  return `http://127.3.12.13:${(server.address() as AddressInfo).port}/`
}

async function toldBy(
  reader: CrawlReader,
  url: string,
): Promise<Record<(typeof LANGUAGES)[number], string> & { story: UrlHistory }> {
  const story = await reader.explain(url)
  const lines = (language: (typeof LANGUAGES)[number]) =>
    inLanguage(language, () => historyLines(story).map(({ title, text }) => `${title}: ${text}`))
  return { story, en: lines('en').join('\n'), pt: lines('pt').join('\n') }
}

test('reasons: the story of a URL names what to change, whatever became of it in a real crawl', async t => {
  const dns = await dnsServer(t, () => 'NXDOMAIN')
  const web = await smallWeb(t, HOSTS)
  const { folder, url } = web
  const leaving = await leavingHost(t)
  const seeds = [
    ...HOSTS.map(({ name }) => url(name)),
    url('busy.test', '/later'),
    url('lan.test'),
    url('lost.test'),
    leaving,
  ]
  await crawl({
    ...{ seeds, folder, scope: 'host', maxDepth: 1, include: ['http://*'], exclude: ['*/drop/*'] },
    ...{
      hostSettings: [{ host: `few.test:${web.port}`, limit: 1 }],
      filterLink: found => !found.url.endsWith('/filtered'),
    },
    ...{ delayMs: 0, retries: 0, firstByteTimeoutMs: 4000, workers: 1, allowNetworks: ['127.0.0.0/8'] },
    ...{ hosts: new Map([...HOSTS.map(({ name, address }) => [name, address] as const), ['lan.test', '10.1.2.3']]) },
    dnsServers: [dns.address],
  }).run()

  const reached: Readonly<Record<string, string>> = {
    scope: url('outside.test'),
    'max-depth': url('home.test', '/farther'),
    include: url('home.test').replace('http:', 'https:'),
    exclude: url('home.test', '/drop/x'),
    'host-in-path': url('home.test', '/home.test/home.test/x'),
    'repeated-pair': url('home.test', '/pairs?a=1&a=1&a=1'),
    'max-per-host': url('few.test', '/more'),
    address: url('lan.test'),
    filtered: url('home.test', '/filtered'),
    robots: url('home.test', '/private/x'),
    'robots-unavailable': url('moved.test'),
    type: url('home.test', '/picture'),
    noindex: url('home.test', '/noindex'),
    noarchive: url('home.test', '/noarchive'),
    'status-403': url('home.test', '/secret'),
    'status-404': url('home.test', '/missing'),
    'status-429': url('busy.test'),
    'status-500': url('broken.test'),
    dns: url('lost.test'),
    connect: leaving,
    timeout: url('slow.test'),
    reset: url('reset.test'),
    length: url('cut.test'),
    protocol: url('odd.test'),
    headers: url('long.test'),
    encoding: url('packed.test'),
  }
  const reader = await openCrawl(folder)
  t.after(() => reader.close())
  for (const [reason, at] of Object.entries(reached)) {
    const { story, en, pt } = await toldBy(reader, at)
    assert.deepEqual([story.reason, story.state], [reason, classOf(reason)], at)
    names(en, KNOWN[reason]!, 'en', reason)
    names(pt, KNOWN[reason]!, 'pt', reason)
    assert.equal(story.heldBy, classOf(reason) === 'held' ? reason : undefined)
  }

  for (const setting of ['--scope host', '--max-depth 1', '--include http://*', '--exclude */drop/*']) {
    const told = await toldBy(reader, reached[/--(\S+)/.exec(setting)![1]!]!)
    for (const language of LANGUAGES) names(told[language], `(${setting})`, language, setting)
  }

  const { story: forbidden, en, pt } = await toldBy(reader, reached.robots!)
  assert.deepEqual([forbidden.robots.kind, forbidden.robots.text], ['refused', 'Disallow: /private/'])
  assert.match(en, /^robots\.txt: not allowed; line 4: Disallow: \/private\/$/m)
  assert.match(pt, /^robots\.txt: não permitida; linha 4: Disallow: \/private\/$/m)

  // Nothing is refused where robots.txt can't be read, or a host asks to be left alone: that is said of the host.
  for (const at of [url('unruly.test'), url('busy.test', '/later')]) {
    const waiting = await toldBy(reader, at)
    assert.equal(waiting.story.state, 'waiting')
    assert.match(
      waiting.en,
      /^queue: .*its host is down since \S+Z \((?:robots-)?status-(?:500|429): .*\); it is tried again .* and at every start$/m,
    )
    assert.match(waiting.pt, /^fila: .*o host está fora do ar desde \S+Z .*; é tentado de novo /m)
  }
  const unruly = await toldBy(reader, url('unruly.test'))
  assert.match(unruly.en, /^robots\.txt: unknown: it was asked for, and the answer was HTTP 500$/m)
  assert.match(unruly.pt, /^robots\.txt: desconhecido: foi pedido, e a resposta foi HTTP 500$/m)
  const nobody = await toldBy(reader, url('home.test', '/never-linked'))
  for (const language of LANGUAGES) names(nobody[language], '--add', language, 'unknown')

  const frontier = await openLocal({ folder: join(folder, 'frontier') })
  await frontier.clear(`busy.test:${web.port}`)
  await frontier.close()
  const after = await openCrawl(folder)
  t.after(() => after.close())
  const cleared = await toldBy(after, url('busy.test', '/later'))
  assert.equal(cleared.story.reason, 'cleared')
  for (const language of LANGUAGES) names(cleared[language], KNOWN.cleared!, language, 'cleared')
})
