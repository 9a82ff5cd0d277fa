import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setLanguage } from '../../src/base/words/language.ts'
import { waterfall } from '../../src/folder/stats/outcome-counts.ts'
import type { FrontierCounts } from '../../src/frontier/frontier.ts'
import { aboutReason, aboutUnfollowed, classOf, isReason, statusMeaning, undoneBy } from '../../src/settings/reasons.ts'

const COUNTS: FrontierCounts = {
  known: 100,
  waiting: 30,
  leased: 2,
  done: 40,
  pages: 35,
  planned: 0,
  due: 0,
  revisiting: 0,
  refused: 28,
  refusedFor: { robots: 3, 'status-404': 5, timeout: 4, 'status-503': 1, scope: 10, exclude: 2, address: 3 },
  down: 0,
  auxiliaries: 0,
  hosts: 9,
  turnedAway: { 'max-hosts': 0, 'domain-hosts': 0, 'page-hosts': 0 },
}

test('reasons: known = archived + redirected + each reason + waiting + leased', () => {
  const { known, archived, redirected, refused, failed, held, waiting, leased } = waterfall(COUNTS)
  assert.equal(archived + redirected + refused.count + failed.count + held.count + waiting + leased, known)
  assert.deepEqual([archived, redirected, refused.count, failed.count, held.count], [35, 5, 8, 5, 15])
  assert.deepEqual(held.reasons, [
    { reason: 'scope', count: 10 },
    { reason: 'address', count: 3 },
    { reason: 'exclude', count: 2 },
  ])
})

test('reasons: every reason has a class, a sentence and an advice, in both languages', t => {
  t.after(() => setLanguage('en'))
  const reasons = [
    ...Object.keys(COUNTS.refusedFor),
    'robots-timeout',
    'robots-status-500',
    'robots-unavailable',
    'status-418',
  ]
  for (const reason of reasons) {
    setLanguage('en')
    const english = aboutReason(reason)
    setLanguage('pt')
    const portuguese = aboutReason(reason)
    assert.equal(english.class, portuguese.class)
    for (const text of [english.sentence, english.advice, portuguese.sentence, portuguese.advice])
      assert.match(text, /^.+\.$/, reason)
    assert.notEqual(english.sentence, portuguese.sentence, reason)
  }
})

test('reasons: what a reason says is right for a status, a robots.txt, and a link that was not followed', () => {
  assert.equal(aboutReason('status-404').sentence, 'The host answered 404 Not Found.')
  assert.equal(statusMeaning('418'), '418 (client error)')
  assert.deepEqual(['status-404', 'status-429', 'status-500', 'robots-timeout', 'no such thing'].map(classOf), [
    'refused',
    'failed',
    'failed',
    'failed',
    'refused',
  ])
  assert.match(aboutReason('robots-timeout').sentence, /robots\.txt.*did not arrive in time/)
  assert.deepEqual([aboutReason('protocol').class, aboutUnfollowed('protocol').class], ['failed', 'not followed'])
  assert.equal(aboutReason('nofollow').class, 'not followed')
  assert.match(aboutReason('address').advice, /--allow-network/)
})

test('reasons: the settings that undo a refusal are known', () => {
  assert.deepEqual(undoneBy('scope'), ['scope'])
  assert.ok(undoneBy('address').includes('allowNetworks'))
  assert.deepEqual(undoneBy('robots'), ['userAgent'])
  assert.deepEqual(undoneBy('timeout'), [])
  assert.deepEqual(['timeout', 'status-404', 'held', 'toString'].map(isReason), [true, true, false, false])
})
