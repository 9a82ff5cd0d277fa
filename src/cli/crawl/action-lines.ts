import { catalogue } from '../../base/words/language.ts'
import { printable } from '../../base/words/printable.ts'
import { shownCount, shownDuration, shownTime } from '../../base/words/quantity.ts'
import type { Action, ActionResult, SettingsChange } from '../../settings/actions.ts'
import { showSetting } from '../../settings/setting-texts.ts'
import { isChangeable, WRITTEN_SETTINGS } from '../../settings/settings-table.ts'

/** A list of patterns is cut after this many. */
const MOST_VALUES = 3

const words = catalogue({
  en: {
    pause: (command: string) => `paused; to go on: ${command}`,
    resume: 'going on after a pause',
    stop: 'stopping: somebody asked for it; open requests are finished first',
    seeds: (count: number) => (count === 1 ? '1 seed added' : `${shownCount(count)} seeds added`),
    requeued: (count: number) =>
      count === 1 ? '; 1 link is back in the queue' : `; ${shownCount(count)} links are back in the queue`,
    changed: (changes: string) => `changed: ${changes}`,
    delay: (delay: string) => `delay ${delay}`,
    noDelay: 'the delay of the crawl',
    blocked: (until: string) => `blocked until ${until}`,
    released: 'may be asked at once',
    cleared: (count: number) => (count === 1 ? '1 link cleared' : `${shownCount(count)} links cleared`),
  },
  pt: {
    pause: (command: string) => `em pausa; para continuar: ${command}`,
    resume: 'continua depois de uma pausa',
    stop: 'parando: alguém pediu; antes terminam as requisições abertas',
    seeds: (count: number) => (count === 1 ? '1 semente acrescentada' : `${shownCount(count)} sementes acrescentadas`),
    requeued: (count: number) =>
      count === 1 ? '; 1 link voltou à fila' : `; ${shownCount(count)} links voltaram à fila`,
    changed: (changes: string) => `mudou: ${changes}`,
    delay: (delay: string) => `intervalo ${delay}`,
    noDelay: 'o intervalo da coleta',
    blocked: (until: string) => `bloqueado até ${until}`,
    released: 'pode ser visitado imediatamente',
    cleared: (count: number) => (count === 1 ? '1 link descartado' : `${shownCount(count)} links descartados`),
  },
})

/** A line about what a person did to the crawl. `command`: continues it. */
export function actionLine(action: Action, result: ActionResult, command: string, nowMs: number): string {
  const { requeued = 0, seeds = 0, cleared } = result
  const back = requeued > 0 ? words().requeued(requeued) : ''
  switch (action.kind) {
    case 'pause':
      return words().pause(command)
    case 'resume':
      return words().resume
    case 'stop':
      return words().stop
    case 'add seeds':
      return words().seeds(seeds) + back
    case 'change settings':
      return words().changed(shownSettings(action.settings)) + back
    case 'change host': {
      const { delayMs, blockedUntilMs } = action.change
      const parts: string[] = []
      if (delayMs !== undefined) parts.push(delayMs === null ? words().noDelay : words().delay(shownDuration(delayMs)))
      if (blockedUntilMs !== undefined) {
        const isBlocked = blockedUntilMs !== null && blockedUntilMs > nowMs
        parts.push(isBlocked ? words().blocked(shownTime(blockedUntilMs, nowMs)) : words().released)
      }
      if (cleared !== undefined) parts.push(words().cleared(cleared))
      return `${printable(action.host)}: ${parts.join(', ')}`
    }
  }
}

function shownSettings(change: SettingsChange): string {
  const shown = WRITTEN_SETTINGS.flatMap(row => {
    const value = isChangeable(row.name) ? change[row.name] : undefined
    if (value === undefined) return []
    const values = showSetting(row, value)
    const more = values.length > MOST_VALUES ? ', …' : ''
    return [`${row.option} ${values.slice(0, MOST_VALUES).map(printable).join(', ')}${more}`]
  })
  return shown.join('; ')
}
