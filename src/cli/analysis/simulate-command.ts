import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../base/clock.ts'
import { type Message, sentence } from '../../base/messages/message.ts'
import { csvLine } from '../../base/words/csv.ts'
import { printable } from '../../base/words/printable.ts'
import { readCount, readDuration, shownCount, shownDecimal, shownDuration } from '../../base/words/quantity.ts'
import { isCrawlFolder, readCrawlFile } from '../../folder/crawl-file.ts'
import { readNamed, readSetting } from '../../settings/setting-texts.ts'
import { agentOf } from '../../settings/settings.ts'
import { type CrawlSettings, WRITTEN_SETTINGS } from '../../settings/settings-table.ts'
import type { ChangeModel } from '../../simulate/changes.ts'
import { crawlWorld } from '../../simulate/crawl-world.ts'
import { graphOfLinks } from '../../simulate/graph.ts'
import { readGraph } from '../../simulate/read-graph.ts'
import {
  SIMULATED_RANKS,
  SIMULATED_STRATEGIES,
  type SimulationRow,
  simulate,
  type Variant,
} from '../../simulate/simulate.ts'
import { dealtWorld, readUrls, startSets, syntheticGraph, type World, worldOfUrls } from '../../simulate/world.ts'
import type { Command } from '../commands.ts'
import { CRAWL_OPTIONS, type CrawlOption } from '../crawl/crawl-option-rows.ts'
import { checkedChoice, formOf } from '../terminal/arguments.ts'
import { type Arguments, type OptionRows, readArguments } from '../terminal/option-table.ts'
import { makeFolder, writeWhole } from '../terminal/output.ts'
import { RowWriter } from '../terminal/row-writer.ts'
import { answer, say } from '../terminal/say.ts'
import { useWords, wrongUse } from '../terminal/use-words.ts'
import { runWork, WorkBar } from '../terminal/work-bar.ts'
import { simulateWords as words } from './simulate-words.ts'
import { simulationColumns } from './simulation-columns.ts'
import { simulationPage } from './simulation-page.ts'

/** Settings of a crawl that a simulation takes as they are; those in the first line are as in the crawl whose links are the world. */
const KEPT = [
  'concurrency',
  'server-delay',
  'per-server',
  'max-per-host',
  'max-rate',
  'explore',
  'retries',
  'prefer',
  'defer',
]
const PASSED = [
  ...KEPT,
  ...['max-time', 'recrawl', 'no-recrawl', 'recrawl-for', 'recrawl-min', 'recrawl-max', 'recrawl-first'],
].filter(name => Object.hasOwn(CRAWL_OPTIONS, name)) as readonly CrawlOption[]

const OWN = {
  strategy: { short: 'e', value: 'S,…' },
  rank: { value: 'R,…' },
  delay: { value: 'T,…' },
  limit: { short: 'n', value: 'N' },
  starts: { value: 'N' },
  'start-pages': { value: 'N' },
  'start-links': { value: 'N' },
  urls: { value: 'FILE', names: 'file' },
  hosts: { value: 'N' },
  pages: { value: 'N' },
  latency: { value: 'T' },
  errors: { value: 'P' },
  'crawl-delays': { value: 'P' },
  changes: { value: 'T,T' },
  never: { value: 'P' },
  seed: { value: 'N' },
  workers: { value: 'N' },
  output: { short: 'o', value: 'DIR', names: 'folder' },
  json: {},
  csv: {},
  quiet: { short: 'q' },
} as const satisfies OptionRows

const OPTIONS: OptionRows & typeof OWN = {
  ...OWN,
  ...Object.fromEntries(PASSED.map(name => [name, CRAWL_OPTIONS[name]])),
}

/** `escalona simulate WORLD`: crawls a graph in virtual time, in several ways, and compares them. */
export const SIMULATE: Command = {
  run: simulateCommand,
  help: () => ({ ...words(), options: { ...useWords().rowOptions, ...words().options, ...passedTexts() } }),
  options: OPTIONS,
  names: 'file',
}

type Values = Arguments<typeof OPTIONS>['values']

const SYNTHETIC = 'synthetic'
const DEFAULTS = { starts: 3, startPages: 10, startLinks: 0, seed: 1, pages: 10_000 }
const DEFAULT_LATENCY_MS = 200
/** So that no answer takes longer than a crawl waits for one. */
const MOST_LATENCY_MS = 2000
const DEFAULT_NEVER = 0.2
/** Before this much is done, what is left can't be told. */
const LEAST_SHARE = 0.02

