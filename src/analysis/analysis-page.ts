import { chartPage, escapeHtml } from '../charts/chart-page.ts'
import type { Analysis } from './analyze.ts'
import { histogramPicture } from './histogram-picture.ts'
import { amount, count, mapPicture, type Picture } from './map-picture.ts'
import { idTitle, phaseTitle } from './phases.ts'
import type { StackTotal } from './stack-distances.ts'

/** A picture and the name of its file. */
export interface NamedPicture {
  readonly name: string
  readonly picture: Picture
}

/** An access map an id. */
export function mapPictures(analysis: Analysis): NamedPicture[] {
  const { maps, bands, accesses } = analysis
  const time = { accesses, bands, phases: phasesOf(analysis) }
  return maps.map(map => ({ name: `access-map-${map.id}`, picture: mapPicture(map, time) }))
}

/** All that occur, rising. */
function phasesOf({ stacks }: Analysis): number[] {
  return [...new Set(stacks.map(({ total }) => total.phase))]
}

/** A histogram a phase and id. */
export function histogramPictures({ stacks }: Analysis): (NamedPicture & { readonly total: StackTotal })[] {
  return stacks.map(({ total, counts }) => ({
    name: `stack-distance-${total.phase}-${total.id}`,
    total,
    picture: histogramPicture(total, counts),
  }))
}

const STYLE = `
.maps .chart { height: 600px; margin: 12px 0 24px }
.histograms { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 380px), 1fr)); gap: 16px }
.histograms .chart { height: 320px }
td:nth-child(3), th:nth-child(3) { text-align: left }
details { margin: 12px 0 }
summary { cursor: pointer; color: var(--accent) }
`

/** Draws each picture in the box of its name, with the buttons that only a page needs. */
export const DRAW_PICTURES = `
const toolbox = { right: 12, top: 4, feature: { dataZoom: {}, restore: {}, saveAsImage: { pixelRatio: 2 } } }
for (const { name, picture } of data) draw(document.getElementById(name), { ...picture, toolbox })
`

/** The whole analysis as one page. */
export function analysisPage(analysis: Analysis, logName: string): string {
  const maps = mapPictures(analysis)
  const histograms = histogramPictures(analysis)
  const title = `Memory accesses of ${logName}`
  const body = `
<h1>${escapeHtml(title)}</h1>
<p>${summary(analysis)}${cutOff(analysis)}</p>
${analysis.accesses === 0 ? '' : `${mapSection(analysis, maps)}${stackSection(histograms)}`}`
  const data = [...maps, ...histograms].map(({ name, picture }) => ({ name, picture }))
  return chartPage({ title, style: STYLE, body, data, script: DRAW_PICTURES })
}

function summary(analysis: Analysis): string {
  const { accesses, maps, lowestAddress, highestAddress } = analysis
  if (accesses === 0) return 'There are no accesses in this log.'
  const structures = amount(maps.length, 'structure', 'structures')
  const phases = amount(phasesOf(analysis).length, 'phase', 'phases')
  return `${amount(accesses, 'access', 'accesses')} of ${structures} in ${phases}, at addresses from
${count(lowestAddress)} to ${count(highestAddress)}.`
}

function mapSection(analysis: Analysis, maps: readonly NamedPicture[]): string {
  return `<h2>Access maps</h2>
<p class="faint">Which address was touched when; time is the number of the access. Bands are the phases. Ctrl and
the wheel zoom in time, Shift and the wheel in addresses; dragging moves.</p>
${jumpList(analysis)}
<div class="maps">${maps.map(({ name }) => box(name)).join('')}</div>`
}

function stackSection(histograms: ReturnType<typeof histogramPictures>): string {
  const phases = [...new Set(histograms.map(({ total }) => total.phase))]
  return `<h2>Stack distances</h2>
<p class="faint">How many different 8-byte words were touched since the last touch of the same one, itself included: a cache
of that many words would have kept it. One stack a phase and structure. A first touch has no distance and counts
as 0. The total is the sum of all distances.</p>
${totalsTable(histograms.map(({ total }) => total))}
${phases.map(phase => phaseSection(phase, histograms)).join('')}`
}

/** Links to the maps: a run with many hosts has up to 200. */
function jumpList({ maps }: Analysis): string {
  const links = maps.map(({ id }) => `<a href="#access-map-${id}">${escapeHtml(idTitle(id))}</a>`)
  return `<details${maps.length <= 24 ? ' open' : ''}><summary>All structures</summary>${links.join(' · ')}</details>`
}

function box(name: string): string {
  return `<div class="chart" id="${name}"></div>`
}

function cutOff({ isWhole }: Analysis): string {
  return isWhole ? '' : ' <strong>The log is cut off: its last line is missing.</strong>'
}

function phaseSection(phase: number, histograms: ReturnType<typeof histogramPictures>): string {
  const boxes = histograms.filter(({ total }) => total.phase === phase).map(({ name }) => box(name))
  return `<h3>Phase ${phase}: ${escapeHtml(phaseTitle(phase))}</h3><div class="histograms">${boxes.join('')}</div>`
}

function totalsTable(totals: readonly StackTotal[]): string {
  const rows = totals.map(
    ({ phase, id, accesses, reads, writes, firstTouches, total, mean }) =>
      `<tr><td>${phase} ${escapeHtml(phaseTitle(phase))}</td><td>${id}</td><td>${escapeHtml(idTitle(id))}</td>${[accesses, reads, writes, firstTouches, total].map(n => `<td>${count(n)}</td>`).join('')}<td>${mean.toFixed(2)}</td></tr>`,
  )
  const heads = ['phase', 'id', 'structure', 'accesses', 'reads', 'writes', 'first touches', 'total distance', 'mean']
  return `<details${rows.length <= 40 ? ' open' : ''}><summary>All totals</summary><div class="scroll"><table>
<tr>${heads.map(head => `<th>${head}</th>`).join('')}</tr>${rows.join('')}</table></div></details>`
}
