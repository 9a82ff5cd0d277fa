import assert from 'node:assert/strict'
import { test } from 'node:test'
import { settingsWith } from '../../src/settings/settings.ts'
import { settingViews } from '../../src/view/shown-answers.ts'

test('settings: a list that people can change is shown whole; a longer one says how many values it has', () => {
  const patterns = (count: number) => Array.from({ length: count }, (_, i) => `*/${i}/*`)
  const hosts = new Map(patterns(1200).map(name => [name, '127.0.0.1']))
  const given = { include: patterns(1000), exclude: patterns(1001), hosts }
  const views = settingViews(settingsWith(given, 2, '1.0'), { settings: { include: given.include } }, () => true)
  const shown = (setting: string) => {
    const view = views.find(one => one.setting === setting)
    return [view?.value.length, view?.valueCount, view?.isDefault, view?.canChange]
  }
  assert.deepEqual(shown('include'), [1000, 1000, false, true])
  assert.deepEqual(shown('exclude'), [1000, 1001, true, true])
  assert.deepEqual(shown('hosts'), [1000, 1200, true, false])
  assert.deepEqual(shown('limit'), [1, 1, true, true])
})
