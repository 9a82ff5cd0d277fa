import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import { chanceAt } from '../../src/base/random.ts'
import { CssReader } from '../../src/replay/rewrite/css.ts'
import { SOAK } from '../model/random-source.ts'
import { rewritten } from './rewritten.ts'

/** What is written for it; most have something before and after that must survive. */
const CASES: readonly (readonly [what: string, html: string, written: string])[] = [
  ['a link', '<a href="x?a=1&amp;b=2#f">t</a>', '<a href="{page a.example/dir/x?a=1&b=2}#f">t</a>'],
  ['an absolute link', '<a href=//b.example/>t</a>', '<a href="{page b.example/}">t</a>'],
  ['a link in the page', '<a href="#top">t</a>', '<a href="#top">t</a>'],
  ['a link that leads elsewhere', '<a target=_top ping=/p download href=/x>', '<a href="{page a.example/x}">'],
  ['a link that is no web address', '<a href="javascript:alert(1)">t</a><a href=mailto:x@y>m</a>', '<a>t</a><a>m</a>'],
  ['a link with blanks and tabs inside', '<a href=" ht\ttp://b.exa\nmple/ ">', '<a href="{page b.example/}">'],
  ['an image map', '<area href=/x shape=rect>', '<area href="{page a.example/x}" shape="rect">'],
  ['a base', '<base href="/other/"><img src=i>', '<img src="{image a.example/other/i}">'],
  ['images', '<img src=i alt="a&quot;b" onerror=x()>', '<img src="{image a.example/dir/i}" alt="a&#34;b">'],
  ['an image in the page', '<img src="data:image/png;base64,AA==">', '<img src="data:image/png;base64,AA==">'],
  [
    'a set of images',
    '<img srcset="a 1x, b 2x">',
    '<img srcset="{image a.example/dir/a} 1x, {image a.example/dir/b} 2x">',
  ],
  ['a background', '<body background=b.gif>', '<body background="{image a.example/dir/b.gif}">'],
  ['a script', 'a<script src=x>if (a<b) "<p>"</script>b', 'ab'],
  ['a script that hides its end', 'a<script><!--<script></script>--></script>b', 'ab'],
  ['handlers', '<p onclick=x() ONLOAD=y()>t', '<p>t'],
  [
    'a style sheet',
    '<link rel=stylesheet href=s.css media=print>',
    '<link rel="stylesheet" href="{style a.example/dir/s.css}" media="print">',
  ],
  [
    'other links of the head',
    '<link rel=preconnect href=//c.example><link rel=icon href=i><link rel=prefetch href=p>',
    '',
  ],
  [
    'a style element',
    '<style media=print>p{background:url(b)}</style>',
    '<style media="print">p{background:url("{image a.example/dir/b}")}</style>',
  ],
  ['markup in a style element', '<style>a</p><img src=x></style>', '<style>a\\3c /p>\\3c img src=x></style>'],
  [
    'a style attribute',
    '<p style="background:url(&quot;b&quot;)">',
    '<p style="background:url(&#34;{image a.example/dir/b}&#34;)">',
  ],
  [
    'metas',
    '<meta charset=latin1><meta http-equiv=set-cookie content=a><meta name=viewport content=w>',
    '<meta name="viewport" content="w">',
  ],
  ['forms', '<form action=/x method=post><button formaction=/y>b</button>', '<form><button>b</button>'],
  ['objects', '<object data=x><embed src=y><p>instead</p></object>', '<p>instead</p>'],
  [
    'media',
    '<video src=v poster=p><track src=t><a href=v>v</a></video>',
    '<div><a href="{page a.example/dir/v}">v</a></div>',
  ],
  ['comments', 'a<!-- <img src=x> --!>b<!-->c<?php x ?>d</ e>f', 'abcdf'],
  ['a lone less-than', 'a < b <3 <', 'a &lt; b &lt;3 &lt;'],
  ['a title', '<title>a <b> &amp;</title>', '<title>a &lt;b> &amp;</title>'],
  ['a text area', '<textarea><img src=x></textarea>', '<textarea>&lt;img src=x></textarea>'],
  ['text as it stands', '<xmp><img src=x>&amp;</xmp>', '<pre>&#60;img src=x&#62;&#38;amp;</pre>'],
  [
    'plain text to the end',
    'a<plaintext><img src=x></plaintext>',
    'a<pre>&#60;img src=x&#62;&#60;/plaintext&#62;</pre>',
  ],
  [
    'svg',
    '<svg viewBox="0 0 9 9"><image href=i /><use xlink:href="#a"/><path d="M0 0"/></svg>',
    '<svg viewbox="0 0 9 9"><image href="{image a.example/dir/i}"/><use xlink:href="#a"/><path d="M0 0"/></svg>',
  ],
  [
    'a style sheet in svg, in which references count',
    '<svg><style>a&gt;b{c:&#117;rl(x)}</style></svg>',
    '<svg><style>a>b{c:url("{image a.example/dir/x}")}</style></svg>',
  ],
  ['a reference in a style sheet of html', '<style>a{b:&#117;rl(x)}</style>', '<style>a{b:&/**/#117;rl(x)}</style>'],
  [
    'svg that refers to things by address',
    '<svg><rect fill="url(http://c.example/#a)"/></svg>',
    '<svg><rect fill="url(&#34;{image c.example/}&#34;)"/></svg>',
  ],
  [
    'a script in svg',
    '<svg><script href=x /><a href=y>z</a></svg>',
    '<svg><a href="{page a.example/dir/y}">z</a></svg>',
  ],
  [
    'an animation that gives a link its address',
    '<svg><a><text>t</text><animate attributeName=href values="#;https:c.example/x" fill=freeze /><set attributeName="href" to="https:c.example"></set></a></svg>',
    '<svg><a><text>t</text></a></svg>',
  ],
  ['a section in svg', '<svg><![CDATA[<img src=x>]]></svg>', '<svg>&#60;img src=x&#62;</svg>'],
  [
    'unknown attributes',
    '<p data-a=1 data-b=//c.example foo="http://c.example/" bar="x:y" baz="/\t/c" class="md:flex">',
    '<p data-a="1" class="md:flex">',
  ],
  ['names that are none', '<p a"b=1 c<d=2 e=3><x"y><img/src=i>', '<p e="3"><img src="{image a.example/dir/i}">'],
  ['the same attribute twice', '<img src=a src=http://c.example/>', '<img src="{image a.example/dir/a}">'],
  ['a tag that is cut', 'a<img src="x', 'a'],
  ['a document type', '<!DOCTYPE html><p>', '<!DOCTYPE html><p>'],
  [
    'a template, a noscript',
    '<noscript><img src=i></noscript>',
    '<noscript><img src="{image a.example/dir/i}"></noscript>',
  ],
]

