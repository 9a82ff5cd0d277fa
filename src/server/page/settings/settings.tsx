import type { ListedSettings, SettingView } from '../../../view/questions/crawl-shapes.ts'
import { useAnswer } from '../parts/api.ts'
import { folderOf, shownCount } from '../parts/formats.ts'
import { type Live, steerable } from '../parts/live.ts'
import { Answered, Heading, Panel } from '../parts/panel.tsx'
import { WebText } from '../parts/web-text.tsx'
import { ActionTable } from './action-table.tsx'
import { labelOf, rowOf, SettingsForm } from './settings-form.tsx'
import { settingsWords } from './settings-words.ts'

const MOST_VALUES = 6

/** What the crawl runs with, what can be changed now, and what was. */
export function SettingsPage({ live }: { live: Live }) {
  const asked = useAnswer<ListedSettings>('/api/settings')
  const words = settingsWords()
  const folder = folderOf(live.now)
  const isOpen = steerable(live) !== undefined
  // Saving sends the whole list: one that is not shown whole would lose the rest.
  const canEdit = (one: SettingView): boolean =>
    isOpen && one.canChange && rowOf(one.setting)?.changeable === true && !isCut(one)
  return (
    <>
      <div class="page-head">
        <Heading title={words.title}>{words.title}</Heading>
      </div>
      <Answered asked={asked}>
        {({ items }) => {
          const others = (
            <Panel title={words.others}>
              <p class="faint command">{isOpen ? words.othersHint(folder) : words.readOnly(folder)}</p>
              <SettingList settings={items.filter(one => !canEdit(one))} />
            </Panel>
          )
          if (!items.some(canEdit)) {
            return (
              <div class="two">
                {others}
                <ActionTable />
              </div>
            )
          }
          return (
            <div class="two">
              <Panel title={words.changeable}>
                <SettingsForm settings={items.filter(canEdit)} again={asked.again} />
              </Panel>
              <div class="stack">
                <ActionTable />
                {others}
              </div>
            </div>
          )
        }}
      </Answered>
    </>
  )
}

function SettingList({ settings }: { settings: readonly SettingView[] }) {
  const words = settingsWords()
  return (
    <dl class="fields">
      {settings.map(one => (
        <div key={one.setting}>
          <dt>
            {labelOf(one.setting)} <code>{one.option}</code>
          </dt>
          <dd>
            <Values view={one} />
            {one.isDefault ? <small class="faint"> {words.isDefault}</small> : null}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function isCut({ value, valueCount }: SettingView): boolean {
  return valueCount > value.length
}

function Values({ view }: { view: SettingView }) {
  const { value, valueCount } = view
  const words = settingsWords()
  if (value.length === 0) return <>–</>
  const texts = value.map(text => <WebText key={text} text={text} most={500} />)
  if (valueCount <= MOST_VALUES) return <>{texts}</>
  return (
    <details>
      <summary>{words.entries(shownCount(valueCount))}</summary>
      {isCut(view) ? <p class="faint">{words.firstOnes(shownCount(value.length))}</p> : null}
      {texts}
    </details>
  )
}
