import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type LinkRuleOptions, LinkRules, linkRuleOptions, type RuleRefusal } from '../../src/settings/link-rules.ts'
import { settingsWith } from '../../src/settings/settings.ts'
import { registrableDomain } from '../../src/url/registrable-domain.ts'
import { webUrl } from '../../src/url/web.ts'

const NONE = linkRuleOptions(settingsWith({}, 1, '1.0'), [])

function rules(options: Partial<LinkRuleOptions>): (href: string, hops?: number) => RuleRefusal | undefined {
  const made = new LinkRules({ ...NONE, ...options }, registrableDomain)
  return (href, hops = 1) => {
    const url = webUrl(href)
    assert.ok(typeof url !== 'string', href)
    return made.refusal(url, hops)
  }
}

test('rule 5.10: by default every link is followed, however far away', () => {
  const refusal = rules({ seeds: ['http://a.org/'] })
  assert.equal(refusal('http://b.com/x', 1), undefined)
  assert.equal(refusal('https://127.0.0.1:81/', 1_000_000), undefined)
})

test('rule 5.10: --scope host keeps to the hosts of the seeds, ports included', () => {
  const refusal = rules({ scope: 'host', seeds: ['http://a.org/x/y', 'http://b.org:81/'] })
  for (const href of ['http://a.org/', 'https://a.org/z', 'http://b.org:81/q?x']) assert.equal(refusal(href), undefined)
  for (const href of ['http://www.a.org/', 'http://b.org/', 'http://a.org.evil.com/', 'http://a.org:8080/']) {
    assert.equal(refusal(href), 'scope', href)
  }
})

test('rule 5.10: --scope domain keeps to what the owners of the seeds registered', () => {
  const refusal = rules({ scope: 'domain', seeds: ['http://www.dcc.ufmg.br/', 'https://news.example.co.uk:81/x'] })
  for (const href of ['http://ufmg.br/', 'https://a.b.ufmg.br:81/', 'http://example.co.uk/']) {
    assert.equal(refusal(href), undefined, href)
  }
  for (const href of [
    'http://usp.br/',
    'http://other.co.uk/',
    'http://co.uk/',
    'http://ufmg.br.evil.com/',
    'http://notufmg.br/',
  ]) {
    assert.equal(refusal(href), 'scope', href)
  }
})

test('ours: an address or a name without a suffix is its own domain, on any port', () => {
  const refusal = rules({ scope: 'domain', seeds: ['http://127.0.0.1:81/', 'http://intranet/', 'http://[::1]:81/'] })
  for (const href of ['http://127.0.0.1/', 'http://intranet:8080/', 'http://[::1]/'])
    assert.equal(refusal(href), undefined)
  for (const href of ['http://127.0.0.2:81/', 'http://1.0.0.1/', 'http://localhost/', 'http://[::2]:81/']) {
    assert.equal(refusal(href), 'scope', href)
  }
})

test('ours: more hosts than are kept in mind get the same answers', () => {
  const refusal = rules({ scope: 'domain', seeds: ['http://a.org/'] })
  for (let round = 0; round < 2; round++) {
    for (let n = 0; n < 5000; n++) {
      assert.equal(refusal(`http://h${n}.a.org/`), undefined)
      assert.equal(refusal(`http://h${n}.b.org/`), 'scope')
    }
  }
})

test('rule 5.10: --max-depth counts links from a seed', () => {
  const refusal = rules({ maxDepth: 2 })
  assert.equal(refusal('http://a.org/', 2), undefined)
  assert.equal(refusal('http://a.org/', 3), 'max-depth')
  assert.equal(rules({ maxDepth: 0 })('http://a.org/', 0), undefined)
  assert.equal(rules({ maxDepth: 0, exclude: ['x'] })('http://a.org/', 1), 'max-depth')
})

test('rule 5.10: --include asks for one of its patterns, over the whole URL', () => {
  const refusal = rules({ include: ['https://*.a.org/blog/*', '*.html'] })
  for (const href of ['https://www.a.org/blog/', 'https://x.y.a.org/blog/z?q', 'http://b.com/x.html']) {
    assert.equal(refusal(href), undefined, href)
  }
  for (const href of ['http://www.a.org/blog/', 'https://a.org/blog/', 'http://b.com/x.html?q', 'http://b.com/xhtml']) {
    assert.equal(refusal(href), 'include', href)
  }
})

test('rule 5.10: --exclude refuses what fits one of its patterns, also when it is included', () => {
  const refusal = rules({ include: ['http://a.org/*'], exclude: ['*/private/*', '*?*sort=*'] })
  assert.equal(refusal('http://a.org/x?q=1'), undefined)
  assert.equal(refusal('http://a.org/private/x'), 'exclude')
  assert.equal(refusal('http://a.org/x?q=1&sort=up'), 'exclude')
  assert.equal(refusal('http://b.org/private/x'), 'include')
})

