// Traps: pages without end, each stopped by a bound (docs/rules.md, 5.8) that has a name.
const MOST_SEGMENTS = 30
const MOST_REPEATS = 3

export function traps(site) {
  deeper(site)
  again(site)
  const long = count => `/long?${'x'.repeat(count)}`
  site.linkedPage(long(1900), { kind: 'trap' })
  site.link('/', { href: long(2000), refused: 'too-long' })
  calendar(site)
}

/** /down/1/2/3/…: every page links to one below it. */
function deeper(site) {
  const path = depth => `/${['down', ...Array.from({ length: depth - 1 }, (_, n) => n + 1)].join('/')}`
  for (let depth = 1; depth <= MOST_SEGMENTS; depth++) {
    const isLast = depth === MOST_SEGMENTS
    const next = {
      href: path(depth + 1),
      ...(isLast ? { refused: 'too-many-segments' } : { to: site.place(path(depth + 1)) }),
    }
    site.page(path(depth), { kind: 'trap', links: [next] })
  }
  site.link('/', { href: path(1), to: site.place(path(1)) })
}

/** /again/x/, /again/x/x/, …: a relative link that repeats itself. */
function again(site) {
  const path = times => `/again/${'x/'.repeat(times)}`
  for (let times = 0; times <= MOST_REPEATS; times++) {
    const isLast = times === MOST_REPEATS
    const next = { href: 'x/', ...(isLast ? { refused: 'repeated-segment' } : { to: site.place(path(times + 1)) }) }
    site.page(path(times), { kind: 'trap', links: [next] })
  }
  site.link('/', { href: path(0), to: site.place(path(0)) })
}

/** A calendar of two years that links every month to its neighbours and to itself in other words. */
function calendar(site) {
  const path = month => `/calendar?month=${month}`
  for (let month = 0; month < 24; month++) {
    const near = [month - 1, month + 1].filter(one => one >= 0 && one < 24)
    site.page(path(month), {
      kind: 'trap',
      links: [
        ...near.map(one => ({ href: `?month=${one}`, to: site.place(path(one)) })),
        { href: `${path(month)}#today`, to: site.place(path(month)) },
      ],
    })
  }
  site.link('/', { href: path(0), to: site.place(path(0)) })
}

/** Sessions without end: each page links to two that nobody has seen. The server makes them up as they are asked for. */
export function endless(site) {
  site.endless = {
    isHere: path => /^\/session\/[12]+$/.test(path),
    links: path => [`${path}1`, `${path}2`],
  }
  site.link('/', { href: '/session/1', to: site.place('/session/1') })
}
