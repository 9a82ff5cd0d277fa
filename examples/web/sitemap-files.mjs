// Sitemaps of every sort, and what stands in them: the same seed makes the same files. For comparisons with other parsers.
import { gzipSync } from 'node:zlib'
import { Random } from './random.mjs'

const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9'
const IMAGES = 'http://www.google.com/schemas/sitemap-image/1.1'
const NEWS = 'http://www.google.com/schemas/sitemap-news/0.9'
const DATES = [
  '2024',
  '2024-05',
  '2024-05-06',
  '2024-05-06T07:08Z',
  '2024-05-06T07:08:09+02:00',
  '2023-12-31T23:59:59.5Z',
]

/**
 * Makes `count` files: `name`, `bytes`, `kind` (urlset, sitemapindex, rss, atom or text) and `locations`, in order. `forms`: the
 * kinds to choose from. `isPlain`: without what only some parsers know: other encodings, prefixes,
 * declarations, and URLs that look as if they had entities, which usp undoes twice.
 */
export function sitemapFiles({ seed = 1, count = 100, forms = Object.keys(MAKERS), isPlain = false } = {}) {
  const random = new Random(seed)
  return Array.from({ length: count }, (_, n) => {
    const kind = forms[n % forms.length]
    const locations = Array.from({ length: 1 + random.below(60) }, (_, place) => location(random, place, isPlain))
    const style = styleOf(random, isPlain)
    const text = MAKERS[kind](locations, style, random)
    const bytes = encoded(text, style)
    const isPacked = random.below(3) === 0
    return {
      name: `${kind}-${n}.${kind === 'text' ? 'txt' : 'xml'}${isPacked ? '.gz' : ''}`,
      kind,
      locations,
      bytes: isPacked ? gzipSync(bytes) : bytes,
    }
  })
}

function styleOf(random, isPlain) {
  return {
    newLine: random.pick(['\n', '\r\n', '']),
    indent: random.pick(['', '  ', '\t']),
    prefix: isPlain ? '' : random.pick(['', '', 'sm:']),
    isCommented: random.below(2) === 0,
    hasExtensions: random.below(2) === 0,
    encoding: isPlain ? 'utf-8' : random.pick(['utf-8', 'utf-8', 'bom', 'utf-16le', 'utf-16be', 'iso-8859-1']),
    hasDoctype: !isPlain && random.below(4) === 0,
  }
}

function location(random, place, isPlain) {
  const path = Array.from({ length: 1 + random.below(3) }, () =>
    random.pick(['a', 'livros', 'p%C3%A1gina', "l'eau", 'x_y', '~z']),
  )
  const query = random.pick(['', '', `?id=${place}`, `?a=${place}&b=2`, isPlain ? '?q=%3Cx%3E' : '?q=%3Cx%3E&amp=1'])
  return `https://www.example.org/${path.join('/')}/${place}${query}`
}

/** One way to write a location: with entities, numeric references, in a CDATA section, or with blanks around it. */
function written(loc, random) {
  const escaped = loc.replaceAll('&', '&amp;').replaceAll("'", random.pick(["'", '&apos;', '&#39;']))
  switch (random.below(5)) {
    case 0:
      return `<![CDATA[${loc}]]>`
    case 1:
      return escaped.replace('example', 'ex&#97;mple')
    case 2:
      return `\n    ${escaped}\n  `
    case 3:
      return escaped.replace('/www.', '/&#x77;ww.')
    default:
      return escaped
  }
}

function xml(root, entry, attributes) {
  return (locations, style, random) => {
    const { newLine: n, indent: i, prefix: p } = style
    const lines = locations.flatMap(loc => [
      ...(style.isCommented && random.below(9) === 0
        ? [`<!-- <${p}url><${p}loc>https://www.example.org/no</${p}loc></${p}url> > -->`]
        : []),
      `${i}<${p}${entry}>`,
      `${i}${i}<${p}loc>${written(loc, random)}</${p}loc>`,
      ...(random.below(2) === 0 ? [`${i}${i}<${p}lastmod>${random.pick(DATES)}</${p}lastmod>`] : []),
      ...(entry === 'url' && style.hasExtensions ? extensions(p, random) : []),
      `${i}</${p}${entry}>`,
    ])
    const named = p === '' ? `xmlns="${NAMESPACE}"` : `xmlns:sm="${NAMESPACE}"`
    return [
      declaration(style),
      ...doctype(style, root),
      `<${p}${root} ${named}${attributes}>`,
      ...lines,
      `</${p}${root}>`,
      '',
    ].join(n)
  }
}

function extensions(p, random) {
  const image = '<image:image><image:loc>https://www.example.org/i.png</image:loc></image:image>'
  const news =
    '<news:news><news:publication><news:name>N</news:name><news:language>pt</news:language></news:publication><news:publication_date>2024-01-01</news:publication_date><news:title>T</news:title></news:news>'
  return [
    `<${p}changefreq>daily</${p}changefreq>`,
    `<${p}priority>0.5</${p}priority>`,
    random.pick([image, news, image + news]),
  ]
}

function declaration({ encoding }) {
  const name = encoding === 'bom' ? 'UTF-8' : encoding.startsWith('utf-16') ? 'UTF-16' : encoding.toUpperCase()
  return `<?xml version="1.0" encoding="${name}"?>`
}

function doctype({ hasDoctype }, root) {
  return hasDoctype ? [`<!DOCTYPE ${root} [ <!ENTITY loc "<loc>https://www.example.org/entity</loc>"> ]>`] : []
}

const MAKERS = {
  urlset: xml('urlset', 'url', ` xmlns:image="${IMAGES}" xmlns:news="${NEWS}"`),
  sitemapindex: xml('sitemapindex', 'sitemap', ''),
  rss: (locations, style, random) => {
    const items = locations.map(
      loc =>
        `<item><title>A &amp; B</title><link>${written(loc, random)}</link><guid>x</guid><pubDate>Tue, 03 Jun 2003 09:39:21 GMT</pubDate></item>`,
    )
    return [
      declaration(style),
      '<rss version="2.0"><channel><title>T</title><link>https://www.example.org/</link>',
      ...items,
      '</channel></rss>',
    ].join('\n')
  },
  atom: (locations, style) => {
    const entries = locations.map(loc => {
      const href = loc.replaceAll('&', '&amp;')
      return `<entry><title>T</title><link rel="edit" href="https://www.example.org/edit"/><link href="${href}"/><id>x</id><updated>2003-12-13T18:30:02Z</updated></entry>`
    })
    const name = 'http://www.w3.org/2005/Atom'
    return [
      declaration(style),
      `<feed xmlns="${name}"><link rel="self" href="https://www.example.org/feed"/>`,
      ...entries,
      '</feed>',
    ].join('\n')
  },
  text: (locations, { newLine }) => locations.join(newLine || '\n'),
}

function encoded(text, { encoding }) {
  switch (encoding) {
    case 'bom':
      return Buffer.from(`\uFEFF${text}`)
    case 'utf-16le':
      return Buffer.from(`\uFEFF${text}`, 'utf16le')
    case 'utf-16be':
      return Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()
    case 'iso-8859-1':
      return Buffer.from(text, 'latin1')
    default:
      return Buffer.from(text)
  }
}
