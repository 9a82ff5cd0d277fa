import { folderOf, shownCount } from '../formats.ts'
import { Answered } from '../parts/answered.tsx'
import { Heading } from '../parts/heading.tsx'
import { Panel } from '../parts/panel.tsx'
import { WebText } from '../parts/web-text.tsx'
import { useAnswer } from '../use-answer.ts'
import type { CrawlNow, Settings, SettingView } from '../wire.ts'
import { ActionTable } from './action-table.tsx'
import { kindOf } from './setting-values.ts'
import { SettingsForm } from './settings-form.tsx'
import { settingsWords } from './settings-words.ts'

const MOST_VALUES = 6

/** What the crawl runs with, what can be changed now, and what was. */
export function SettingsPage({ now }: { now: CrawlNow | undefined }) {
  const asked = useAnswer<Settings>('/api/settings')
  const words = settingsWords()
  const folder = folderOf(now)
  const isOpen = now === undefined || now.state === 'running' || now.state === 'paused'
  const canEdit = (one: SettingView): boolean => isOpen && one.canChange && kindOf(one.setting) !== undefined
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
      {settings.map(({ setting, option, value, isDefault }) => (
        <div key={setting}>
          <dt>
            <code>{option}</code>
          </dt>
          <dd>
            <Values value={value} />
            {isDefault ? <small class="faint"> {words.isDefault}</small> : null}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** A long list is folded. */
function Values({ value }: { value: readonly string[] }) {
  if (value.length === 0) return <>–</>
  const texts = value.map(text => <WebText key={text} text={text} most={500} />)
  if (texts.length <= MOST_VALUES) return <>{texts}</>
  return (
    <details>
      <summary>{settingsWords().entries(shownCount(texts.length))}</summary>
      {texts}
    </details>
  )
}
