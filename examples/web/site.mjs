// One host of the synthetic web while it is being made: its pages, what they lead to, and what a collector must make of
// them. A *place* is a page's host and path, "h017.alpha.test/s/p2.html": its URL without scheme and port, since the port
// is only known when the web is served. `{{port}}` stands for it in texts and headers.

const HTML_TYPE = 'text/html; charset=utf-8'

export class Site {
  constructor(name, address, random) {
    this.name = name
    this.address = address
    this.random = random
    this.kind = 'plain'
    this.pages = new Map()
    this.robots = { forbidden: new Set(), delayMs: 0 }
  }

  place(path) {
    return `${this.name}${path}`
  }

  /** What the server answers at a path. It is no page to be archived unless `archived` says so. */
  answer(path, { status = 200, headers = {}, body = '', act = {}, leadsTo = [], ...rest }) {
    if (this.pages.has(path)) throw new Error(`${this.place(path)} is there already`)
    const { kind = 'answer', archived = false } = rest
    const page = {
      path,
      kind,
      status,
      headers,
      body,
      act,
      archived,
      leadsTo: [...leadsTo],
      refused: rest.refused ?? [],
    }
    this.pages.set(path, { ...page, title: rest.title, opening: rest.opening, redirects: rest.redirects ?? false })
    return this.place(path)
  }

  /**
   * An HTML page with a title, a paragraph and a list of links. `encode` turns its text into bytes; `titleSeen` is what a
   * reader sees as its title where that is something else. Links added later with `link` are in it too.
   */
  page(path, { kind = 'page', links = [], follows = true, ...rest } = {}) {
    const title = rest.title ?? `${this.random.words(3)} ${path.length}`
    const text = rest.text ?? this.random.words(22 + this.random.below(40))
    const all = [...links]
    const encode = rest.encode ?? (html => Buffer.from(html))
    const body = port => encode(withPort(htmlOf({ ...rest, title, text, links: all }), port))
    const seen = rest.titleSeen ?? title
    const opening = `${seen} ${text}`.split(' ').slice(0, 20).join(' ')
    const headers = { 'Content-Type': HTML_TYPE, ...rest.headers }
    const place = this.answer(path, { archived: true, ...rest, kind, title: seen, opening, headers, body })
    const page = this.pages.get(path)
    page.links = all
    page.follows = follows
    for (const link of links) noteLink(page, link)
    return place
  }

  /** One more link on a page that is there. */
  link(path, link) {
    const page = this.pages.get(path)
    page.links.push(link)
    noteLink(page, link)
  }

  /** A page and a link to it from this host's front page. */
  linkedPage(path, options) {
    this.page(path, options)
    this.link('/', pathLink(this, path))
  }

  linkedAnswer(path, options) {
    this.answer(path, options)
    this.link('/', pathLink(this, path))
  }

  redirect(path, location, { to, status = 302, refused = [] } = {}) {
    const leadsTo = to === undefined ? [] : [to]
    const headers = location === undefined ? {} : { Location: location }
    this.answer(path, { kind: 'redirect', status, headers, leadsTo, refused, redirects: true })
  }
}

function noteLink(page, { to, refused }) {
  if (to !== undefined && page.follows) page.leadsTo.push(to)
  else if (to !== undefined) page.refused.push('nofollow')
  if (refused !== undefined) page.refused.push(refused)
}

/** A link within a host, by path. */
export function pathLink(site, path) {
  return { href: path, to: site.place(path) }
}

/** A link that works from everywhere. */
export function fullLink(place) {
  return { href: fullUrl(place), to: place }
}

export function fullUrl(place) {
  return `http://${place.replace('/', ':{{port}}/')}`
}

export function withPort(text, port) {
  return text.replaceAll('{{port}}', String(port))
}

function htmlOf({ title, text, links, head = '', meta = '<meta charset="utf-8">' }) {
  const items = links.map(
    link => `<li>${link.html ?? `<a href="${escaped(link.href)}">${link.text ?? 'liga'}</a>`}</li>\n`,
  )
  return `<!doctype html><html lang="pt"><head>${meta}<title>${escaped(title)}</title>${head}</head>
<body><h1>${escaped(title)}</h1><p>${escaped(text)}</p><ul>
${items.join('')}</ul></body></html>
`
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
