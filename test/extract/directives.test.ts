import assert from 'node:assert/strict'
import { test } from 'node:test'
import { read } from './read.ts'

/** The directives in force, in one word each. */
function inForce(html: string, robotsTags: string[] = [], agent = 'Escalona/1.0 (+http://a.com)'): string {
  const page = read(html, { robotsTags, agent })
  return (['noindex', 'nofollow', 'noarchive'] as const).filter(name => page[name]).join(' ')
}

test('rule 5.10: meta robots, for all and for us', () => {
  assert.equal(inForce('<meta name=robots content="noindex, NOFOLLOW">'), 'noindex nofollow')
  assert.equal(inForce('<META CONTENT=noarchive NAME=" Robots ">'), 'noarchive')
  assert.equal(inForce('<meta name=ESCALONA content=noindex><meta name=robots content=noarchive>'), 'noindex noarchive')
  assert.equal(inForce('<meta name=robots content="none">'), 'noindex nofollow')
  assert.equal(inForce('<meta name=robots content="noindex nofollow">'), 'noindex nofollow')
  assert.equal(inForce('<p>late<meta name=robots content="&#110;oindex">'), 'noindex')
})

test('rule 5.10: meta that is not for us, or says nothing', () => {
  const metas = [
    'name=googlebot content=none',
    'name=robots content="all, index, follow"',
    'name=robots',
    'content=none',
  ]
  for (const meta of [
    ...metas,
    'name=robots content="noindexed, xnofollow, unavailable_after: 1 Jan 2000"',
    'name="" content=none',
  ]) {
    assert.equal(inForce(`<meta ${meta}>`), '', meta)
  }
  for (const html of ['<!-- @ -->', '<template>@</template>', '<script>@</script>']) {
    assert.equal(inForce(html.replace('@', '<meta name=robots content=none>')), '', html)
  }
  assert.equal(inForce('<meta name="" content=none>', [], ''), '')
})

test('rule 5.10: X-Robots-Tag, for all and for us, in several headers and lists', () => {
  assert.equal(inForce('', ['noindex', 'NOARCHIVE , x']), 'noindex noarchive')
  assert.equal(inForce('', ['none']), 'noindex nofollow')
  assert.equal(inForce('', ['escalona: noindex, nofollow']), 'noindex nofollow')
  assert.equal(inForce('', ['ESCALONA : noindex', '*: noarchive']), 'noindex noarchive')
  assert.equal(inForce('', ['otherbot: noindex, nofollow']), '')
  assert.equal(inForce('', ['noarchive, otherbot: noindex, nofollow, escalona: nofollow']), 'nofollow noarchive')
  assert.equal(inForce('', ['unavailable_after: Wed, 25 Jun 2010 15:00:00 PST, noindex']), 'noindex')
  assert.equal(inForce('', ['max-snippet: 5, noarchive', '', ',', ':', 'a:b:noindex']), 'noarchive')
})

test('rule 5.10: nofollow of the page leaves all links out, counted; noindex and noarchive do not', () => {
  const links =
    '<a href=/1><a href=/2 rel=nofollow><meta http-equiv=refresh content="0;/3"><iframe src=mailto:x></iframe>'
  const { links: none, refusedLinks } = read(`${links}<meta name=robots content=nofollow>`)
  assert.deepEqual(none, [])
  assert.deepEqual(refusedLinks, { nofollow: 4 })
  assert.equal(read(links, { robotsTags: ['noindex, noarchive'] }).links.length, 2)
})
