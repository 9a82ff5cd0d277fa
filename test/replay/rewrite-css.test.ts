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
  ['other functions', 'a{b:translate(1px,2px) calc(1px + (2px))}', 'a{b:translate(1px,2px) calc(1px + (2px))}'],
]

for (const [what, css, written] of CASES)
  test(`issue 13.F: in style sheets, ${what}`, () => assert.equal(rewrittenCss(css), written))
