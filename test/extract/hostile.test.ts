// Pages made to hurt: each takes milliseconds in linear time, and minutes in quadratic time.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RandomSource, seeds } from '../model/random-source.ts'
import { randomPage } from './random-page.ts'
import { read } from './read.ts'

const BYTES = 2_000_000
const MOST_MS = 2000

const UNITS: Readonly<Record<string, string>> = {
  less: '<',
  greater: '>',
  quotes: '"\'',
  'end of nothing': '</',
  'open comments': '<!--',
  'half comments': '<!-- --',
  'short comments': '<!---->',
  'open instructions': '<?',
  'open links': '<a href="',
  'open links in single quotes': "<a href='x",
  'cut links': '<a href=',
  'empty links': '<a href>',
  'deep boxes': '<div>',
  'deep links': '<a href=x>',
  'deep unknown': '<x-y>',
  'deep svg': '<svg>',
  'svg and out': '<svg><p>',
  'deep templates': '<template>',
  noscripts: '<noscript>',
  'open scripts': '<script>',
  'scripts that hide': '<script><!--<script>',
  'almost the end of a script': '<script></scrip',
  'open titles': '<title>',
  'open textareas': '<textarea></textare',
  cdata: '<svg><![CDATA[',
  'short sections': '<![CDATA[]]>',
  'sections in scripts': '<script><![CDATA[</script>]]>',
  'empty elements': '<title/><script/><svg/>',
  subsets: '<!DOCTYPE x [ ] ',
  'links in svg': '<svg><a xlink:href=x>',
  ampersands: '&',
  'open references': '&am',
  'numeric references': '&#',
  'long references': '&#x11111111',
  'references by name': '&CounterClockwiseContourIntegral;',
  'nbsp without end': '&nbsp',
  nuls: '\0',
  'replacement characters': '\ufffd',
  escapes: '\x1b[2J',
  blanks: ' ',
  'wide blanks': '\u3000',
  letters: 'x',
  words: 'x ',
  'words in tags': '<b>x',
  metas: '<meta name=robots content=noindex>',
  refreshes: '<meta http-equiv=refresh content="0;url=x">',
  bases: '<base href=x>',
  'links to other pages': '<a href="/a/b/c?d=e&amp;f">',
  'links with texts': '<a href=x rel=y>z',
  'links in cells': '<table><td><a href=x>y',
  'hidden links': '<noscript><a href=x>y</noscript>',
  images: '<a href=x><img alt=y>',
  relations: '<link rel=canonical href=x>',
  slashes: '<p / / / /',
  equals: '<p = = =',
}

/** One thing that is very long. */
const GIANTS: Readonly<Record<string, (size: number) => string>> = {
  'one attribute': size => `<a href="${'x'.repeat(size)}">y`,
  'one attribute of references': size => `<a href="${'&amp;'.repeat(size / 5)}">y`,
  'one attribute of blanks': size => `<a href="${' '.repeat(size)}/x">y`,
  'one rel': size => `<a rel="${'nofollow'.repeat(size / 8)}" href=x>y`,
  'many attributes': size => `<a ${'x=y '.repeat(size / 4)}href=z>y`,
  'the same attribute': size => `<a ${'href=y '.repeat(size / 7)}>y`,
  'one name': size => `<a${'x'.repeat(size)} href=x>y`,
  'one title': size => `<title>${' x'.repeat(size / 2)}</title>`,
  'one title of blanks': size => `<title>x${' '.repeat(size)}y</title>`,
  'one title of controls': size => `<title>${'\x01'.repeat(size)}</title>`,
  'one refresh': size => `<meta http-equiv=refresh content="0${' '.repeat(size)}x">`,
  'one refresh of digits': size => `<meta http-equiv=refresh content="${'0'.repeat(size)}">`,
  'one robots list': size => `<meta name=robots content="${'x,'.repeat(size / 2)}">`,
  'one script': size => `<script>${'<!-- -- '.repeat(size / 8)}</script>`,
  'one link': size => `<a href=x>${'y '.repeat(size / 2)}</a>`,
  'one link of lines': size => `<a href=x>${'y<p>'.repeat(size / 4)}</a>`,
  'one image': size => `<a href=x><img alt="${' &amp;'.repeat(size / 6)}"></a>`,
  'one reference': size => `&#${'0'.repeat(size)}65;`,
  'one word in pieces': size => `${'x<b></b>'.repeat(size / 8)}`,
}

