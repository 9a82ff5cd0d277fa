import { useId, useRef, useState } from 'preact/hooks'
import { filled } from '../../../base/messages/filled.ts'
import { settingsMessages } from '../../../base/messages/settings-messages.ts'
import { language } from '../../../base/words/language.ts'
import {
  isList,
  isNumber,
  itemsIn,
  NONE,
  numberMistake,
  readNumber,
  shownTexts,
} from '../../../settings/number-kinds.ts'
import type { SettingRow } from '../../../settings/setting-row.ts'
import { isSetting, SETTINGS } from '../../../settings/settings-table.ts'
import type { SettingsRequest } from '../../../view/questions/action-shapes.ts'
import type { SettingView } from '../../../view/questions/crawl-shapes.ts'
import { type ApiError, act } from '../parts/api.ts'
import { perform } from '../parts/notices.tsx'
import { settingsWords } from './settings-words.ts'

/** Every setting that can be changed now; only those that were changed are sent. */
export function SettingsForm({ settings, again }: { settings: readonly SettingView[]; again: () => void }) {
  const words = settingsWords()
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({})
  const [error, setError] = useState('')
  /** What is wrong with which setting. */
  const [mistakes, setMistakes] = useState<Readonly<Record<string, string>>>({})
  const form = useRef<HTMLFormElement>(null)
  const [isBusy, setBusy] = useState(false)
  const changed = settings.filter(one => texts[one.setting] !== undefined && texts[one.setting] !== textOf(one))
  const save = async (event: Event): Promise<void> => {
    event.preventDefault()
    setError('')
    const read = changed.map(({ setting }) => [setting, settingValue(setting, texts[setting]!)] as const)
    const wrong = read.flatMap(([setting, value]) => (value instanceof Error ? [[setting, value.message]] : []))
    if (wrong.length > 0) return point(Object.fromEntries(wrong))
    setMistakes({})
    setBusy(true)
    try {
      await perform(() => act.changeSettings(Object.fromEntries(read) as SettingsRequest), words.saved)
      setTexts({})
      again()
    } catch (failure) {
      const { field, message } = failure as ApiError
      if (field !== undefined && changed.some(({ setting }) => setting === field)) point({ [field]: message })
      else setError(message)
    }
    setBusy(false)
  }
  /** Says at each field what is wrong, and leads to the first. */
  const point = (found: Readonly<Record<string, string>>): void => {
    setMistakes(found)
    const first = settings.find(({ setting }) => found[setting] !== undefined)
    form.current?.querySelector<HTMLElement>(`[name=${first?.setting}]`)?.focus()
  }
  return (
    <form ref={form} class="settings" aria-label={words.form} noValidate onSubmit={save}>
      {settings.map(one => (
        <Field
          key={one.setting}
          view={one}
          text={texts[one.setting] ?? textOf(one)}
          isChanged={changed.includes(one)}
          mistake={mistakes[one.setting]}
          onText={text => {
            setTexts({ ...texts, [one.setting]: text })
            setMistakes(({ [one.setting]: _, ...others }) => others)
          }}
        />
      ))}
      <p class="error" role="alert">
        {error}
      </p>
      <div class="buttons">
        <button type="submit" class="primary" disabled={isBusy || changed.length === 0}>
          {words.save}
        </button>
        <button
          type="button"
          disabled={changed.length === 0}
          onClick={() => {
            setTexts({})
            setMistakes({})
          }}
        >
          {words.reset}
        </button>
      </div>
    </form>
  )
}

/** As it is shown in its field; an empty list is an empty field. */
function textOf({ setting, value }: SettingView): string {
  return hasLines(setting) && value[0] === NONE ? '' : value.join('\n')
}

interface FieldProps {
  readonly view: SettingView
  readonly text: string
  readonly isChanged: boolean
  readonly mistake: string | undefined
  readonly onText: (text: string) => void
}

function Field({ view: { setting, option, choices }, text, isChanged, mistake, onText }: FieldProps) {
  const id = useId()
  const words = settingsWords()
  const shared = {
    id,
    name: setting,
    value: text,
    'aria-describedby': mistake === undefined ? `${id}-about` : `${id}-mistake ${id}-about`,
    'aria-invalid': mistake !== undefined,
  }
  return (
    <div class={`setting ${isChanged ? 'changed' : ''} ${mistake === undefined ? '' : 'wrong'}`}>
      <label for={id}>
        {labelOf(setting)} <code>{option}</code>
      </label>
      {choices !== undefined ? (
        <select {...shared} onChange={event => onText(event.currentTarget.value)}>
          {choices.map(choice => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      ) : hasLines(setting) ? (
        <textarea
          {...shared}
          rows={Math.min(8, Math.max(2, text.split('\n').length))}
          spellcheck={false}
          placeholder={NONE}
          onInput={event => onText(event.currentTarget.value)}
        />
      ) : (
        <input
          {...shared}
          type="text"
          autocomplete="off"
          spellcheck={false}
          onInput={event => onText(event.currentTarget.value)}
        />
      )}
      {mistake === undefined ? null : (
        <p id={`${id}-mistake`} class="error">
          {mistake}
        </p>
      )}
      <small id={`${id}-about`} class="faint">
        {rowOf(setting)?.about[language()]}
        {hasLines(setting) ? `; ${words.oneEach}` : ''}
      </small>
    </div>
  )
}

// How each changeable setting is written by people, and what the API wants.

/** The row of a setting; undefined when this page does not know it. */
export function rowOf(setting: string): SettingRow | undefined {
  return isSetting(setting) ? SETTINGS[setting] : undefined
}

/** What people call a setting; empty when this page does not know it. */
export function labelOf(setting: string): string {
  return rowOf(setting)?.label?.[language()] ?? ''
}

function hasLines(setting: string): boolean {
  const row = rowOf(setting)
  return row !== undefined && isList(row)
}

/** A setting and its value as they are written on the command line: `--delay 2s`. JSON has null for no limit. */
export function optionText(setting: string, value: unknown): string {
  const row = rowOf(setting)
  return row === undefined
    ? `${setting} ${String(value)}`
    : [`--${row.option}`, ...shownTexts(row, value ?? Infinity)].join(' ')
}

/** What was typed, as the API wants it; an error when it cannot be read, or is out of range. */
function settingValue(setting: string, text: string): unknown {
  const row = rowOf(setting)
  if (row !== undefined && isNumber(row)) {
    const number = readNumber(row, text.trim())
    if (number !== undefined) return number
    const { key, values } = numberMistake(row, text.trim())
    return new Error(filled(settingsMessages()[key], values, language()))
  }
  if (row === undefined || !isList(row)) return text
  const lines = text.split('\n').map(line => line.trim())
  return lines.filter(line => line !== '' && line !== NONE).flatMap(line => itemsIn(row, line))
}