test('ours: signs that mean something elsewhere stand for themselves', () => {
  const refusal = rules({ exclude: ['http://a.org/x?y', 'http://a.org/[ab]+(c)|$'] })
  assert.equal(refusal('http://a.org/x?y'), 'exclude')
  assert.equal(refusal('http://a.org/xzy'), undefined)
  assert.equal(refusal('http://a.org/[ab]+(c)|$'), 'exclude')
  assert.equal(refusal('http://a.org/a'), undefined)
})

test('ours: scope and patterns hold for no seed, wherever it turns up', () => {
  const refusal = rules({ scope: 'host', seeds: ['http://a.org/'], include: ['*/blog/*'], exclude: ['http://a.org/*'] })
  assert.equal(refusal('http://a.org/', 0), undefined)
  assert.equal(refusal('http://a.org/#x', 3), undefined)
  assert.equal(refusal('http://a.org/x', 1), 'include')
})

test('ours: depth is named before scope, and scope before patterns', () => {
  const refusal = rules({ scope: 'host', seeds: ['http://a.org/'], maxDepth: 1, exclude: ['*'] })
  assert.equal(refusal('http://b.org/', 2), 'max-depth')
  assert.equal(refusal('http://b.org/', 1), 'scope')
  assert.equal(refusal('http://a.org/x', 2), 'max-depth')
  assert.equal(refusal('http://a.org/x', 1), 'exclude')
})

test('rule 5.8: a host that comes twice in the path is a loop; one mention is not', () => {
  const refusal = rules({})
  for (const href of [
    'http://x.org/www.x.org/www.x.org/a',
    'http://www.x.org/x.org/a/WWW.x.org/',
    'https://x.org:8080/x.org/x.org',
    'http://y.org/www.x.org/b/www.x.org',
  ])
    assert.equal(refusal(href), 'host-in-path', href)
  for (const href of [
    'https://web.archive.org/web/2020/https://www.x.org/a',
    'https://web.archive.org/web/2020/https://web.archive.org/web/2019/https://www.x.org/',
    'http://x.org/www.a.org/www.b.org/www.c.org/',
    'http://y.org/index.html/index.html/v1.org/v1.org',
    'http://x.org/x.org.html/x.orga/ax.org',
    'http://wiki/wiki/help/wiki',
    'http://x.org/a?u=/www.x.org/www.x.org/',
    'http://x.org/www.x.org/?u=/x.org/',
  ])
    assert.equal(refusal(href), undefined, href)
})

test('rule 5.8: a pair that comes three times in the query is a loop; a list of values is not', () => {
  const refusal = rules({})
  for (const href of ['http://x.org/?a=1&a=1&a=1', 'http://x.org/b?a=1&b=2&a=1&c&a=1', 'http://x.org/?a&a&a'])
    assert.equal(refusal(href), 'repeated-pair', href)
  for (const href of [
    'http://x.org/?a=1&a=1&b=2',
    'http://x.org/?tag=a&tag=b&tag=c',
    'http://x.org/?a=1&b=1&c=1',
    'http://x.org/?&&&&',
    'http://x.org/a=1&a=1&a=1',
    'http://x.org/?a=1&a=10&a=11',
  ])
    assert.equal(refusal(href), undefined, href)
})

test('ours: --loops lets URLs in that repeat themselves, and what other settings refuse is named first', () => {
  const [host, pair] = ['http://x.org/x.org/x.org', 'http://x.org/?a=1&a=1&a=1'] as const
  const free = rules({ loops: 'yes' })
  assert.deepEqual([free(host), free(pair)], [undefined, undefined])
  assert.equal(rules({ exclude: ['*'] })(host), 'exclude')
  assert.equal(rules({ seeds: [pair] })(pair), undefined, 'a seed')
  const named = new LinkRules(NONE, registrableDomain)
  for (const reason of ['host-in-path', 'repeated-pair'] as const)
    assert.equal(named.settingBehind(reason, { href: host }), '--no-loops')
})

test('ours: a name with @ stands for a set of URLs, among patterns', () => {
  const refusal = rules({ exclude: ['*.pdf', '@sessions'] })
  assert.equal(refusal('http://x.org/a;jsessionid=1'), 'exclude')
  assert.equal(refusal('http://x.org/a.pdf'), 'exclude')
  assert.equal(refusal('http://x.org/a'), undefined)
  assert.equal(rules({ include: ['@calendars'] })('http://x.org/a'), 'include')
  assert.equal(rules({ include: ['@calendars'] })('http://x.org/agenda/2031/4'), undefined)
  const named = new LinkRules({ ...NONE, exclude: ['*.pdf', '@sessions'] }, registrableDomain)
  assert.equal(named.settingBehind('exclude', { href: 'http://x.org/a;jsessionid=1' }), '--exclude @sessions')
})
