// What an action may change, as it comes from a socket or a browser.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EscalonaError } from '../../src/base/errors.ts'
import { givenIn, namedHosts } from '../../src/folder/run-plan.ts'
import type { SettingsChange } from '../../src/settings/actions.ts'
import { checkedOptions } from '../../src/settings/check-options.ts'
import { checkedAction } from '../../src/settings/checked-action.ts'
import { namedSettings, readNamed } from '../../src/settings/setting-texts.ts'
import { CHANGEABLE } from '../../src/settings/settings-table.ts'

const ODD: readonly unknown[] = [
  ...[-1, -0, 0, 1e-9, 1e-7, 1e-6, 1 / 3, 1 / 15, 0.1 + 0.2, 0.7, 1, 1.5, 4 / 60, 255, 86_400_001, 123_456.789_012],
  ...[2 ** 31, 2 ** 53 - 1, 2 ** 53, 1e15, 1e16, 1e21, 1e22, 1e300, Infinity, Number.NaN, null],
  ...['', 'any', 'none', 'explore', 'breadth', 'inherited', 'follow', 'changes', 'yes', '1e21'],
  ...[[], ['none'], ['none', 'none'], [''], ['*/a\nb', '"'], ['none '], [1e21]],
]

/** Undefined when it is refused. */
function accepted<Result>(check: () => Result): Result | undefined {
  try {
    return check()
  } catch (error) {
    assert.ok(error instanceof EscalonaError, String(error))
    return undefined
  }
}

test('steering: a setting that is accepted can be read back from the folder, whatever was sent', () => {
  const taken = new Set<string>()
  for (const name of CHANGEABLE) {
    for (const value of ODD) {
      const given = { kind: 'change settings', settings: { [name]: value } }
      const action = accepted(() => checkedAction(given, 0))
      if (action?.kind !== 'change settings') continue
      taken.add(name)
      const text = JSON.stringify(namedSettings(action.settings))
      const [back, meant] = [readNamed(JSON.parse(text)) as SettingsChange, action.settings].map(one => one[name])
      if (typeof meant === 'number') assert.ok(back === meant, `${name}: ${text}`)
      else assert.deepEqual(back, meant, `${name}: ${text}`)
    }
  }
  assert.deepEqual([...taken], [...CHANGEABLE], 'each can be changed')
})

test('steering: the delay of a host that is accepted can be read back from the folder', () => {
  let taken = 0
  for (const delayMs of ODD) {
    const action = accepted(() => checkedAction({ kind: 'change host', host: 'a.test', change: { delayMs } }, 0))
    if (action?.kind !== 'change host' || typeof action.change.delayMs !== 'number') continue
    taken++
    const hostSettings = namedHosts([{ host: 'a.test', delayMs: action.change.delayMs }])
    assert.ok(
      givenIn({ settings: {}, hostSettings }).hostSettings?.[0]?.delayMs === action.change.delayMs,
      `${delayMs}`,
    )
  }
  assert.ok(taken > 5)
})

test('ours: the library refuses settings that its folder could not keep', () => {
  for (const options of [
    { limit: 1e21 },
    { exploreChance: 1e-7 },
    { include: ['none'] },
    { contact: 'x'.repeat(300) },
    { hostSettings: [{ host: 'a.test', delayMs: 1e-7 }] },
  ])
    assert.throws(() => checkedOptions(options), { code: 'CRAWL_BAD_OPTIONS' }, JSON.stringify(options))
  const kept = { maxRequestsPerSecond: 4 / 60, delayMs: -0, hosts: new Map([['A.test', '127.0.0.1']]), contact: '' }
  assert.deepEqual(checkedOptions(kept).given, kept)
})
