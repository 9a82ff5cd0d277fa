// Everything that knows settings knows each row of the table, and keeps to its bounds.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { EscalonaError } from '../../src/base/errors.ts'
import { inLanguage } from '../../src/base/words/language.ts'
import { CRAWL } from '../../src/cli/crawl/crawl-command.ts'
import { readCrawlOptions } from '../../src/cli/crawl/crawl-options.ts'
import { helpPage } from '../../src/cli/terminal/option-table.ts'
import { writeConfig } from '../../src/folder/config-file.ts'
import { STRATEGY_NAMES } from '../../src/scheduler/strategy.ts'
import { openApi } from '../../src/server/api/openapi.ts'
import { checkedAction } from '../../src/settings/checked-action.ts'
import { MOST_PATTERN_CHARS, MOST_PATTERNS } from '../../src/settings/setting-row.ts'
import { type CrawlSettings, settingsWith } from '../../src/settings/settings.ts'
import { ALL_SETTINGS, CHANGEABLE, SETTINGS, WRITTEN_SETTINGS } from '../../src/settings/settings-table.ts'
import { escalona, temporaryFolder } from '../cli/run-cli.ts'

const OPTIONS = ALL_SETTINGS.flatMap(row => (row.option === undefined ? [] : [row.option]))

test('settings: each row is on the help page of both languages, with what it is about', () => {
  for (const language of ['en', 'pt'] as const) {
    const page = inLanguage(language, () => helpPage(CRAWL.options, CRAWL.help())).replaceAll(/\s+/g, ' ')
    for (const { option, about } of ALL_SETTINGS) {
      if (option === undefined) continue
      const [, ...mentioned] = page.split(` --${option} `)
      const isTold = mentioned.some(text => text.slice(0, about[language].length + 20).includes(about[language]))
      assert.ok(isTold, `${language}: --${option}`)
    }
  }
})

test('settings: each row is completed by every shell, with its choices', () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const script = escalona(['completion', shell]).stdout.toString()
    for (const option of OPTIONS) assert.ok(script.includes(shell === 'fish' ? `-l ${option}` : `--${option}`), option)
    for (const row of ALL_SETTINGS)
      if (row.kind === 'choice') assert.ok(script.includes(row.choices.join(' ')), `${shell}: ${row.option}`)
  }
})

test('settings: crawl.toml has each row that is written, and is read back as it was', t => {
  const folder = temporaryFolder(t)
  const settings = settingsWith({}, 2, '1.0')
  const given = Object.fromEntries(WRITTEN_SETTINGS.map(({ name }) => [name, settings[name]]))
  const path = join(folder, 'crawl.toml')
  const read = () => readCrawlOptions(['ufmg.br', '--config', path], {}).given
  writeConfig(folder, settings, given, undefined)
  assert.deepEqual(read(), given)
  writeConfig(folder, settings, {}, undefined)
  assert.deepEqual(read(), {}, 'defaults are comments')
  for (const { key } of WRITTEN_SETTINGS) assert.match(readFileSync(path, 'utf8'), new RegExp(`^# ${key} = `, 'm'))
})

/** What the API says that it accepts, and what the crawl accepts. */
const describes = new Ajv2020({ strict: false }).compile(
  (openApi() as { components: { schemas: Record<string, object> } }).components.schemas.SettingsChange!,
)
function accepts(settings: object): boolean {
  try {
    checkedAction({ kind: 'change settings', settings }, 0)
    return true
  } catch (error) {
    assert.ok(error instanceof EscalonaError, String(error))
    return false
  }
}

function probes(name: (typeof CHANGEABLE)[number]): readonly unknown[] {
  const row = SETTINGS[name]
  const strange = [null, '', 'x', -1, 1.5, true, {}, [5], ['a', 'b'], [['a']]]
  if ('choices' in row) return [...row.choices, ...strange]
  if (!('range' in row)) {
    const patterns = (count: number, length: number) => Array.from({ length: count }, () => 'a'.repeat(length))
    const [most, chars] = [MOST_PATTERNS, MOST_PATTERN_CHARS]
    if (row.kind === 'languages')
      return [
        [],
        ['pt'],
        ['pt', 'yue'],
        ['pt-br'],
        ['PT'],
        ['pt', 'x'],
        Array.from({ length: most + 1 }, () => 'pt'),
        ...strange,
      ]
    return [
      [],
      patterns(most, 1),
      patterns(most + 1, 1),
      patterns(1, chars),
      patterns(1, chars + 1),
      ['@forums'],
      ['@forum'],
      ['a@b'],
      ...strange,
    ]
  }
  const [least, most] = row.range
  const large = [Number.MAX_SAFE_INTEGER, 2 ** 53, 1e21, 1e300]
  return [least, least / 2, least - 1, least + 1, most === Infinity ? 7 : most, most + 1, ...large, ...strange].filter(
    value => value !== Infinity,
  )
}

test('settings: the API describes exactly what a running crawl accepts', () => {
  for (const name of CHANGEABLE) {
    const taken = probes(name).filter(value => {
      const change = { [name]: value }
      const isAccepted = accepts(change)
      assert.equal(describes(change), isAccepted, JSON.stringify(change).slice(0, 100))
      return isAccepted
    })
    assert.ok(taken.length > 1 && taken.length < probes(name).length, name)
  }
  for (const { name, changeable } of ALL_SETTINGS)
    if (changeable !== true) assert.deepEqual([describes({ [name]: 1 }), accepts({ [name]: 1 })], [false, false], name)
})

test('settings: the strategies are those of the scheduler, explore and important', () => {
  const names: readonly CrawlSettings['strategy'][] = SETTINGS.strategy.choices
  assert.deepEqual(names, ['explore', ...STRATEGY_NAMES, 'important'])
})
