// Redirects of every kind. At most 10 in a row (docs/rules.md, 5.8); robots.txt, scope and the address guard hold for their targets.
import { fullLink, fullUrl } from '../site.mjs'

const MOST_REDIRECTS = 10

export function redirects(site, { elsewhere, insideName }) {
  const go = (path, location, options) => {
    site.redirect(path, location, options)
    site.link('/', { href: path, to: site.place(path) })
  }
  const landing = path => {
    site.page(path, { kind: 'landing' })
    return site.place(path)
  }
  go('/go/moved', '/go/moved-here.html', { status: 301, to: landing('/go/moved-here.html') })
  const found = landing('/go/found-here.html')
  go('/go/found', fullUrl(found), { to: found })
  go('/go/other', 'other-here.html', { status: 303, to: landing('/go/other-here.html') })
  go('/go/temporary', '../go/temporary-here.html', { status: 307, to: landing('/go/temporary-here.html') })
  go('/go/permanent', '/go/permanent-here.html#top', { status: 308, to: landing('/go/permanent-here.html') })
  go('/go/blank', '/go/blank here.html', { to: landing('/go/blank%20here.html') })

  chain(site, go, MOST_REDIRECTS)
  chain(site, go, MOST_REDIRECTS + 1)
  go('/go/loop-a', '/go/loop-b', { to: site.place('/go/loop-b') })
  site.redirect('/go/loop-b', '/go/loop-a', { to: site.place('/go/loop-a') })
  go('/go/self', '/go/self', { to: site.place('/go/self') })

  elsewhere.page('/only-by-redirect.html', { links: [fullLink(site.place('/'))] })
  go('/go/away', fullUrl(elsewhere.place('/only-by-redirect.html')), { to: elsewhere.place('/only-by-redirect.html') })
  site.page('/private/by-redirect.html')
  site.robots.forbidden.add('/private/by-redirect.html')
  go('/go/forbidden', '/private/by-redirect.html', { to: site.place('/private/by-redirect.html') })

  go('/go/inside', 'http://10.0.0.1:{{port}}/', { refused: ['address'] })
  go('/go/metadata', 'http://169.254.169.254/latest/meta-data/', { refused: ['address'] })
  go('/go/inside-name', `http://${insideName}:{{port}}/`, { refused: ['address'] })
  go('/go/nowhere', undefined)
  go('/go/ftp', 'ftp://example.test/file', { refused: ['protocol'] })
}

/** A chain of so many redirects, and a page at its end. */
function chain(site, go, length) {
  const step = n => (n === length ? `/go/chain-${length}/end.html` : `/go/chain-${length}/${n}`)
  site.page(step(length), { kind: 'landing' })
  for (let n = length - 1; n > 0; n--) site.redirect(step(n), step(n + 1), { to: site.place(step(n + 1)) })
  go(step(0), step(1), { to: site.place(step(1)) })
}
