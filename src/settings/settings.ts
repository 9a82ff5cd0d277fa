import { EscalonaError } from '../base/errors.ts'
import { type Message, message } from '../base/messages/message.ts'
import { exactDuration } from '../base/words/quantity.ts'
import { parseNetwork } from '../fetch/address-guard.ts'
import { Proxies } from '../fetch/proxies.ts'
import { certificatesIn } from '../fetch/securely.ts'
import { productToken } from '../robots/groups.ts'
import { checkHostSettings } from './host-settings.ts'
import { checkLanguages, checkPatternSets } from './list-checks.ts'
import { isNumber, NUMBER_KINDS } from './number-kinds.ts'
import type { Basis } from './setting-row.ts'
import { isUserAgent } from './setting-texts.ts'
import { ALL_SETTINGS, type CrawlSettings, type Setting } from './settings-table.ts'

export type { CrawlSettings } from './settings-table.ts'

/** Fills in defaults for settings that are missing or undefined. Throws if a value is out of range. */
export function settingsWith(given: Partial<CrawlSettings>, cores: number, version: string): CrawlSettings {
  for (const row of ALL_SETTINGS) if (given[row.name] !== undefined) checkValue(row, given[row.name])
  return completeSettings(given, cores, version)
}

/** The same for values that were checked one by one. Throws if they are not valid together. */
export function completeSettings(given: Partial<CrawlSettings>, cores: number, version: string): CrawlSettings {
  const settings: Record<string, unknown> = { cores, version }
  for (const row of ALL_SETTINGS) settings[row.name] = given[row.name] ?? row.default
  for (const { name } of ALL_SETTINGS) {
    const value = settings[name]
    if (typeof value === 'function') settings[name] = value(settings as unknown as Basis)
  }
  const { cores: _, version: __, ...rest } = settings
  const whole = rest as unknown as CrawlSettings
  const all = { ...whole, userAgent: withContact(whole), workers: Math.min(whole.workers, whole.concurrency) }
  checkTogether(all)
  return all
}

/** The User-Agent as it is sent. */
function withContact({ userAgent, contact }: CrawlSettings): string {
  return contact === '' || userAgent.includes(contact) ? userAgent : `${userAgent} (+${contact})`
}

function checkTogether({ recrawlMinMs, recrawlMaxMs, userAgent }: CrawlSettings): void {
  if (recrawlMinMs > recrawlMaxMs) {
    const rule = message('settings/at-most', { other: 'recrawlMaxMs', value: exactDuration(recrawlMaxMs) })
    throw wrong('recrawlMinMs', rule, exactDuration(recrawlMinMs))
  }
  if (!isUserAgent(userAgent)) throw wrong('userAgent', message('settings/agent'), userAgent)
}

/** Throws unless a value is one that the setting may have. Its type is taken for granted. */
export function checkValue(row: Setting, value: unknown): void {
  if (isNumber(row)) {
    const [least, most] = row.range
    const { isWhole } = NUMBER_KINDS[row.kind]
    const isInside = (value as number) >= least && (value as number) <= most
    if (!isInside || (isWhole && value !== Infinity && !Number.isInteger(value)))
      throw wrong(
        row.name,
        message(`range/${isWhole ? 'whole' : 'number'}-${most === Infinity ? 'from' : 'between'}`, { least, most }),
        value,
      )
  }
  switch (row.kind) {
    case 'choice':
    case 'switch':
      if (!row.choices.includes(value as string))
        throw wrong(row.name, message('settings/one-of', { names: row.choices }), value)
      return
    case 'agent':
      if (!isUserAgent(value as string)) throw wrong(row.name, message('settings/agent'), value)
      return
    case 'patterns':
      checkPatternSets(row.name, value as readonly string[])
      return
    case 'languages':
      checkLanguages(row.name, value as readonly string[])
      return
    case 'networks':
      for (const network of value as CrawlSettings['allowNetworks']) parseNetwork(network)
      return
    case 'certificates':
      for (const text of value as CrawlSettings['ca']) certificatesIn(text)
      return
    case 'hosts':
      checkHostSettings(value as CrawlSettings['hostSettings'])
      return
    case 'proxy':
      new Proxies(value as CrawlSettings['proxy'])
  }
}

function wrong(name: string, rule: Message, value: unknown): Error {
  return new EscalonaError('CRAWL_BAD_SETTING/wrong', { name, rule, value: String(value) })
}

/** The product token of RFC 9309: `escalona` from `escalona/1.0 (+https://…)`. */
export function agentOf(userAgent: string): string {
  return productToken(userAgent)
}
