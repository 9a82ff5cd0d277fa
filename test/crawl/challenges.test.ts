import assert from 'node:assert/strict'
import { test } from 'node:test'
import { extract } from '../../src/extract/extract.ts'
import { LinkRules, linkRuleOptions } from '../../src/settings/link-rules.ts'
import { settingsWith } from '../../src/settings/settings.ts'
import { challengeInHead, challengeInPage, MOST_CHALLENGE_WORDS } from '../../src/visit/challenges.ts'
import { visit } from '../../src/visit/visit.ts'

function inHead(...headers: string[]): string | undefined {
  return challengeInHead({ headers })
}

function inPage(html: string): string | undefined {
  const body = Buffer.from(html)
  const page = { url: 'http://a.example/', contentType: 'text/html; charset=utf-8', robotsTags: [], agent: 'escalona' }
  return challengeInPage({ body }, () => extract({ ...page, body }).tokens)
}

/** As the providers write them, shortened. */
const PAGES: Readonly<Record<string, string>> = {
  Cloudflare: `<!DOCTYPE html><html><head><title>Just a moment...</title></head><body><noscript>Enable JavaScript and cookies to continue</noscript>
    <script>(function(){window._cf_chl_opt={cvId:'3',cType:'managed'};var a=document.createElement('script');a.src='/cdn-cgi/challenge-platform/h/g/orchestrate/chl_page/v1';}());</script></body></html>`,
  Anubis: `<!doctype html><html lang="en"><head><title>Making sure you&#39;re not a bot!</title>
    <script id="anubis_version" type="application/json">"v1.22"</script>
    <script id="anubis_challenge" type="application/json">{"rules":{"algorithm":"fast"}}</script></head><body><p>Loading...</p></body></html>`,
  DataDome: `<html><head><title>a.example</title></head><body><p id="cmsg">Please enable JS and disable any ad blocker</p>
    <script data-cfasync="false">var dd={'rt':'c','host':'geo.captcha-delivery.com'}</script>
    <script data-cfasync="false" src="https://ct.captcha-delivery.com/c.js"></script></body></html>`,
  Akamai: `<html><body><div id="sec-if-cpt-container"><p>Powered and protected by Akamai</p></div></body></html>`,
  Imperva: `<html><head><META NAME="robots" CONTENT="noindex,nofollow"></head><iframe id="main-iframe" src="/_Incapsula_Resource?CWUDNSAI=9&xinfo=1" frameborder=0>Request unsuccessful. Incapsula incident ID: 1-2</iframe></html>`,
  Sucuri: `<html><title>You are being redirected...</title><noscript>Javascript is required.</noscript><script>var s={},u,sucuri_cloudproxy_js='',S='bj0n';</script></html>`,
}

const OLD_ANUBIS = `<title>x</title><script async type="module" src="/.within.website/x/cmd/anubis/static/js/main.mjs?cacheBuster=v1.14"></script>`

test('rule 5.21: a challenge page is recognised by a field of the answer', () => {
  assert.equal(inHead('Server', 'cloudflare', 'CF-Mitigated', 'challenge'), 'Cloudflare')
  assert.equal(inHead('x-amzn-waf-action', 'challenge'), 'AWS WAF')
  assert.equal(inHead('x-vercel-mitigated', 'challenge'), 'Vercel')
  assert.equal(inHead('x-amzn-waf-action', ' Captcha'), 'AWS WAF')
  assert.equal(inHead('cf-mitigated', 'block', 'x-amzn-waf-action', 'count', 'server', 'cloudflare'), undefined)
  assert.equal(inHead(), undefined)
})

for (const [by, html] of Object.entries(PAGES))
  test(`rule 5.21: a challenge page of ${by} is recognised by its marks`, () => assert.equal(inPage(html), by))

test('rule 5.21: the script of earlier versions of Anubis is a mark too', () =>
  assert.equal(inPage(OLD_ANUBIS), 'Anubis'))

test('rule 5.21: a page of Imperva that is only its script is a challenge', () => {
  const script = '<script src="/_Incapsula_Resource?SWJIYLWA=5074a744,719d34d3">\n</script>'
  assert.equal(
    inPage(`<html><head><META NAME="robots" CONTENT="noindex,nofollow">${script}<body></body></html>`),
    'Imperva',
  )
})

