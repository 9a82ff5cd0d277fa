import { type Audit, audit } from '../../audit/audit.ts'
import { type Breach, breachesOf, COURSE_DELAY_MS, type Rules } from '../../audit/breaches.ts'
import type { HostAudit } from '../../audit/host-audit.ts'
import { systemClock } from '../../base/clock.ts'
import { EscalonaError } from '../../base/errors.ts'
import { printable } from '../../base/words/printable.ts'
import { readDuration, shownCount, shownDuration } from '../../base/words/quantity.ts'
import type { Command } from '../commands.ts'
import { namesContact } from '../crawl/crawl-lines.ts'
import { rowLimit } from '../terminal/arguments.ts'
import { type OptionRows, readArguments } from '../terminal/option-table.ts'
import { type RowColumn, RowWriter } from '../terminal/row-writer.ts'
import { answer, safeJson } from '../terminal/say.ts'
import { wrongUse } from '../terminal/use-words.ts'
import { WorkBar } from '../terminal/work-bar.ts'
import { auditWords } from './audit-words.ts'

const OPTIONS = {
  delay: { value: 'T' },
  robots: {},
  course: {},
  host: { value: 'H' },
  limit: { short: 'n', value: 'N' },
  json: {},
  quiet: { short: 'q' },
} as const satisfies OptionRows

/** Rows of hosts, and of breaches, without `-n`. */
const SHOWN = 50

/** `escalona audit FILES…`: how polite a crawler was, by the WARC files that it wrote. */
export const AUDIT: Command = { run: auditCommand, help: () => auditWords(), options: OPTIONS, names: 'file' }

async function auditCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, OPTIONS)
  if (positionals.length === 0) throw wrongUse(auditWords().noFiles)
  const limit = values.limit === undefined ? SHOWN : rowLimit(values.limit)
  const rules = rulesOf(values)
  const bar = new WorkBar(values.quiet ?? false, systemClock())
  const found = await audit(positionals, {
    ...(rules.delayMs === undefined ? {} : { delayMs: rules.delayMs }),
    ...(values.host === undefined ? {} : { host: values.host }),
    onProgress: share => bar.show(systemClock(), share, auditWords().reading),
  }).finally(() => bar.hide())
  if (found.files.every(({ end }) => end === 'foreign'))
    throw new EscalonaError('AUDIT_NO_RECORDS', { path: found.files[0]!.path })
  const breaches = breachesOf(found, rules)
  const isReader = values.json ? writeJson(found, breaches, rules) : writeText(found, breaches, rules, limit)
  if (!isReader) return 0
  if (breaches.length > 0) return 1
  return found.files.some(({ end }) => end === 'damaged' || end === 'foreign') ? 2 : 0
}

function rulesOf({
  delay,
  robots = false,
  course = false,
}: {
  delay?: string
  robots?: boolean
  course?: boolean
}): Rules {
  const given = delay === undefined ? undefined : readDuration(delay)
  if (delay !== undefined && given === undefined) throw wrongUse(auditWords().badDelay(printable(delay)))
  return { delayMs: given ?? (course ? COURSE_DELAY_MS : undefined), robots: robots || course, course }
}

/** One object, a line per host, so that people can read it too. Returns false when the reader has gone away. */
function writeJson(found: Audit, breaches: readonly Breach[], rules: Rules): boolean {
  const { hosts, ...rest } = found
  const agents = rest.agents.map(agent => ({ ...agent, hasContact: hasContact(agent) }))
  const head = safeJson({ rules, ...rest, agents, breaches })
  if (!answer(`${head.slice(0, -1)},"hosts":[`)) return false
  for (const [at, host] of hosts.entries()) if (!answer(`${at === 0 ? '' : ','}\n${safeJson(host)}`)) return false
  return answer('\n]}\n')
}

function hasContact({ name, from }: Audit['agents'][number]): boolean {
  return from !== '' || namesContact(name ?? '')
}

function writeText(found: Audit, breaches: readonly Breach[], rules: Rules, limit: number): boolean {
  const words = auditWords()
  const rows = new RowWriter(columns(), 'text')
  for (const host of found.hosts.slice(0, limit)) if (!rows.write(host)) return false
  rows.flush()
  const lines = [
    ...(found.hosts.length > limit ? [words.moreHosts(shownCount(found.hosts.length - limit))] : []),
    ...(found.hosts.length > 0 ? [''] : []),
    ...summaryLines(found),
    '',
    ...breachLines(breaches, rules, limit),
    '',
    words.howSure(found.doubts.length === 0),
    ...found.doubts.map(({ kind, count }) => `  ${words.doubts[kind](count, shownCount(count), found.requests)}`),
    ...found.files.flatMap(({ path, end }) => (end === 'whole' ? [] : [`  ${words.ends[end](printable(path))}`])),
  ]
  return answer(`${lines.join('\n')}\n`)
}