async function simulateCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, OPTIONS)
  const [place, extra] = positionals
  if (place === undefined || place === '') throw wrongUse(words().noWorld)
  if (extra !== undefined) throw wrongUse(useWords().oneAtATime('WORLD', printable(extra)))
  if (values.output === '') throw wrongUse(useWords().noFolder)
  const form = formOf(values)
  const seed = countOf('--seed', values.seed, DEFAULTS.seed, 0)
  const variants = variantsOf(values, seed, isCrawlFolder(place) ? settingsOf(place) : {})
  const servers = {
    latencyMs: latencyOf(values.latency),
    errors: chanceOf('--errors', values.errors, 0),
    crawlDelays: chanceOf('--crawl-delays', values['crawl-delays'], 0),
    seed,
  }
  const changes = changesOf(values, seed)
  const workers =
    values.workers === undefined ? availableParallelism() : (settingOf('workers', values.workers) as number)
  if (values.output !== undefined) makeFolder(values.output)
  const startMs = systemClock()
  const bar = new WorkBar(values.quiet ?? false, startMs)
  const world = await worldOf(place, values, seed, bar).finally(() => bar.hide())
  const starts = startSets(world, {
    starts: countOf('--starts', values.starts, world.seeds === undefined ? DEFAULTS.starts : 0),
    startPages: countOf('--start-pages', values['start-pages'], DEFAULTS.startPages),
    startLinks: countOf('--start-links', values['start-links'], DEFAULTS.startLinks, 0),
    seed,
  })
  const beganMs = systemClock()
  const rows = await simulate({
    ...{ world, variants, starts, model: { servers, changes }, workers },
    onProgress(share) {
      const nowMs = systemClock()
      const leftMs = ((nowMs - beganMs) / share) * (1 - share)
      bar.show(nowMs, share, words().progress(share < LEAST_SHARE ? undefined : shownDuration(leftMs)))
    },
  }).finally(() => bar.hide())
  if (values.output !== undefined) writeFolder(values.output, rows, `escalona simulate ${args.join(' ')}`)
  show(rows, form)
  if (!values.quiet && form === 'text') {
    const pages = rows.reduce((sum, row) => sum + row.pages * row.starts, 0)
    say('info', words().done(shownCount(pages), shownDecimal((systemClock() - startMs) / 1000, 1)))
  }
  return 0
}

async function worldOf(place: string, values: Values, seed: number, bar: WorkBar): Promise<World> {
  const tell = (notice: Message | undefined) => {
    bar.hide()
    if (notice !== undefined && !values.quiet) say('warn', sentence(notice))
  }
  const showReading = (nowMs = systemClock(), share?: number) => bar.show(nowMs, share, words().reading)
  if (place === SYNTHETIC) {
    const pages = countOf('--pages', values.pages, DEFAULTS.pages)
    const { from, to } = syntheticGraph(pages, seed)
    return dealtWorld(graphOfLinks(pages, from, to).graph(), hostsOf(values, pages), seed)
  }
  if (values.pages !== undefined) throw wrongUse(words().onlySynthetic)
  if (isCrawlFolder(place)) {
    if (values.urls !== undefined || values.hosts !== undefined) throw wrongUse(words().ofCrawl)
    return runWork(crawlWorld(place, agentOf(namedIn(place).userAgent ?? 'escalona')), showReading)
  }
  const { graph, notice } = await readGraph(place, showReading)
  tell(notice)
  if (values.urls === undefined) return dealtWorld(graph, hostsOf(values, graph.pages), seed)
  if (values.hosts !== undefined) throw wrongUse(useWords().contradict('--urls', '--hosts'))
  const { urls, notice: odd } = await readUrls(values.urls, graph.pages)
  tell(odd)
  return worldOfUrls(graph, urls)
}

/** As many hosts as pages each would have, if all had as many. */
function hostsOf(values: Values, pages: number): number {
  return countOf('--hosts', values.hosts, Math.max(1, Math.round(Math.sqrt(pages))))
}

function namedIn(folder: string): Partial<CrawlSettings> {
  return readNamed(readCrawlFile(folder)?.runs.at(-1)?.settings ?? {})
}

/** The settings of a crawl's newest run that a simulation of its links starts from. */
function settingsOf(folder: string): Partial<CrawlSettings> {
  const all: Readonly<Record<string, unknown>> = namedIn(folder)
  const kept = WRITTEN_SETTINGS.filter(({ option }) => ['strategy', 'rank', 'delay', ...KEPT].includes(option))
  return Object.fromEntries(kept.map(({ name }) => [name, all[name]]).filter(([, value]) => value !== undefined))
}