for (const [what, html, written] of CASES) test(`reading room: ${what}`, () => assert.equal(rewritten(html), written))

test('reading room: frames become links', () => {
  const frames = rewritten('<frameset cols=1><frame src=a.html title="Menu"><noframes><p>none</noframes></frameset>')
  assert.match(
    frames,
    /^<div cols="1"><a href="\{page a\.example\/dir\/a\.html\}" style="[^"]+">Frame: Menu<\/a><p>none<\/div>$/,
  )
  assert.match(
    rewritten('<iframe src=/f>no <b></iframe>z'),
    /^<a href="\{page a\.example\/f\}" style="[^"]+">Frame: \/f<\/a>z$/,
  )
  assert.equal(rewritten('<iframe srcdoc="<img src=x>"></iframe><iframe src="javascript:1"></iframe>'), '')
})

test('reading room: a page that led on by itself says where to', () => {
  const note = /<p style="[^"]+">Leads to <a href="\{page a\.example\/next\}">\/next<\/a><\/p>$/
  assert.match(rewritten('<meta http-equiv=Refresh content="0; url=/next">t'), note)
  assert.match(rewritten('t', { refresh: '5;url=/next' }), note)
})

test('reading room: a page whose style sheets are not archived gets a plain one, also beside a style of its own', () => {
  const linked = '<link rel=stylesheet href=s.css><p>t'
  assert.match(rewritten(linked, { hasStyle: false }), /:where\(body\)/)
  assert.ok(!rewritten(linked).includes(':where'))
  assert.match(
    rewritten(`${linked}<style>p{}</style>`, { hasStyle: false }),
    /<style>p\{\}<\/style><style>:where\(body\)/,
  )
  assert.ok(!rewritten('<p>t', { hasStyle: false }).includes(':where'))
})

test('reading room: XHTML is read as XML and written as HTML', () => {
  const xhtml = '<?xml version="1.0"?><html><title/><script/><div/><p><![CDATA[<b>]]></p><br/><img src="i"/></html>'
  assert.equal(
    rewritten(xhtml, { isXml: true }),
    '<html><div></div><p>&#60;b&#62;</p><br/><img src="{image a.example/dir/i}"/></html>',
  )
})

