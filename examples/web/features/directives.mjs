// What pages and links ask of a collector: nofollow, noindex, noarchive, in the page and in headers.
import { pathLink } from '../site.mjs'

export function directives(site) {
  const behind = path => {
    site.page(path, { kind: 'behind' })
    return [pathLink(site, path)]
  }
  const page = (path, options) => site.linkedPage(path, { kind: 'directive', ...options })
  const meta = content => `<meta name="robots" content="${content}">`

  page('/wish/noindex.html', { head: meta('noindex'), archived: false, links: behind('/wish/behind-noindex.html') })
  page('/wish/noarchive.html', {
    head: meta('NoArchive'),
    archived: false,
    links: behind('/wish/behind-noarchive.html'),
  })
  page('/wish/nofollow.html', { head: meta('nofollow'), follows: false, links: behind('/wish/behind-nofollow.html') })
  page('/wish/none.html', {
    head: meta('none'),
    archived: false,
    follows: false,
    links: behind('/wish/behind-none.html'),
  })
  page('/wish/all.html', { head: meta('index, follow'), links: behind('/wish/behind-all.html') })
  page('/wish/other-agent.html', {
    head: '<meta name="otherbot" content="noindex, nofollow">',
    links: behind('/wish/behind-other-agent.html'),
  })
  page('/wish/header-noindex.html', {
    headers: { 'X-Robots-Tag': 'noindex' },
    archived: false,
    links: behind('/wish/behind-header-noindex.html'),
  })
  page('/wish/header-nofollow.html', {
    headers: { 'X-Robots-Tag': 'noimageindex, nofollow' },
    follows: false,
    links: behind('/wish/behind-header-nofollow.html'),
  })
  page('/wish/header-other-agent.html', {
    headers: { 'X-Robots-Tag': 'otherbot: noindex, nofollow' },
    links: behind('/wish/behind-header-other-agent.html'),
  })

  const never = (path, attributes) => {
    site.page(path, { kind: 'never' })
    return { html: `<a href="${path}" ${attributes}>liga</a>`, refused: 'nofollow' }
  }
  page('/wish/links.html', {
    links: [
      never('/wish/never-1.html', 'rel=nofollow'),
      never('/wish/never-2.html', 'rel="noopener NOFOLLOW"'),
      ...behind('/wish/followed.html').map(link => ({ ...link, html: `<a rel="next" href="${link.href}">liga</a>` })),
    ],
  })
}
