import { shownDecimal } from '../../base/words/quantity.ts'
import { chartPage, escapeHtml } from '../../charts/chart-page.ts'
import { STRATEGY_NAMES } from '../../scheduler/strategy.ts'
import {
  drawPictures,
  histogramBoxes,
  histogramPictures,
  mapPictures,
  type NamedPicture,
  PICTURE_STYLE,
} from '../analysis-page.ts'
import type { Analysis } from '../analyze.ts'
import { ORIGINAL_HOSTS } from '../original-load.ts'
import { idTitle, PHASES, phaseTitle } from '../phases.ts'
import { pictureWords } from '../picture-words.ts'
import { totalsTable } from '../totals-table.ts'
import type { Growth } from './growth.ts'
import type { Series, Timings } from './run-experiment.ts'
import { SCENARIOS } from './scenarios.ts'
import { timePictures } from './time-pictures.ts'

/** A description of the machine. */
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
  /** The analysis of the original's load of 26 URLs. */
  readonly original: Analysis
}

const STYLE = `${PICTURE_STYLE}
.times .chart { height: 460px; margin: 12px 0 20px }
.order td, .order th { padding: 2px 5px; text-align: center }
.order td:first-child { text-align: left; white-space: nowrap }
.growth td { white-space: nowrap }
@media (max-width: 760px) { .times .chart { height: 600px } }
html.printing .times .chart { height: 480px }
@media print { .times .chart { height: 480px } .order td, .order th { padding: 1px 2px } }
`

/** All pictures of the experiment; those of the original's load have names that begin with `original-`. */
export function experimentPictures({ timings, original }: Experiment) {
  const renamed = <Named extends NamedPicture>(one: Named) => ({ ...one, name: `original-${one.name}` })
  return {
    times: timePictures(timings),
    maps: mapPictures(original).map(renamed),
    histograms: histogramPictures(original).map(renamed),
  }
}

/** The experiment as one page, in the current language. */
export function experimentPage(experiment: Experiment): string {
  const texts = pictureWords().experiment
  const { timings, original } = experiment
  const { processor, cores, memoryGib, system, node } = experiment.machine
  const { times, maps, histograms } = experimentPictures(experiment)
  const machine = escapeHtml(texts.machine(processor, cores, memoryGib, system, node))
  const growth = SCENARIOS.map(({ name }) =>
    growthTable(
      texts.scenarios[name],
      timings.series.filter(({ scenario }) => scenario === name),
    ),
  )
  const body = `
<h1>${texts.title}</h1>
<p>${texts.madeBy(machine)}</p>
<h2>${texts.times}</h2>
<p class="faint">${texts.timesNote}</p>
<div class="times">${boxes(times)}</div>
<h3>${texts.growth}</h3>
${growth.join('')}
<h2>${texts.locality}</h2>
<h3>${texts.order}</h3>
${orderTable()}
<h3>${texts.distances}</h3>
${totalsTable(original.stacks.map(({ total }) => total))}
<div class="maps">${boxes(maps)}</div>
${histogramBoxes(histograms, ({ phase, id }) => `${phaseTitle(phase)}: ${idTitle(id)}`)}`
  const data = [...times, ...maps, ...histograms].map(({ name, picture }) => ({ name, picture }))
  return chartPage({ title: texts.title, style: STYLE, body, data, script: drawPictures() })
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
  const texts = pictureWords().experiment
  const heads = STRATEGY_NAMES.map(strategy => `<th>${texts.strategy(strategy)}</th>`).join('')
  return `<p>${escapeHtml(title)}</p><div class="scroll"><table class="growth"><tr><th>${texts.command}</th>${heads}</tr>${rows.join('')}</table></div>`
}

function growthText(growth: Growth | undefined): string {
  return growth === undefined
    ? '–'
    : `${shownDecimal(growth.exponent, 2)} <span class="faint">(${shownDecimal(growth.r2, 2)})</span>`
}

function orderTable(): string {
  const lists = [...new Set(ORIGINAL_HOSTS)].sort((a, b) => a - b)
  const rows = lists.map(list => {
    const cells = ORIGINAL_HOSTS.map(host => `<td>${host === list ? '×' : ''}</td>`)
    return `<tr><td>${pictureWords().experiment.list(list)}</td>${cells.join('')}</tr>`
  })
  const heads = ORIGINAL_HOSTS.map((_, i) => `<th>${i + 1}</th>`).join('')
  return `<div class="scroll"><table class="order"><tr><th></th>${heads}</tr>${rows.join('')}</table></div>`
}