const NASTY = [
  ...[
    '<script>',
    '</script>',
    '<style>',
    '</style>',
    '<svg>',
    '</svg>',
    '<math>',
    '<mtext>',
    '<annotation-xml encoding=text/html>',
  ],
  ...[
    '<title>',
    '</title>',
    '<textarea>',
    '</textarea>',
    '<noscript>',
    '</noscript>',
    '<template>',
    '</template>',
    '<xmp>',
    '</xmp>',
  ],
  ...[
    '<iframe src=http://c.example/>',
    '</iframe>',
    '<!--',
    '-->',
    '--!>',
    '<![CDATA[',
    ']]>',
    '<?',
    '?>',
    '<!doctype x>',
    '<plaintext>',
  ],
  ...[
    '<img src=http://c.example/i onerror=alert(1)>',
    '<a href="http://c.example/">',
    "<a href='javascript:x'>",
    '</a>',
    '<p title="',
    '">',
    "'>",
  ],
  ...[
    '<select>',
    '<option>',
    '<table>',
    '<td background=http://c.example/>',
    '<frameset>',
    '<frame src=//c.example>',
    '<base href=//c.example/>',
  ],
  ...[
    '<form action=//c.example>',
    '<input formaction=//c.example type=image src=//c.example/>',
    '<object data=//c.example>',
    '<embed src=//c.example>',
  ],
  ...[
    '<link rel=stylesheet href=//c.example>',
    '<meta http-equiv=refresh content="0;url=//c.example">',
    '<use href=//c.example/#a>',
  ],
  ...[
    '<p style="background:url(//c.example/)">',
    '@import "//c.example/";',
    'url(//c.example)',
    '&#117;rl(//c.example)',
    'image-set(var(--x,"//c.example/"))',
    '--x:"http:c.example";',
    '&lt;img src=x&gt;',
    '\0',
    '<',
    '>',
    '/',
    '"',
    "'",
    '=',
    ' ',
    'x',
  ],
]
const ADDRESS_NAMES = new Set([
  'href',
  'xlink:href',
  'src',
  'srcset',
  'background',
  'action',
  'data',
  'poster',
  'formaction',
  'ping',
])

/** The addresses in a style sheet that do not lead into the archive, and the strings that could become one. In `[…]` they can't. */
function addressesIn(css: string): string[] {
  const reader = new CssReader(css)
  const found: string[] = []
  const text = css.includes('[') ? undefined : 'string'
  for (let token = reader.next(); token !== 'end'; token = reader.next()) {
    const isUnsafe = token === 'url' ? !/^(?:\{|#|$)/.test(reader.value) : /^(?:\/\/|http:)/.test(reader.value)
    if ((token === 'url' || token === text) && isUnsafe) found.push(reader.value)
  }
  return found
}

/** What a browser would find in a page that is not safe. */
function complaintsAbout(node: DefaultTreeAdapterTypes.Node): string[] {
  const found: string[] = []
  const open: DefaultTreeAdapterTypes.Node[] = [node]
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if ('childNodes' in one) open.push(...one.childNodes)
    if ('content' in one) open.push(one.content as DefaultTreeAdapterTypes.Node)
    if (one.nodeName === '#comment') found.push('a comment')
    if (!('tagName' in one)) continue
    const { tagName, attrs } = one
    if (
      /^(?:script|iframe|frame|object|embed|base|video|audio|xmp|plaintext|noframes|noembed|animate\w*|set)$/i.test(
        tagName,
      )
    )
      found.push(tagName)
    if (tagName === 'meta' && attrs.some(({ name }) => name === 'http-equiv')) found.push('http-equiv')
    for (const { name, value, prefix } of attrs) {
      const whole = prefix ? `${prefix}:${name}` : name
      if (whole.startsWith('on')) found.push(whole)
      if (ADDRESS_NAMES.has(whole) && !/^(?:#|\{\w+ |data:image)/.test(value))
        found.push(`${tagName} ${whole}=${value}`)
      if (/c\.example/.test(value.replace(/\{\w+ [^}]*\}/g, '')) && !['alt', 'title', 'value', 'class'].includes(whole))
        found.push(`${tagName} ${whole}=${value}`)
    }
    const text =
      tagName === 'style' && 'childNodes' in one
        ? one.childNodes.map(child => ('value' in child ? child.value : '')).join('')
        : ''
    found.push(...addressesIn(text))
  }
  return found
}

test('reading room: whatever a page consists of, a browser finds nothing in it that runs or leads out', () => {
  for (let seed = 1; seed <= 300 * SOAK; seed++) {
    const length = 1 + Math.floor(chanceAt(seed, 0) * 24)
    const html = Array.from({ length }, (_, i) => NASTY[Math.floor(chanceAt(seed, i + 1) * NASTY.length)]).join('')
    for (const isXml of [false, true]) {
      const out = rewritten(html, { isXml })
      // Scripts are off in the sandbox, so <noscript> is read as a browser without them does.
      assert.deepEqual(complaintsAbout(parse(out, { scriptingEnabled: false })), [], `seed ${seed}:\n${html}\n${out}`)
    }
  }
})

test('reading room: floods take linear time and end', () => {
  const floods = [
    '<'.repeat(1 << 20),
    '<a href=a>'.repeat(100_000),
    `<img srcset="${','.repeat(1 << 20)}">`,
    `<p style="${'url('.repeat(200_000)}">`,
    `<style>${'('.repeat(1 << 20)}</style>`,
    `<style>${'\\'.repeat(1 << 20)}</style>`,
    `<p ${'a '.repeat(500_000)}>`,
    '<svg>'.repeat(200_000),
    '<script>'.repeat(100_000),
    '<![CDATA['.repeat(100_000),
    `<a href="${'&'.repeat(1 << 20)}">`,
  ]
  for (const flood of floods) {
    const startMs = process.cpuUsage().user
    rewritten(flood)
    const tookMs = (process.cpuUsage().user - startMs) / 1000
    assert.ok(tookMs < 3000, `${flood.slice(0, 30)}: ${tookMs} ms`)
  }
})
