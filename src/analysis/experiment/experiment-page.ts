import { chartPage, escapeHtml } from '../../charts/chart-page.ts'
import { STRATEGY_NAMES } from '../../scheduler/strategy.ts'
import { DRAW_PICTURES, histogramPictures, mapPictures, type NamedPicture } from '../analysis-page.ts'
import type { Analysis } from '../analyze.ts'
import { count } from '../map-picture.ts'
import { ORIGINAL_HOSTS } from '../original-load.ts'
import { idTitle, PHASES, phaseTitle } from '../phases.ts'
import type { Growth } from './growth.ts'
import type { Series, Timings } from './run-experiment.ts'
import { SCENARIOS } from './scenarios.ts'
import { timePictures } from './time-pictures.ts'

/** What the machine was, in words. */
export interface Machine {
  readonly processor: string
  readonly cores: number
  readonly memoryGib: number
  readonly system: string
  readonly node: string
}

export interface Experiment {
  readonly machine: Machine
  readonly timings: Timings
  /** Of the original's load of 26 URLs. */
  readonly original: Analysis
}

const STYLE = `
.times .chart { height: 460px; margin: 12px 0 20px }
.maps .chart { height: 600px; margin: 12px 0 20px }
.histograms { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 380px), 1fr)); gap: 16px }
.histograms .chart { height: 320px }
.order td, .order th { padding: 2px 5px; text-align: center }
.order td:first-child { text-align: left }
`

/** All pictures of the experiment; those of the original's load have names that begin with `original-`. */
export function experimentPictures({ timings, original }: Experiment) {
  const renamed = ({ name, picture }: NamedPicture) => ({ name: `original-${name}`, picture })
  return {
    times: timePictures(timings),
    maps: mapPictures(original).map(renamed),
    histograms: histogramPictures(original).map(renamed),
  }
}

export function experimentPage(experiment: Experiment): string {
  const { machine, timings, original } = experiment
  const { times, maps, histograms } = experimentPictures(experiment)
  const words = `${machine.processor}, ${machine.cores} cores, ${machine.memoryGib} GiB, ${machine.system}, Node ${machine.node}`
  const body = `
<h1>Experiment: time and locality of the scheduler</h1>
<p>Made by <code>escalona experiment</code> on ${escapeHtml(words)}.</p>
<h2>Time over the number of URLs</h2>
<p class="faint">The fastest of several runs in one process, from memory and into nothing. The growth is a straight line
through the logarithms, by least squares.</p>
<div class="times">${boxes(times)}</div>
<h3>Growth of every command: the exponent e of n^e, with R²</h3>
${SCENARIOS.map(({ name, title }) =>
  growthTable(
    title,
    timings.series.filter(({ scenario }) => scenario === name),
  ),
).join('')}
<h2>Locality: the load of 26 URLs in 5 hosts</h2>
<h3>In which order the lists' URLs are written (table 1 of the original)</h3>
${orderTable()}
<h3>Stack distances of every phase and structure</h3>
${totalsTable(original)}
<div class="maps">${boxes(maps)}</div>
<div class="histograms">${boxes(histograms)}</div>`
  const data = [...times, ...maps, ...histograms]
  return chartPage({
    title: 'Experiment: time and locality of the scheduler',
    style: STYLE,
    body,
    data,
    script: DRAW_PICTURES,
  })
}

function boxes(pictures: readonly NamedPicture[]): string {
  return pictures.map(({ name }) => `<div class="chart" id="${name}"></div>`).join('')
}

function growthTable(title: string, series: readonly Series[]): string {
  const rows = PHASES.map(command => {
    const cells = STRATEGY_NAMES.map(strategy => {
      const growth = series.find(one => one.command === command && one.strategy === strategy)?.growth
      return `<td>${growthText(growth)}</td>`
    })
    return `<tr><td>${command}</td>${cells.join('')}</tr>`
  })
  const heads = STRATEGY_NAMES.map(strategy => `<th>${strategy}-first</th>`).join('')
  return `<p>${escapeHtml(title)}</p><div class="scroll"><table><tr><th>command</th>${heads}</tr>${rows.join('')}</table></div>`
}

function growthText(growth: Growth | undefined): string {
  return growth === undefined
    ? '–'
    : `${growth.exponent.toFixed(2)} <span class="faint">(${growth.r2.toFixed(2)})</span>`
}

function orderTable(): string {
  const lists = [...new Set(ORIGINAL_HOSTS)].sort((a, b) => a - b)
  const rows = lists.map(list => {
    const cells = ORIGINAL_HOSTS.map(host => `<td>${host === list ? '×' : ''}</td>`)
    return `<tr><td>list ${list}</td>${cells.join('')}</tr>`
  })
  const heads = ORIGINAL_HOSTS.map((_, i) => `<th>${i + 1}</th>`).join('')
  return `<div class="scroll"><table class="order"><tr><th></th>${heads}</tr>${rows.join('')}</table></div>`
}

function totalsTable({ stacks }: Analysis): string {
  const rows = stacks.map(({ total: { phase, id, accesses, reads, writes, firstTouches, total, mean } }) => {
    const numbers = [accesses, reads, writes, firstTouches, total].map(n => `<td>${count(n)}</td>`).join('')
    return `<tr><td>${phaseTitle(phase)}: ${idTitle(id)}</td>${numbers}<td>${mean.toFixed(2)}</td></tr>`
  })
  const heads = ['phase and structure', 'accesses', 'reads', 'writes', 'first touches', 'total distance', 'mean']
  return `<div class="scroll"><table><tr>${heads.map(head => `<th>${head}</th>`).join('')}</tr>${rows.join('')}</table></div>`
}
