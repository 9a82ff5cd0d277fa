import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type LinkRuleOptions, LinkRules, type RuleRefusal } from '../../src/settings/link-rules.ts'
import { registrableDomain } from '../../src/url/registrable-domain.ts'
import { webUrl } from '../../src/url/web.ts'

const NONE: LinkRuleOptions = {
  scope: 'any',
  seeds: [],
  include: [],
  exclude: [],
  maxDepth: Infinity,
  follow: 'links',
  nearDuplicates: 'hold',
}

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
