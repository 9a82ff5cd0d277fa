import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../base/clock.ts'
import { type Message, sentence } from '../../base/messages/message.ts'
import { csvLine } from '../../base/words/csv.ts'
import { catalogue } from '../../base/words/language.ts'
import { printable } from '../../base/words/printable.ts'
import { readCount, readDuration, shownCount, shownDecimal, shownDuration } from '../../base/words/quantity.ts'
import { readSetting } from '../../settings/setting-texts.ts'
import { type CrawlSettings, WRITTEN_SETTINGS } from '../../settings/settings-table.ts'
import type { ChangeModel } from '../../simulate/changes.ts'
import { graphOfLinks } from '../../simulate/graph.ts'
import { MEASURED_AT } from '../../simulate/measures.ts'
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
import { type RowColumn, RowWriter } from '../terminal/row-writer.ts'
import { answer, say } from '../terminal/say.ts'
import { useWords, wrongUse } from '../terminal/use-words.ts'
import { WorkBar } from '../terminal/work-bar.ts'

/** Settings of a crawl that a simulation takes as they are. */
const PASSED = [
  ...['concurrency', 'server-delay', 'per-server', 'max-per-host', 'max-rate', 'max-time', 'explore', 'retries'],
  ...['recrawl', 'no-recrawl', 'recrawl-for', 'recrawl-min', 'recrawl-max', 'recrawl-first', 'prefer', 'defer'],
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
const DEFAULTS = { limit: Infinity, starts: 3, startPages: 10, startLinks: 0, seed: 1, pages: 10_000 }
const DEFAULT_LATENCY_MS = 200
const DEFAULT_NEVER = 0.2

async function simulateCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, OPTIONS)
  const [place, extra] = positionals
  if (place === undefined || place === '') throw wrongUse(words().noWorld)
  if (extra !== undefined) throw wrongUse(useWords().oneAtATime('WORLD', printable(extra)))
  const form = formOf(values)
  const seed = countOf('--seed', values.seed, DEFAULTS.seed, 0)
  const variants = variantsOf(values, seed)
  const servers = {
    latencyMs: durationOf('--latency', values.latency, DEFAULT_LATENCY_MS),
    errors: chanceOf('--errors', values.errors, 0),
    crawlDelays: chanceOf('--crawl-delays', values['crawl-delays'], 0),
    seed,
  }
  const changes = changesOf(values, seed)
  const startMs = systemClock()
  const world = await worldOf(place, values, seed)
  const starts = startSets(world, {
    starts: countOf('--starts', values.starts, world.seeds === undefined ? DEFAULTS.starts : 0),
    startPages: countOf('--start-pages', values['start-pages'], DEFAULTS.startPages),
    startLinks: countOf('--start-links', values['start-links'], DEFAULTS.startLinks, 0),
    seed,
  })
  const bar = new WorkBar(values.quiet ?? false, startMs)
  const beganMs = systemClock()
  const rows = await simulate({
    ...{ world, variants, starts, model: { servers, changes } },
    workers: countOf('--workers', values.workers, availableParallelism()),
    onProgress(share) {
      const nowMs = systemClock()
      const leftMs = share > 0 ? ((nowMs - beganMs) / share) * (1 - share) : Infinity
      bar.show(nowMs, share, words().progress(shownDuration(leftMs)))
    },
  }).finally(() => bar.hide())
  if (values.output !== undefined) writeFolder(values.output, rows)
  show(rows, form)
  if (!values.quiet && form === 'text') {
    const pages = rows.reduce((sum, row) => sum + row.pages * row.starts, 0)
    say('info', words().done(shownCount(pages), shownDecimal((systemClock() - startMs) / 1000, 1)))
  }
  return 0
}

