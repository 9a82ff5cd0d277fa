import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, stringify } from 'smol-toml'
import { replaceFile } from '../base/files/whole-file.ts'
import { catalogue } from '../base/words/language.ts'
import { type NamedSettings, namedSettings } from '../settings/setting-texts.ts'
import type { CrawlSettings } from '../settings/settings.ts'
import { WRITTEN_SETTINGS } from '../settings/settings-table.ts'
import type { NamedHostSettings } from './crawl-file.ts'
import { givenIn, namedHosts } from './run-plan.ts'

export const CONFIG_FILE = 'crawl.toml'

const words = catalogue({
  en: {
    head: 'The settings of the newest run of this crawl; escalona crawl --config accepts this file.',
    defaults: 'Defaults:',
  },
  pt: {
    head: 'As configurações da execução mais nova desta coleta; escalona crawl --config aceita este arquivo.',
    defaults: 'Valores padrão:',
  },
})

/** Given settings as settings, defaults as comments, no secrets. `frontier`: where it is, if not in the folder. */
export function writeConfig(
  folder: string,
  settings: CrawlSettings,
  given: Partial<CrawlSettings>,
  frontier: string | undefined,
): void {
  const named = { ...(frontier !== undefined && { frontier }), ...namedSettings(given) }
  const hosts = namedHosts(settings.hostSettings)
  const defaults = WRITTEN_SETTINGS.filter(({ key }) => !(key in named))
  const comments = defaults.map(({ name }) => `# ${stringify(namedSettings({ [name]: settings[name] })).trim()}`)
  const text = [
    `# ${words().head}`,
    stringify(named).trim(),
    `# ${words().defaults}`,
    ...comments,
    Object.keys(hosts).length === 0 ? '' : stringify({ hosts }).trim(),
  ]
  replaceFile(join(folder, CONFIG_FILE), write =>
    write(Buffer.from(`${text.filter(part => part !== '').join('\n')}\n`)),
  )
}

/** Reads back what `writeConfig` wrote; undefined if there is nothing, or nothing that can be read. */
export function readConfig(folder: string): Partial<CrawlSettings> | undefined {
  try {
    const { hosts = {}, ...settings } = parse(readFileSync(join(folder, CONFIG_FILE), 'utf8'))
    return givenIn({
      settings: settings as NamedSettings,
      hostSettings: hosts as Readonly<Record<string, NamedHostSettings>>,
    })
  } catch {
    return undefined
  }
}

/** Where `crawl.toml` says that the frontier is; undefined: in the folder, or nothing can be read. */
export function frontierInConfig(folder: string): string | undefined {
  try {
    const { frontier } = parse(readFileSync(join(folder, CONFIG_FILE), 'utf8'))
    return typeof frontier === 'string' ? frontier : undefined
  } catch {
    return undefined
  }
}
