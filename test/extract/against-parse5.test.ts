// Random pages, and pages with the markup that trees are made for, read by us and by parse5.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RandomSource, seeds } from '../model/random-source.ts'
import { treeLinks } from './parse5-oracle.ts'
import { randomPage } from './random-page.ts'
import { read } from './read.ts'

const URL_OF_PAGE = 'http://a.com/x/y.html'

function ourLinks(html: string) {
  return read(html, { url: URL_OF_PAGE, wanted: { anchors: true } }).anchors!.map(({ url, text, rel }) => ({
    href: url.href,
    text,
    rel,
  }))
}

/** Where a tag that ends nothing divides words, we differ on purpose. */
function withoutBlanks(links: ReturnType<typeof ourLinks>) {
  return links.map(({ href, text, rel }) => ({ href, text: text.replaceAll(' ', ''), rel }))
}

test('parse5: links, their texts and rels are those of parse5', () => {
  const pages = [
    '<ul><li><a href=1>one<li><a href=2 rel="next  PREV">two</ul><p><a href=3>three</p><p>and more</p>',
    '<a href=1><div><p>block <b>in</b> a link</div></a><p><a href=2>a<i>b</a>c</i>d</p>',
    '<table><tr><td><a href=1>a</td><td>b<a href=2>c</table><a href=3><table><td>d</table>e</a>',
    '<div><a href=1><img src=x alt="an  image"></a><map><area href=2 alt=area></map><a href=3><img></a></div>',
    '<noscript><a href=1>no <b>script</b></a></noscript><svg><a xlink:href=2><text>in svg</text></a></svg>',
    '<!-- <a href=0>no</a> --><script>"<a href=0>"</script><textarea><a href=0></textarea><title><a href=0></title><a href=1>1',
    '<template><a href=0>no</a></template><a href=1>a<template>b</template>c</a><iframe src=2><a href=0></iframe>',
    '<base href=/b/ target=x><base href=/c/><meta http-equiv=Refresh content="0; url=1"><a href="2?a=1&amp;b=&#x32;&copy=3">x&nbsp;y&#10;z',
    '<a href="1" href="0">a</a><a\nHREF\n=\n"\n2\n">b</a><a/href=3/>c</a><a href=4 title=">">d</a><a href=\'5"\'>e</a>',
    '<button><a href=1>a</button>b<p><a href=2>c<button>d</a>e</button>',
    '<a href=1>open <a name=x>closes</a> it <a href=2>open to the end <h1>of the page</h1>',
  ]
  for (const html of pages) assert.deepEqual(ourLinks(html), treeLinks(html, URL_OF_PAGE), html)
})

test('parse5: links of random pages are those of parse5', t => {
  let count = 0
  for (const seed of seeds(t, 300, 300)) {
    const random = new RandomSource(seed)
    const extras = ['</a>', '</a>', '<img alt="an image">', '<a rel="NoFollow x" href=/n>', '<a>']
    const html = randomPage(random, { extras, isBroken: false })
    const where = `seed ${seed}: ${JSON.stringify(html)}`
    const ours = ourLinks(html)
    const theirs = treeLinks(html, URL_OF_PAGE)
    assert.deepEqual(
      ours.map(({ href, rel }) => href + rel),
      theirs.map(({ href, rel }) => href + rel),
      where,
    )
    // Without a tree nobody knows where an open link goes on after a <noscript> or a cell.
    if (!/<(?:noscript|td)\b/i.test(html)) assert.deepEqual(withoutBlanks(ours), withoutBlanks(theirs), where)
    count += ours.length
  }
  assert.ok(count > 1000)
})
