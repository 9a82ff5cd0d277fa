// Every sort of robots.txt. Each puts it on a site, with pages that it forbids and pages that only look so, all linked from
// the front page; what is forbidden is written down, never computed, so the web does not share a collector's mistakes.

import { fullUrl } from './site.mjs'

const PLAIN = { 'Content-Type': 'text/plain' }
const EVERYTHING = 'everything'
/** For kinds that name the collector. */
const AGENT = 'escalona'

/** Kinds that slow their host down or never answer: such a host needs an address of its own. */
export const SLOW_ROBOTS = ['crawl-delay', 'own-crawl-delay', 'silent', 'later', 'reset', 'error', 'unavailable']

/** What ordinary hosts have. */
export const USUAL_ROBOTS = ['none', 'empty', 'path']

export const ROBOTS_KINDS = {
  none: site => robots(site, { answer: { status: 404, headers: PLAIN, body: 'none' }, free: ['/private/a.html'] }),
  gone: site => robots(site, { answer: { status: 410 }, free: ['/private/a.html'] }),
  denied: site => robots(site, { answer: { status: 403, headers: PLAIN, body: 'no' }, free: ['/private/a.html'] }),
  empty: site => robots(site, { text: '', free: ['/private/a.html'] }),
  path: site =>
    robots(site, {
      text: 'User-agent: *\nDisallow: /private/\n',
      forbids: ['/private/', '/private/a.html', '/private/b/c.html?d=1'],
      free: ['/private.html', '/privately/a.html'],
    }),
  wildcards: site =>
    robots(site, {
      text: 'User-agent: *\nDisallow: /*.secret$\nDisallow: /*print=\nDisallow: /a/*/z\nAllow: /a/open/z\n',
      forbids: ['/plans.secret', '/x/y.secret', '/p.html?print=1', '/a/b/z.html', '/a/b/c/z'],
      free: ['/plans.secret.html', '/p.html?page=1', '/a/b/y.html', '/a/open/z.html'],
    }),
  'longest match': site =>
    robots(site, {
      text: 'User-agent: *\nAllow: /shop/open\nDisallow: /shop\nAllow: /tie\nDisallow: /tie\n',
      forbids: ['/shop', '/shop/closed.html'],
      free: ['/shop/open/door.html', '/tie.html'],
    }),
  encoded: site =>
    robots(site, {
      text: 'User-agent: *\nDisallow: /caf%C3%A9/\nDisallow: /pão/\nDisallow: /%61bc/\n',
      forbids: ['/caf%C3%A9/menu.html', '/p%C3%A3o/novo.html', '/abc/d.html'],
      free: ['/cafe/menu.html'],
    }),
  'byte order mark': site =>
    robots(site, {
      text: '\uFEFFUser-agent: *\r\nDisallow: /private/\r\njunk without colon\r\n:\r\nNoindex: /x\r\rDisallow: /more/\r',
      forbids: ['/private/a.html', '/more/a.html'],
      free: ['/x'],
    }),
  'other agents': site =>
    robots(site, {
      text: `User-agent: otherbot\nDisallow: /\n\nUser-agent: ${AGENT}bot\nDisallow: /\n\nUser-agent: *\nDisallow: /private/\n`,
      forbids: ['/private/a.html'],
      free: ['/public/a.html'],
    }),
  'own group': site =>
    robots(site, {
      text: `User-agent: *\nDisallow: /\n\nUser-agent: Nobody\nUser-agent: ${AGENT.toUpperCase()}\nDisallow: /mine/\n`,
      forbids: ['/mine/a.html'],
      free: ['/yours/a.html'],
    }),
  everything: site => robots(site, { text: 'User-agent: *\nDisallow: /\n', forbids: EVERYTHING }),
  html: site =>
    robots(site, {
      answer: { headers: { 'Content-Type': 'text/html' }, body: '<html><body>Disallow nothing</body></html>' },
      free: ['/private/a.html'],
    }),
  huge: site =>
    robots(site, {
      text: `User-agent: *\nDisallow: /early/\n${'# a long story\n'.repeat(45_000)}Disallow: /late/\n`,
      forbids: ['/early/a.html'],
      free: ['/late/a.html'],
    }),
  redirected: site => {
    robots(site, {
      answer: { status: 301, headers: { Location: '/rules/1' } },
      forbids: ['/private/a.html'],
      free: ['/public/a.html'],
    })
    const rules = (n, answer) => site.answer(`/rules/${n}`, { kind: 'robots.txt', ...answer })
    for (let n = 1; n < 5; n++) rules(n, { status: 302, headers: { Location: `/rules/${n + 1}` } })
    rules(5, { headers: PLAIN, body: 'User-agent: *\nDisallow: /private/\n' })
  },
  'crawl-delay': site =>
    robots(site, {
      text: 'User-agent: *\nCrawl-delay: 0.3\nDisallow: /private/\n',
      forbids: ['/private/a.html'],
      free: ['/public/a.html'],
      delayMs: 300,
    }),
  'own-crawl-delay': site =>
    robots(site, {
      text: `User-agent: *\nCrawl-delay: 20\nDisallow: /\n\nUser-agent: ${AGENT}\nCrawl-delay: 0.25\nDisallow: /private/\n`,
      forbids: ['/private/a.html'],
      delayMs: 250,
    }),
  later: site =>
    robots(site, {
      text: 'User-agent: *\nDisallow: /private/\n',
      act: { first: [{ status: 503, headers: { 'Retry-After': '2' } }] },
      forbids: ['/private/a.html'],
      free: ['/public/a.html'],
    }),
  error: site => robots(site, { answer: { status: 500 }, forbids: EVERYTHING }),
  unavailable: site => robots(site, { answer: { status: 503 }, forbids: EVERYTHING }),
  silent: site => robots(site, { answer: { act: { hangs: true } }, forbids: EVERYTHING }),
  reset: site => robots(site, { answer: { act: { resets: true } }, forbids: EVERYTHING }),
}

/** A host that answers slowly and wants to be left alone for longer than a collector takes to start again. */
export function longCrawlDelay(site) {
  robots(site, { text: 'User-agent: *\nCrawl-delay: 2\n', delayMs: 2000 })
  site.linkedPage('/slow.html', { kind: 'slow', act: { waitMs: 400 } })
}

/** A robots.txt that lies at another host. */
export function robotsElsewhere(site, { elsewhere }) {
  const path = `/rules-of-${site.name}.txt`
  robots(site, {
    answer: { status: 307, headers: { Location: fullUrl(elsewhere.place(path)) } },
    forbids: ['/private/a.html'],
    free: ['/public/a.html'],
  })
  elsewhere.answer(path, { kind: 'robots.txt', headers: PLAIN, body: 'User-agent: *\nDisallow: /private/\n' })
}

function robots(site, { answer, text, act = {}, forbids = [], free = [], delayMs = 0 }) {
  site.answer('/robots.txt', { kind: 'robots.txt', ...(answer ?? { headers: PLAIN, body: text, act }) })
  const paths = forbids === EVERYTHING ? ['/inside.html'] : forbids
  for (const path of [...paths, ...free]) site.linkedPage(path, { kind: 'robots' })
  site.robots = { forbidden: forbids === EVERYTHING ? EVERYTHING : new Set(forbids), delayMs }
}
