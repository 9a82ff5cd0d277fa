import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inLanguage } from '../../src/base/words/language.ts'
import { patternsHelp } from '../../src/cli/patterns-help.ts'
import { settingIn, settingMistakes } from '../../src/settings/check-options.ts'
import { checkedAction } from '../../src/settings/checked-action.ts'
import { PATTERN_SETS } from '../../src/settings/pattern-sets.ts'
import { urlPattern } from '../../src/settings/url-patterns.ts'
import { webUrl } from '../../src/url/web.ts'

/** Beside the examples of each form. */
const YES: Readonly<Record<string, readonly string[]>> = {
  '@calendars': [
    'https://a.org/events/2031/04',
    'https://a.org/pt/eventos/musica/2031-04-12/?lang=pt',
    'https://a.org/Calend%C3%A1rio/2031/4/',
    'https://a.org/events/month/',
    'https://a.org/calendar?date=20310412',
    'https://a.org/calendar/?view=week&start=2031-04-07',
    'https://a.org/?m=4&y=2031',
    'https://a.org/?cal_month=4&cal_year=2031',
    'https://a.org/page?tribe-bar-date=2031-04-01',
    'https://a.org/events/?ical=1',
  ],
  '@sessions': [
    'https://a.org/x?PHPSESSID=abc',
    'https://a.org/x?q=1&sessionid=9',
    'https://a.org/x?ASPSESSIONIDQQBCRT=AAAA',
    'https://a.org/x;JSESSIONID=8A.node1',
    'https://a.org/x?s=0123456789ABCDEF&t=7',
    'https://a.org/shop/(X(1)S(lit3py55t21z5v55vlm25s55))/',
  ],
  '@forums': [
    'https://a.org/ucp.php?mode=login',
    'https://a.org/f/memberlist.php',
    'https://a.org/f/viewtopic.php?f=2&t=7&view=print',
    'https://a.org/f/viewtopic.php?p=99',
    'https://a.org/member.php?u=12',
    'https://a.org/index.php?PHPSESSID=1&action=profile;u=3',
    'https://a.org/threads/a.1/post-77',
    'https://a.org/members/ana.17/',
    'https://a.org/posts/123/report',
    'https://a.org/t/hello/12/print',
    'https://a.org/login/',
  ],
}
const NO: Readonly<Record<string, readonly string[]>> = {
  '@calendars': [
    'https://a.org/',
    'https://a.org/events/',
    'https://a.org/events/2031/',
    'https://a.org/2031/04/12/a-post',
    'https://a.org/blog/2031/04/',
    'https://a.org/prevents/2031/04/',
    'https://a.org/events/2031/13/',
    'https://a.org/calendars-of-the-world/2031-history',
    'https://a.org/search?q=calendar&page=2',
    'https://a.org/album?year=2031&model=4',
    'https://a.org/medical=1',
  ],
  '@sessions': [
    'https://a.org/session/7',
    'https://a.org/?sid=abc',
    'https://a.org/?s=deadbeef',
    'https://a.org/?s=0123456789abcdefg',
    'https://a.org/?class=0123456789abcdef0',
    'https://a.org/?q=phpsessid',
    'https://a.org/?jsessionid=',
  ],
  '@forums': [
    'https://a.org/f/viewforum.php?f=2',
    'https://a.org/f/viewtopic.php?f=2&t=7&start=20',
    'https://a.org/showthread.php?t=1&page=2',
    'https://a.org/index.php?action=view',
    'https://a.org/threads/a.1/',
    'https://a.org/members/of-parliament',
    'https://a.org/research.php?x',
    'https://a.org/forums/login-problems.5/',
    'https://a.org/u/',
  ],
}

for (const [name, forms] of Object.entries(PATTERN_SETS)) {
  const { matches } = urlPattern(name)
  test(`patterns: ${name} matches what it says, and not what looks alike`, () => {
    for (const { like, unlike, matches: form } of forms) {
      assert.match(like, form)
      for (const href of unlike === undefined ? [] : [unlike]) assert.ok(!matches(href), href)
      for (const href of [like, unlike ?? like])
        assert.equal((webUrl(href) as { href: string }).href, href, 'canonical')
    }
    for (const href of YES[name]!) assert.ok(matches(href), href)
    for (const href of NO[name]!) assert.ok(!matches(href), href)
  })

  test(`patterns: ${name} takes no time on hostile URLs`, () => {
    const parts = ['/events/', '/calendar/2031-', '?year=1&', '&y=', ';s=0', '/(S(', 'A()', '/threads/a', '/t/', '&a']
    const startMs = process.cpuUsage().user
    for (const part of parts)
      for (const end of ['', '?', '!']) matches(`https://a.org${part.repeat(2000 / part.length)}${end}`)
    // Thirty URLs of 2,000 bytes: a few milliseconds; what is quadratic in each would take seconds.
    assert.ok((process.cpuUsage().user - startMs) / 1000 < 1000)
  })
}

test('patterns: the help page names every set with its examples, in both languages', () => {
  for (const language of ['en', 'pt'] as const) {
    const page = inLanguage(language, patternsHelp)
    for (const [name, forms] of Object.entries(PATTERN_SETS)) {
      assert.ok(page.includes(`\n${name}  `))
      for (const { like, unlike = like } of forms) assert.ok(page.includes(`${like}\n`) && page.includes(`${unlike}\n`))
    }
  }
})

test('patterns: a set that does not exist is an error that names the setting, for programs and the live page alike', () => {
  const [mistake] = settingMistakes('exclude', ['*.pdf', '@sesions'])
  assert.equal(mistake?.key, 'CRAWL_BAD_SETTING/no-set')
  assert.equal(settingIn(mistake!), 'exclude')
  assert.throws(() => checkedAction({ kind: 'change settings', settings: { include: ['@forum'] } }, 0), {
    code: 'CRAWL_BAD_SETTING',
    message: /^include: there is no set of patterns @forum; did you mean @forums\?/,
  })
  assert.deepEqual(settingMistakes('exclude', ['@sessions', 'https://a.org/@ana']), [])
})
