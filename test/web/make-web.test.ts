// The synthetic web is what crawls are judged by, so its description is checked against what it really says.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seeds } from '../model/random-source.ts'
import { expected, hostsFile, makeWeb, type Page, pageAt, seedsFile, urlOf, type Web } from './synthetic-web.ts'

const PORT = 40_000

test('ours: the same options give the same web, another seed another one', () => {
  const texts = (web: Web) =>
    web.sites.map(site => [site.name, site.address, [...site.pages].map(([path, page]) => [path, textOf(page)])])
  const one = makeWeb({ seed: 7, hosts: 60 })
  assert.deepEqual(texts(one), texts(makeWeb({ seed: 7, hosts: 60 })))
  assert.notDeepEqual(texts(one), texts(makeWeb({ seed: 8, hosts: 60 })))
})

test('ours: every link and redirect leads where the description says', t => {
  for (const seed of seeds(t, 2, 2)) {
    const web = makeWeb({ seed, hosts: 60 })
    let links = 0
    for (const site of web.sites) {
      for (const page of site.pages.values()) {
        if (page.kind === 'charset' || page.headers['Content-Encoding']) continue
        const base = urlOf(site.name + page.path, PORT)
        const known = new Set(page.leadsTo.map(place => urlOf(place, PORT)))
        const written = writtenLinks(page, base)
        for (const url of known) assert.ok(written.has(url), `seed ${seed}: ${base} does not say ${url}`)
        links += known.size
      }
    }
    assert.ok(links > 500, `only ${links} links`)
  }
})

test('ours: everything that is led to exists, and so does an orphan that nothing leads to', () => {
  const web = makeWeb({ hosts: 60 })
  const targets = new Set(web.sites.flatMap(site => [...site.pages.values()].flatMap(page => page.leadsTo)))
  for (const place of [...targets, ...web.seeds]) assert.ok(pageAt(web, place), place)
  for (const site of web.sites)
    assert.ok(pageAt(web, `${site.name}/orphan.html`) && !targets.has(`${site.name}/orphan.html`))
})

test('ours: every host that may be asked is reached, and what is expected has something of every kind', () => {
  for (const hosts of [60, 300]) {
    const web = makeWeb({ hosts })
    const { archived, requested, forbidden, refused } = expected(web)
    for (const site of web.sites) {
      const front = `${site.name}/`
      const isShut = site.robots.forbidden === 'everything'
      assert.equal(archived.has(front), !isShut, front)
      assert.equal(forbidden.has(front), isShut, front)
    }
    for (const place of archived) assert.ok(requested.has(place) && !forbidden.has(place), place)
    for (const place of requested) assert.ok(!place.endsWith('/orphan.html'), place)
    assert.ok(archived.size > 8 * hosts && forbidden.size > hosts, `${archived.size}, ${forbidden.size}`)
    const names = ['address', 'dns', 'malformed', 'nofollow', 'protocol', 'repeated-segment', 'too-long']
    assert.deepEqual(Object.keys(refused).sort(), [...names, 'too-many-redirects', 'too-many-segments'])
  }
})

test('ours: scopes make the expected web smaller', () => {
  const web = makeWeb({ hosts: 60 })
  const [any, domain, host] = (['any', 'domain', 'host'] as const).map(scope => expected(web, { scope }).archived)
  assert.ok(isWithin(host!, domain!) && isWithin(domain!, any!))
  const names = new Set([...host!].map(place => place.split('/')[0]))
  assert.deepEqual(names, new Set(web.seeds.map(place => place.split('/')[0])))
})

test('ours: several hosts share an address, and slow ones have their own', () => {
  const web = makeWeb({ hosts: 60 })
  const residents = (address: string) => web.sites.filter(site => site.address === address).length
  assert.ok(web.sites.some(site => residents(site.address) === 3))
  for (const { address, robots } of web.sites) {
    if (robots.delayMs > 0) assert.equal(residents(address), 1)
    assert.ok(address.startsWith('127.20.'))
  }
  const lines = hostsFile(web).trimEnd().split('\n')
  assert.equal(lines.length, 61)
  assert.ok(
    lines.includes(`${web.sites[0]!.address} ${web.sites[0]!.name}`) && lines.some(line => /^192\.168\./.test(line)),
  )
  assert.equal(seedsFile(web, PORT).split('\n')[0], urlOf(web.seeds[0]!, PORT))
})

function isWithin(part: ReadonlySet<string>, whole: ReadonlySet<string>): boolean {
  return part.size < whole.size && [...part].every(one => whole.has(one))
}

function textOf({ body }: Page): string {
  return (typeof body === 'function' ? body(PORT) : Buffer.from(body)).toString('latin1')
}

/** What a page or its header says, read in the simplest way: every link in it, also those that do not count. */
function writtenLinks(page: Page, base: string): Set<string> {
  const text = typeof page.body === 'function' ? page.body(PORT).toString() : page.body.toString()
  const own = /<base href="([^"]*)"/.exec(text)?.[1]
  const from = own === undefined ? base : new URL(own, base).href
  const found = [...text.matchAll(/href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))|content="\d; url=([^"]+)"/gi)]
  const hrefs = found.map(match => match.slice(1).find(one => one !== undefined) ?? '')
  const location = page.headers.Location?.replaceAll('{{port}}', String(PORT))
  return new Set([...hrefs.map(decoded), ...(location ? [location] : [])].flatMap(href => canonical(href, from)))
}

function decoded(text: string): string {
  return text.replaceAll('&#100;', 'd').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
}

function canonical(href: string, base: string): string[] {
  if (!URL.canParse(href, base)) return []
  const url = new URL(href, base)
  url.hash = url.username = url.password = ''
  return [url.href.replace(/\?$/, '')]
}
