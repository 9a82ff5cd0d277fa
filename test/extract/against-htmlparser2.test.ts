// Random pages, read by us and by htmlparser2. Where the two differ on purpose, markup.test.ts has the standard's rule.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { extract } from '../../src/extract/extract.ts'
import { RandomSource, seeds } from '../model/random-source.ts'
import { naivePage } from './htmlparser2-oracle.ts'
import { randomPage } from './random-page.ts'

const URL_OF_PAGE = 'http://a.com/x/y.html'
/** Markup that htmlparser2 reads as the standard does. */
const EXTRAS = [
  '<!-- x -->',
  '<!-- <a href=no> -->',
  '<!doctype html>',
  '<?php echo 1 ?>',
  '<a href=z href=w>',
  '<a/href=y>',
]

test('ours: title, words and links are those that htmlparser2 finds', t => {
  let links = 0
  for (const seed of seeds(t, 2000, 2000)) {
    const random = new RandomSource(seed)
    // Behind the first 20 words they are only counted, which is done in another way.
    const start = random.chance(0.5) ? '' : 'word '.repeat(20)
    const html = start + randomPage(random, { extras: EXTRAS, isBroken: false })
    const ours = extract({
      body: Buffer.from(html),
      url: URL_OF_PAGE,
      contentType: 'text/html; charset=utf-8',
      robotsTags: [],
      agent: 'escalona',
    })
    const naive = naivePage(html, URL_OF_PAGE)
    const where = `seed ${seed}: ${JSON.stringify(html)}`
    assert.equal(ours.title, naive.title, where)
    assert.equal(ours.tokens, naive.words.length, where)
    assert.equal(ours.opening, naive.words.slice(0, 20).join(' '), where)
    assert.deepEqual(
      ours.links.map(link => link.href),
      naive.links,
      where,
    )
    links += naive.links.length
  }
  assert.ok(links > 1000)
})