function variantsOf(values: Values, seed: number, crawl: Partial<CrawlSettings>): Variant[] {
  const listed = (text: string) => text.split(',').map(one => one.trim())
  const { strategy, rank } = { strategy: 'breadth', rank: 'depth', ...crawl }
  const strategies = listed(values.strategy ?? (strategy === 'depth' ? 'host-by-host' : strategy)).map(one =>
    checkedChoice('--strategy', one, SIMULATED_STRATEGIES),
  )
  const ranks = listed(values.rank ?? rank).map(one => checkedChoice('--rank', one, SIMULATED_RANKS))
  const delays = values.delay === undefined ? [crawl.delayMs] : listed(values.delay).map(one => settingOf('delay', one))
  const passed = { ...crawl, ...passedSettings(values as Readonly<Record<string, unknown>>), seed }
  if (passed.recrawl !== undefined && passed.recrawl !== 'no' && passed.maxTimeMs === undefined)
    throw wrongUse(words().needsTime)
  return strategies.flatMap(strategy =>
    ranks.flatMap(rank =>
      delays.map(delayMs => ({ strategy, rank, settings: { ...passed, delayMs } as Partial<CrawlSettings> })),
    ),
  )
}

function settingOf(option: 'delay' | 'workers', text: string): unknown {
  return readSetting(WRITTEN_SETTINGS.find(row => row.option === option)!, [text])
}

function passedSettings(values: Readonly<Record<string, unknown>>): Partial<CrawlSettings> {
  const settings: Record<string, unknown> = {}
  for (const row of WRITTEN_SETTINGS) {
    if (row.option !== 'limit' && !PASSED.some(name => name === row.option)) continue
    if (values[`no-${row.option}`] === true) settings[row.name] = 'no'
    const given = values[row.option]
    if (given === undefined) continue
    const texts = typeof given === 'string' ? [given || 'yes'] : given === true ? ['yes'] : (given as string[])
    settings[row.name] = readSetting(row, texts)
  }
  return settings as Partial<CrawlSettings>
}

function changesOf(values: Values, seed: number): ChangeModel | undefined {
  const never = chanceOf('--never', values.never, DEFAULT_NEVER)
  if (values.changes === undefined) return undefined
  const [from = '', to = from, extra] = values.changes.split(',')
  const fromMs = readDuration(from)
  const toMs = readDuration(to)
  if (!fromMs || !toMs || toMs < fromMs || extra !== undefined)
    throw wrongUse(words().badChanges(printable(values.changes)))
  return { fromMs, toMs, never, seed: seed + 1 }
}

function countOf(option: string, text: string | undefined, otherwise: number, least = 1): number {
  if (text === undefined) return otherwise
  const count = readCount(text)
  if (count !== undefined && count >= least) return count
  throw wrongUse(words().badCount(option, least, printable(text)))
}

function latencyOf(text: string | undefined): number {
  if (text === undefined) return DEFAULT_LATENCY_MS
  const ms = readDuration(text)
  if (ms !== undefined && ms <= MOST_LATENCY_MS) return ms
  throw wrongUse(words().badLatency(shownDuration(MOST_LATENCY_MS), printable(text)))
}

function chanceOf(option: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise
  const chance = /^(?:0?\.\d+|[01](?:\.0+)?)$/.test(text) ? Number(text) : -1
  if (chance >= 0 && chance <= 1) return chance
  throw wrongUse(words().badChance(option, printable(text)))
}

/** Version of the format of simulation.json; increased when the meaning of a field changes. */
const FORMAT_VERSION = 1

function writeFolder(folder: string, rows: readonly SimulationRow[], command: string): void {
  writeWhole(join(folder, 'simulation.html'), [simulationPage(rows, command)])
  writeWhole(join(folder, 'simulation.json'), [`${JSON.stringify({ version: FORMAT_VERSION, rows }, null, 1)}\n`])
}

function show(rows: readonly SimulationRow[], form: 'text' | 'json' | 'csv'): void {
  if (form === 'json') {
    answer(`${JSON.stringify({ rows: rows.map(({ curve: _, ...row }) => row) })}\n`)
    return
  }
  if (form === 'csv') {
    const names = [...new Set(rows.flatMap(row => Object.keys(flat(row))))]
    answer(csvLine(names) + rows.map(row => csvLine(names.map(name => flat(row)[name]))).join(''))
    return
  }
  const writer = new RowWriter(simulationColumns(rows), form)
  for (const row of rows) writer.write(row)
  writer.flush()
}

/** `pageRankShare.0.01`: one column per number. */
function flat(row: SimulationRow): Record<string, string | number | undefined> {
  const cells: Record<string, string | number | undefined> = {}
  const add = (name: string, value: unknown) => {
    if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) add(`${name}.${key}`, inner)
    else cells[name] = (value ?? undefined) as string | number | undefined
  }
  for (const [name, value] of Object.entries(row)) if (name !== 'curve') add(name, value)
  return cells
}

function passedTexts(): Record<string, string> {
  const { asCrawl } = words()
  return Object.fromEntries(PASSED.map(name => [name, asCrawl]))
}
