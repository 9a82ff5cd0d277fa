import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rewrittenCss } from './rewritten.ts'

const CASES: readonly (readonly [what: string, css: string, written: string])[] = [
  ['an address without quotes', 'a{b:url( x.png )}', 'a{b:url("{image a.example/dir/x.png}")}'],
  [
    'an address in quotes',
    `a{b:url("x") url('y')}`,
    'a{b:url("{image a.example/dir/x}") url("{image a.example/dir/y}")}',
  ],
  ['an import', '@import "i.css" screen;p{}', '@import "{style a.example/dir/i.css}" screen;p{}'],
  ['an import by url()', '@IMPORT URL(i.css);a{b:"c"}', '@IMPORT url("{style a.example/dir/i.css}");a{b:"c"}'],
  [
    'a font',
    '@font-face{src:url(f)}a{b:url(i)}',
    '@font-face{src:url("{font a.example/dir/f}")}a{b:url("{image a.example/dir/i}")}',
  ],
  [
    'a set of images',
    `a{b:image-set("x" 1x, url(y) 2x) "z"}`,
    'a{b:image-set("{image a.example/dir/x}" 1x, url("{image a.example/dir/y}") 2x) "z"}',
  ],
  ['escapes in the name', 'a{b:\\75 r\\6c(x)}', 'a{b:url("{image a.example/dir/x}")}'],
  ['escapes in the address', 'a{b:url(ht\\74 p://c.example/)}', 'a{b:url("{image c.example/}")}'],
  ['an address that is none', 'a{b:url(javascript:x) url(//)}', 'a{b:url("") url("")}'],
  ['a thing of the page', 'a{filter:url(#f)}', 'a{filter:url("#f")}'],
  ['data', 'a{b:url(data:image/png;base64,AA==)}', 'a{b:url("data:image/png;base64,AA==")}'],
  [
    'data with quotes and markup',
    `a{b:url('data:image/svg+xml,<svg a="b">')}`,
    'a{b:url("data:image/svg+xml,\\3c svg a=\\22 b\\22 \\3e ")}',
  ],
  ['text stays text', 'a::after{content:"http://c.example/ url(x)"}', 'a::after{content:"http://c.example/ url(x)"}'],
  ['comments', 'a/* url(x) */b{c:d/**/e}', 'a/**/b{c:d/**/e}'],
  ['the end of a style element', 'a{}</style><img src=x>', 'a{}\\3c /style>\\3c img src=x>'],
  ['a string that does not end', 'a{b:"c\n}d{e:url(x)}', 'a{b:"c"\n}d{e:url("{image a.example/dir/x}")}'],
  ['an address that does not end', 'a{b:url(x', 'a{b:url("{image a.example/dir/x}")'],
  [
    'strings that var() brings to where they are addresses',
    'a{--x:"//c.example/" ;b:image-set(var(--x,"ht\\74p://c.example/y"))}',
    'a{--x:"{image c.example/}" ;b:image-set(var(--x,"{image c.example/y}"))}',
  ],
  [
    'strings in env(), if() and functions to come',
    'a{b:image-set(env(x,"//c.example/")) if(media(print):"//c.example/";else:x("\\\\\\\\c.example/"))}',
    'a{b:image-set(env(x,"{image c.example/}")) if(media(print):"{image c.example/}";else:x("{image c.example/}"))}',
  ],
  [
    'strings in rules that bring them elsewhere',
    '@property --x{syntax:"<string>";initial-value:"//c.example/"}@function --f(){result:"/y"}',
    '@property --x{syntax:"\\3c string\\3e ";initial-value:"{image c.example/}"}@function --f(){result:"{image a.example/y}"}',
  ],
  [
    'attributes as addresses',
    'a{b:image-set(attr(title));--c:attr(d)}',
    'a{b:image-set(no-attr(title));--c:no-attr(d)}',
  ],
  [
    'what content shows, directly or by var() and counters()',
    'a{content:"a: b/" attr(title) var(--x,"/c/") counters(d,": ");}',
    'a{content:"a: b/" attr(title) var(--x,"/c/") counters(d,": ");}',
  ],
  [
    'what only looks like content',
    'a{--content:"//c.example/";b:content"//c.example/";content:f("//c.example/") image-set(var(--x,"//c.example/"))}',
    'a{--content:"{image c.example/}";b:content"{image c.example/}";content:f("{image c.example/}") image-set(var(--x,"{image c.example/}"))}',
  ],
  [
    'values of attribute selectors and media types',
    'a[href^="http://c.example"]{b:image-set("x" type("image/avif"))}',
    'a[href^="http://c.example"]{b:image-set("{image a.example/dir/x}" type("image/avif"))}',
  ],
  ['a lone slash, and words', 'a{--d:"/";--e: "a b"}', 'a{--d:"/";--e: "a b"}'],
  ['an ampersand never begins a reference', '&a{b:"&#117;rl(x)"}', '&/**/a{b:"\\26 #117;rl(x)"}'],
  ['a sign that ends nothing', 'a{b:f([)"/x/"];c:"/y"}', 'a{b:f([)"/x/"];c:"{image a.example/y}"}'],
  [
    'a letter before url that is not part of its name everywhere',
    'a{b:\u00d7url(x)}',
    'a{b:url("{image a.example/dir/x}")}',
  ],
  ['other functions', 'a{b:translate(1px,2px) calc(1px + (2px))}', 'a{b:translate(1px,2px) calc(1px + (2px))}'],
]

for (const [what, css, written] of CASES)
  test(`reading room: in style sheets, ${what}`, () => assert.equal(rewrittenCss(css), written))