function summaryLines({ files, requests, hosts, software, agents }: Audit): string[] {
  const words = auditWords()
  const records = files.reduce((sum, file) => sum + file.records, 0)
  const firstMs = hosts.reduce((first, host) => Math.min(first, host.firstMs), Infinity)
  const lastMs = hosts.reduce((last, host) => Math.max(last, host.lastMs), -Infinity)
  const lines = [words.counts(files.length, records, requests, hosts.length)]
  if (requests > 0) lines.push(words.span(shownMoment(firstMs), shownMoment(lastMs), shownDuration(lastMs - firstMs)))
  if (software.length > 0) lines.push(words.software(software.map(one => printable(one)).join(', ')))
  for (const agent of agents.slice(0, 5)) {
    const { name, from, requests } = agent
    const shown = name === undefined ? words.unknownAgent : name === '' ? words.noAgent : `"${printable(name)}"`
    lines.push(
      words.agent(shown, printable(from), shownCount(requests), name === undefined ? undefined : hasContact(agent)),
    )
  }
  if (agents.length > 5) lines.push(words.moreAgents(shownCount(agents.length - 5)))
  return lines
}

function breachLines(breaches: readonly Breach[], { delayMs, robots }: Rules, limit: number): string[] {
  const words = auditWords()
  if (breaches.length === 0) return [delayMs === undefined && !robots ? words.notJudged : words.noBreaches]
  const lines = breaches.slice(0, limit).map(breach => `  ${breachLine(breach, delayMs ?? 0)}`)
  if (breaches.length > limit) lines.push(`  ${words.moreBreaches(shownCount(breaches.length - limit))}`)
  return [words.breaches, ...lines]
}

function breachLine(breach: Breach, delayMs: number): string {
  const words = auditWords().breachOf
  switch (breach.kind) {
    case 'delay':
    case 'retry-after':
    case 'crawl-delay': {
      const { kind, host, count, example } = breach
      const moments = [shownMoment(example.fromMs), shownMoment(example.toMs)] as const
      return words[kind](printable(host), count, ...moments, shownDuration(delayMs))
    }
    case 'robots': {
      const { host, count, example } = breach
      return words.robots(printable(host), count, printable(example.url), shownMoment(example.timeMs), example.line)
    }
    case 'repeat':
      return words.repeat(printable(breach.host), breach.count, shownMoment(breach.example.timeMs))
    case 'not-html':
      return words['not-html'](printable(breach.file), breach.count, printable(breach.example.url))
    case 'pages-per-file':
      return words['pages-per-file'](printable(breach.file), shownCount(breach.count))
  }
}

/** As WARC files name it, so that it can be searched for there. */
function shownMoment(ms: number): string {
  return new Date(ms).toISOString()
}

function columns(): readonly RowColumn<HostAudit>[] {
  const { titles, oneAtATime, robots } = auditWords()
  const number = (title: string, width: number, value: (host: HostAudit) => string) => ({
    name: title,
    title,
    width: Math.max(width, title.length),
    isNumber: true,
    value,
  })
  const text = (title: string, width: number, value: (host: HostAudit) => string) => ({
    ...number(title, width, value),
    isNumber: false,
  })
  const gap = (ms: number | undefined, errorMs: number) =>
    ms === undefined ? '' : `${errorMs > 1 ? '~' : ''}${shownDuration(ms)}`
  return [
    number(titles.requests, 8, host => shownCount(host.requests)),
    number(titles.smallest, 9, host => gap(host.smallestGapMs, host.gapErrorMs)),
    number(titles.median, 9, host => gap(host.medianGapMs, host.gapErrorMs)),
    text(titles.oneAtATime, 3, host => oneAtATime(host.isOneAtATime)),
    text(titles.robots, 8, host => robots[host.robots]),
    number(titles.forbidden, 3, host => shownCount(host.forbidden)),
    number(titles.retryAfter, 3, host => shownCount(host.withinRetryAfter)),
    number(titles.repeats, 3, host => shownCount(host.repeats)),
    text(titles.host, 0, host => host.host),
  ]
}