test('rule 5.21: an article about challenge pages is none', () => {
  for (const html of [...Object.values(PAGES), OLD_ANUBIS]) {
    const escaped = html.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
    assert.equal(
      inPage(`<title>How challenge pages work</title><p>They look like this:</p><pre>${escaped}</pre>`),
      undefined,
    )
    const data = JSON.stringify({ article: html }).replaceAll('<', '\\u003c')
    assert.equal(inPage(`<script id="__NEXT_DATA__" type="application/json">${data}</script><p>words</p>`), undefined)
    const words = ' word'.repeat(MOST_CHALLENGE_WORDS + 1)
    assert.equal(inPage(`${html}<p>${words}</p>`), undefined)
  }
  assert.equal(
    inPage('<title>Just a moment...</title><p>Checking your browser before you access a.example</p>'),
    undefined,
  )
})

test('rule 5.21: marks in the text after a script are none', () => {
  const told = "window._cf_chl_opt={}; /cdn-cgi/challenge-platform/ sucuri_cloudproxy_js=''"
  assert.equal(inPage(`<script>start()</script><p>They say:</p><pre>${told}</pre>`), undefined)
})

test('rule 5.21: pages that a provider protects are no challenges', () => {
  const jsd = "<script>window.__CF$cv$params={r:'1'};a.src='/cdn-cgi/challenge-platform/scripts/jsd/main.js';</script>"
  assert.equal(inPage(`<p>a page</p>${jsd}`), undefined)
  const incapsula = '<script src="/_Incapsula_Resource?SWJIYLWA=719d34"></script>'
  assert.equal(inPage(`<p>a page</p>${incapsula}`), undefined)
  assert.equal(inPage(`<title>An app</title>${incapsula}<div id="root"></div>`), undefined)
  assert.equal(inPage('<p>a page</p><script src="https://js.datadome.co/tags.js"></script>'), undefined)
  assert.equal(
    inPage('<p>log in</p><script src="https://challenges.cloudflare.com/turnstile/v0/api.js"></script>'),
    undefined,
  )
})

test('rule 5.21: a page that a site has instead of a robots.txt is no challenge for the scripts of its provider', async () => {
  const script = '<script src="/_Incapsula_Resource?SWJIYLWA=719d34"></script>'
  assert.equal(await kindOfRobots(404, `<title>404</title>${script}<p>There is no such page.</p>`), 'robots')
  assert.equal(await kindOfRobots(200, `<title>a.example</title>${script}<p>Welcome.</p>`), 'robots')
  const noindex = '<META NAME="robots" CONTENT="noindex,nofollow">'
  assert.equal(await kindOfRobots(200, `<html><head>${noindex}${script}</head><body></body></html>`), 'challenge')
  assert.equal(await kindOfRobots(403, PAGES.Imperva!), 'challenge')
})

async function kindOfRobots(status: number, html: string): Promise<string> {
  const settings = settingsWith({}, 1, '1')
  const url = 'http://a.example/robots.txt'
  const exchange = {
    ...{ url, ip: '192.0.2.1', requestHead: 'GET /robots.txt HTTP/1.1\r\n\r\n', sentAtMs: 0, tookMs: 1 },
    ...{ status, httpVersion: '1.1', statusText: '', headers: ['Content-Type', 'text/html'], wireBytes: 1 },
    ...{ body: Buffer.from(html), truncated: undefined },
  }
  const deps = {
    ...settings,
    fetcher: { get: async () => ({ kind: 'answer', exchange, isHtml: false }) as never },
    rules: new LinkRules(linkRuleOptions(settings, []), host => host),
    ...{ offered: undefined, payloads: undefined, detectLanguage: undefined, crawl: '', revisits: false, agent: '' },
    clock: () => 0,
  }
  const { kind } = await visit(1, { url, hops: 0, address: undefined, wanted: 'robots' }, deps, async () => true)
  return kind
}

test('ours: marks that repeat are no marks, and only the first 64 KiB are searched', () => {
  for (const piece of [
    '<script ',
    '<script window._cf_chl_opt',
    '<iframe /_Incapsula_Resource?',
    'sucuri_cloudproxy_js=',
  ])
    assert.equal(inPage(piece.repeat(200_000 / piece.length)), undefined)
  assert.equal(inPage(`${' '.repeat(65_536)}${PAGES.Akamai}`), undefined)
})