/** Of the processor: other processes do not count. */
function milliseconds(work: () => void): number {
  const start = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

const HTML = { contentType: 'text/html; charset=utf-8' }
const XHTML = { contentType: 'application/xhtml+xml; charset=utf-8' }
const ALL = { textUnits: Infinity, textDigest: true, anchors: true, canonical: true }

function assertFast(name: string, html: string): void {
  for (const more of [HTML, XHTML]) {
    const ms = milliseconds(() => read(html, more))
    assert.ok(ms < MOST_MS, `${name} as ${more.contentType}: ${ms} ms`)
  }
  const part = html.slice(0, BYTES / 4)
  const ms = milliseconds(() => read(part, { ...HTML, wanted: ALL }))
  assert.ok(ms < MOST_MS / 2, `${name} with all that can be asked for: ${ms} ms`)
}

test('ours: floods of one piece of markup take linear time', () => {
  for (const [name, unit] of Object.entries(UNITS)) {
    assertFast(name, unit.repeat(Math.ceil(BYTES / Buffer.byteLength(unit))))
  }
})

test('ours: giants take linear time', () => {
  for (const [name, giant] of Object.entries(GIANTS)) assertFast(name, giant(BYTES))
})

test('ours: 100,000 nested tags, and what stands inside', () => {
  const page = read(`${'<div><b>'.repeat(100_000)}<a href=/1>x</a> y${'</b></div>'.repeat(100_000)}`)
  assert.deepEqual([page.links.length, page.tokens], [1, 2])
})

test('ours: 10 MiB of links and text are read within seconds', () => {
  const piece = Buffer.from('<p>some text <a href="/page?x=1&amp;y=2">here</a>\n')
  const pieces = Math.floor((10 * 2 ** 20) / piece.length)
  const page = Buffer.alloc(pieces * piece.length, piece)
  let tokens = 0
  const ms = milliseconds(() => {
    tokens = read(page, { contentType: 'text/html; charset=utf-8' }).tokens
  })
  assert.equal(tokens, 3 * pieces)
  assert.ok(ms < 3 * MOST_MS, `${ms} ms`)
})

test('ours: random bytes in any charset never throw', t => {
  const charsets = [
    'utf-8',
    'windows-1252',
    'gbk',
    'gb18030',
    'big5',
    'shift_jis',
    'euc-jp',
    'iso-2022-jp',
    'euc-kr',
    'iso-8859-16',
    'windows-874',
    'utf-16le',
    'utf-16be',
  ]
  for (const seed of seeds(t, 300, 300)) {
    const random = new RandomSource(seed)
    const noise = Buffer.from(Array.from({ length: random.below(400) }, () => random.below(256)))
    const page = Buffer.concat([Buffer.from(randomPage(random, { extras: [], isBroken: true })), noise])
    const types = [undefined, `text/html; charset=${random.pick(charsets)}`, 'application/xhtml+xml']
    for (const contentType of types) {
      const body = random.chance(0.5) ? page : noise
      const { opening, title, text, anchors } = read(body, { contentType, wanted: ALL })
      const shown = [opening, title, text!.replaceAll('\n', ' '), ...anchors!.map(anchor => anchor.text + anchor.rel)]
      assert.doesNotMatch(shown.join(' '), /[\p{Cc}\u202e]/u, `seed ${seed}`)
      assert.equal(opening, read(body, { contentType }).opening, `seed ${seed}`)
    }
  }
})