async function worldOf(place: string, values: Values, seed: number): Promise<World> {
  const tell = (notice: Message | undefined) => {
    if (notice !== undefined && !values.quiet) say('warn', sentence(notice))
  }
  if (place === SYNTHETIC) {
    const pages = countOf('--pages', values.pages, DEFAULTS.pages)
    const { from, to } = syntheticGraph(pages, seed)
    return dealtWorld(graphOfLinks(pages, from, to).graph(), hostsOf(values, pages), seed)
  }
  if (values.pages !== undefined) throw wrongUse(words().onlySynthetic)
  const { graph, notice } = await readGraph(place)
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

function variantsOf(values: Values, seed: number): Variant[] {
  const listed = (text: string | undefined, otherwise: string) => (text ?? otherwise).split(',').map(one => one.trim())
  const strategies = listed(values.strategy, 'breadth').map(one =>
    checkedChoice('--strategy', one, SIMULATED_STRATEGIES),
  )
  const ranks = listed(values.rank, 'depth').map(one => checkedChoice('--rank', one, SIMULATED_RANKS))
  const delays = listed(values.delay, '1s').map(text => durationOf('--delay', text, 0))
  const limit = countOf('--limit', values.limit, Infinity)
  const passed = passedSettings(values as Readonly<Record<string, unknown>>)
  if (passed.recrawl !== undefined && passed.recrawl !== 'no' && passed.maxTimeMs === undefined)
    throw wrongUse(words().needsTime)
  return strategies.flatMap(strategy =>
    ranks.flatMap(rank => delays.map(delayMs => ({ strategy, rank, settings: { ...passed, delayMs, limit, seed } }))),
  )
}

function passedSettings(values: Readonly<Record<string, unknown>>): Partial<CrawlSettings> {
  const settings: Record<string, unknown> = {}
  for (const row of WRITTEN_SETTINGS) {
    if (!PASSED.some(name => name === row.option)) continue
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

function durationOf(option: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise
  const ms = readDuration(text)
  if (ms !== undefined) return ms
  throw wrongUse(words().badDuration(option, printable(text)))
}

function chanceOf(option: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise
  const chance = /^(?:0?\.\d+|[01](?:\.0+)?)$/.test(text) ? Number(text) : -1
  if (chance >= 0 && chance <= 1) return chance
  throw wrongUse(words().badChance(option, printable(text)))
}

/** Version of the format of simulation.json; increased when the meaning of a field changes. */
const FORMAT_VERSION = 1

function writeFolder(folder: string, rows: readonly SimulationRow[]): void {
  makeFolder(folder)
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
  const writer = new RowWriter(columns(rows), form)
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

function columns(rows: readonly SimulationRow[]): RowColumn<SimulationRow>[] {
  const { heads } = words()
  const number = (title: string, width: number, shown: (row: SimulationRow) => string): RowColumn<SimulationRow> => ({
    ...{ name: title, title, width: Math.max(width, title.length), isNumber: true },
    value: shown,
  })
  const spread = (value: number | null | undefined, by: number | null | undefined, digits: number, times = 1) =>
    value === null || value === undefined
      ? '–'
      : `${shownDecimal(value * times, digits)}${rows[0]!.starts > 1 ? ` ±${shownDecimal((by ?? 0) * times, digits)}` : ''}`
  const reached = MEASURED_AT.filter(share => rows.some(row => row.pageRankShare[share] !== null))
  return [
    { name: 'strategy', title: heads.strategy, width: 12, value: row => row.strategy },
    { name: 'rank', title: heads.rank, width: 9, value: row => row.rank },
    number(heads.delay, 7, row => shownDuration(row.delayMs)),
    number(heads.pages, 8, row => shownCount(row.pages)),
    number(heads.time, 11, row => shownDuration(row.virtualMs)),
    ...reached.map(share =>
      number(heads.rankAt(share * 100), 10, row =>
        spread(row.pageRankShare[share], row.spread.pageRankShare[share], 1, 100),
      ),
    ),
    ...reached
      .slice(-1)
      .flatMap(share => [
        number(heads.tauAt(share * 100), 11, row => spread(row.tau[share], row.spread.tau[share], 3)),
        number(heads.hostsAt(share * 100), 10, row =>
          spread(row.hostShare[share], row.spread.hostShare[share], 1, 100),
        ),
      ]),
    number(heads.idle, 6, row => `${shownDecimal(row.idleSlots * 100, 0)} %`),
    number(heads.gap, 8, row => (row.smallestGapMs === null ? '–' : shownDuration(row.smallestGapMs))),
    ...(rows.some(row => row.freshness !== undefined)
      ? [
          number(heads.fresh, 6, row => shownDecimal(row.freshness ?? 0, 3)),
          number(heads.uniform, 6, row => shownDecimal(row.changes?.uniform ?? 0, 3)),
          number(heads.optimum, 6, row => shownDecimal(row.changes?.optimum ?? 0, 3)),
          number(heads.visits, 8, row => shownCount(row.changes?.visits ?? 0)),
          number(heads.captured, 8, row => shownCount(row.changes?.captured ?? 0)),
          number(heads.age, 8, row => shownDuration(row.changes?.ageMs ?? 0)),
        ]
      : []),
  ]
}

function passedTexts(): Record<string, string> {
  const { asCrawl } = words()
  return Object.fromEntries(PASSED.map(name => [name, asCrawl]))
}

const words = catalogue({
  en: {
    head: `Examples
  escalona simulate synthetic --strategy breadth,best,explore
  escalona simulate cnr-2000.graph-txt.gz --strategy breadth,random,depth --rank depth,pagerank --starts 10
  escalona simulate web.graph-txt --urls web.urls --delay 100ms,1s -n 32k -o simulation
  escalona simulate synthetic --pages 400 --hosts 20 --changes 4h,600h --recrawl --max-time 730d

Usage: escalona simulate WORLD [options]
WORLD is a graph file (.graph-txt of WebGraph, or a list of links: two page numbers per line; packed
with gzip or not), or the word synthetic: a web made up by the seed. The crawler that runs is the
real one, in virtual time; no request is made. Every combination of the strategies, ranks and delays
is simulated from every set of start pages. PageRank shares are of the pages that can be reached.

`,
    options: {
      strategy: `which host comes next, several with commas: ${SIMULATED_STRATEGIES.join(', ')} (default breadth); here depth takes the newest link first, and random any; host-by-host is what a crawl calls depth`,
      rank: `which link of a host comes first: ${SIMULATED_RANKS.join(', ')} (default depth); pagerank knows the whole graph`,
      delay: 'minimum time between two requests to a host (default 1s)',
      limit: 'stop each crawl after N pages (default: all that can be reached)',
      starts: 'sets of start pages (default 3)',
      'start-pages': 'start pages per set (default 10)',
      'start-links': 'start only from pages with more than N links (default 0)',
      urls: 'a file with the URL of each page of the graph, one per line',
      hosts: 'without URLs: deal the pages to N hosts by Zipf’s law (default: the square root of the pages)',
      pages: 'pages of the synthetic web (default 10000)',
      latency: 'median time of an answer (default 200ms)',
      errors: 'share of requests that fail, from 0 to 1 (default 0)',
      'crawl-delays': 'share of hosts that ask for a Crawl-delay of 10 s (default 0)',
      changes: 'pages change by a Poisson law with mean times between these two, as 4h,600h',
      never: 'share of pages that never change (default 0.2)',
      seed: 'the same seed gives the same result (default 1)',
      workers: 'threads (default: the cores)',
      output: 'write simulation.html and simulation.json to this folder',
      json: 'one JSON object: {"rows": […]}',
      quiet: 'no progress and no summary',
    } as Readonly<Record<string, string>>,
    asCrawl: 'as in escalona crawl',
    noWorld: 'no world given; name a graph file, or write synthetic',
    onlySynthetic: '--pages is for the synthetic web only; -n limits the pages of a crawl',
    needsTime: '--recrawl has no end; say how long with --max-time, such as --max-time 30d',
    badChanges: (text: string) => `--changes takes two durations, the shorter one first, as 4h,600h; not ${text}`,
    badCount: (option: string, least: number, text: string) =>
      `${option} takes a whole number from ${least} up, not ${text}`,
    badDuration: (option: string, text: string) => `${option} takes durations such as 100ms or 1s, not ${text}`,
    badChance: (option: string, text: string) => `${option} takes a number from 0 to 1, not ${text}`,
    progress: (left: string) => `simulating, ${left} left`,
    done: (pages: string, seconds: string) => `${pages} pages simulated, ${seconds} s`,
    heads: {
      strategy: 'strategy',
      rank: 'rank',
      delay: 'delay',
      pages: 'pages',
      time: 'time',
      rankAt: (percent: number) => `PR@${percent}%`,
      tauAt: (percent: number) => `τ@${percent}%`,
      hostsAt: (percent: number) => `hosts@${percent}%`,
      idle: 'idle',
      gap: 'least gap',
      fresh: 'fresh',
      uniform: 'uniform',
      optimum: 'optimum',
      visits: 'visits',
      captured: 'captured',
      age: 'age',
    },
  },
  pt: {
    head: `Exemplos
  escalona simulate synthetic --strategy breadth,best,explore
  escalona simulate cnr-2000.graph-txt.gz --strategy breadth,random,depth --rank depth,pagerank --starts 10
  escalona simulate web.graph-txt --urls web.urls --delay 100ms,1s -n 32k -o simulacao
  escalona simulate synthetic --pages 400 --hosts 20 --changes 4h,600h --recrawl --max-time 730d

Uso: escalona simulate MUNDO [opções]
MUNDO é um arquivo de grafo (.graph-txt do WebGraph, ou uma lista de links: dois números de página
por linha; compactado com gzip ou não), ou a palavra synthetic: uma web inventada pela semente. O
coletor que roda é o de verdade, em tempo virtual; nenhuma requisição é feita. Cada combinação de
estratégias, postos e intervalos é simulada a partir de cada conjunto de páginas iniciais. As
parcelas de PageRank são das páginas que podem ser alcançadas.

`,
    options: {
      strategy: `qual host vem a seguir, várias com vírgulas: ${SIMULATED_STRATEGIES.join(', ')} (padrão breadth); aqui depth pega primeiro o link mais novo, e random qualquer um; host-by-host é o que uma coleta chama de depth`,
      rank: `qual link de um host vem primeiro: ${SIMULATED_RANKS.join(', ')} (padrão depth); pagerank conhece o grafo inteiro`,
      delay: 'tempo mínimo entre duas requisições a um host (padrão 1s)',
      limit: 'encerra cada coleta após N páginas (padrão: todas as que podem ser alcançadas)',
      starts: 'conjuntos de páginas iniciais (padrão 3)',
      'start-pages': 'páginas iniciais por conjunto (padrão 10)',
      'start-links': 'começa só de páginas com mais de N links (padrão 0)',
      urls: 'um arquivo com a URL de cada página do grafo, uma por linha',
      hosts: 'sem URLs: distribui as páginas por N hosts pela lei de Zipf (padrão: a raiz quadrada das páginas)',
      pages: 'páginas da web sintética (padrão 10000)',
      latency: 'tempo mediano de uma resposta (padrão 200ms)',
      errors: 'parcela das requisições que falham, de 0 a 1 (padrão 0)',
      'crawl-delays': 'parcela dos hosts que pedem um Crawl-delay de 10 s (padrão 0)',
      changes: 'as páginas mudam por uma lei de Poisson com tempos médios entre estes dois, como 4h,600h',
      never: 'parcela das páginas que nunca mudam (padrão 0.2)',
      seed: 'a mesma semente dá o mesmo resultado (padrão 1)',
      workers: 'threads (padrão: os núcleos)',
      output: 'escreve simulation.html e simulation.json nesta pasta',
      json: 'um objeto JSON: {"rows": […]}',
      quiet: 'sem progresso e sem resumo',
    },
    asCrawl: 'como em escalona crawl',
    noWorld: 'falta o mundo; indique um arquivo de grafo, ou escreva synthetic',
    onlySynthetic: '--pages vale só para a web sintética; -n limita as páginas de uma coleta',
    needsTime: '--recrawl não tem fim; diga por quanto tempo com --max-time, por exemplo --max-time 30d',
    badChanges: text => `--changes recebe duas durações, a menor primeiro, como 4h,600h; não ${text}`,
    badCount: (option, least, text) => `${option} recebe um número inteiro a partir de ${least}, não ${text}`,
    badDuration: (option, text) => `${option} recebe durações como 100ms ou 1s, não ${text}`,
    badChance: (option, text) => `${option} recebe um número de 0 a 1, não ${text}`,
    progress: left => `simulando, faltam ${left}`,
    done: (pages, seconds) => `${pages} páginas simuladas, ${seconds} s`,
    heads: {
      strategy: 'estratégia',
      rank: 'posto',
      delay: 'intervalo',
      pages: 'páginas',
      time: 'tempo',
      rankAt: percent => `PR@${percent}%`,
      tauAt: percent => `τ@${percent}%`,
      hostsAt: percent => `hosts@${percent}%`,
      idle: 'ocioso',
      gap: 'menor intervalo',
      fresh: 'atual',
      uniform: 'uniforme',
      optimum: 'ótimo',
      visits: 'visitas',
      captured: 'captadas',
      age: 'idade',
    },
  },
})
