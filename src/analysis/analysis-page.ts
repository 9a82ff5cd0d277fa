import { shownCount, shownDecimal } from '../base/words/quantity.ts'
import { chartPage, escapeHtml, htmlTable } from '../charts/chart-page.ts'
import type { Analysis } from './analyze.ts'
import { histogramPicture, isTrivial } from './histogram-picture.ts'
import { mapPicture } from './map-picture.ts'
import { idTitle, phaseTitle } from './phases.ts'
import type { Picture } from './picture.ts'
import { localeNumbers } from './picture.ts'
import { pictureWords } from './picture-words.ts'
import type { StackTotal } from './stack-distances.ts'

/** A picture and the name of its file. */
export interface NamedPicture {
  readonly name: string
  readonly picture: Picture
}

/** The histogram of a phase and id. */
export interface NamedHistogram extends NamedPicture {
  readonly total: StackTotal
  /** Whether it has a single bar. */
  readonly isTrivial: boolean
}

/** A log with more structures than `MANY` gets the access maps of the busiest ones alone. */
const MANY = 20
const BUSIEST = 10

/** The structures that are drawn: all of them, or those with the most accesses. */
export function drawnMaps({ maps, stacks }: Analysis): Analysis['maps'] {
  if (maps.length <= MANY) return maps
  const accesses = new Map<number, number>()
  for (const { total } of stacks) accesses.set(total.id, (accesses.get(total.id) ?? 0) + total.accesses)
  const busiest = maps.toSorted((a, b) => (accesses.get(b.id) ?? 0) - (accesses.get(a.id) ?? 0)).slice(0, BUSIEST)
  return maps.filter(map => busiest.includes(map))
}

/** One access map per id. */
export function mapPictures(analysis: Analysis, maps = analysis.maps): NamedPicture[] {
  const { bands, accesses } = analysis
  const time = { accesses, bands, phases: phasesOf(analysis) }
  return maps.map(map => ({ name: `access-map-${map.id}`, picture: mapPicture(map, time) }))
}

/** All phases that occur, in ascending order. */
function phasesOf({ stacks }: Analysis): number[] {
  return [...new Set(stacks.map(({ total }) => total.phase))]
}

/** One histogram per phase and id. */
export function histogramPictures({ stacks }: Analysis): NamedHistogram[] {
  return stacks.map(({ total, counts }) => ({
    name: `stack-distance-${total.phase}-${total.id}`,
    total,
    picture: histogramPicture(total, counts),
    isTrivial: isTrivial(counts),
  }))
}

/** The style of a page with maps and histograms. */
export const PICTURE_STYLE = `
.maps .chart { height: 600px; margin: 12px 0 24px }
.histograms { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 380px), 1fr)); gap: 16px }
.histograms .chart { height: 320px }
details { margin: 12px 0 }
summary { cursor: pointer; color: var(--accent); overflow-wrap: anywhere }
h1 { overflow-wrap: anywhere }
.sums td:first-child, .totals td:first-child { white-space: nowrap }
.totals td:nth-child(3), .totals th:nth-child(3) { text-align: left; white-space: nowrap }
.sums tr:last-child td { font-weight: 600; border-bottom: 0 }
@media (max-width: 760px) { .maps .chart { height: 630px } }
@media (max-width: 600px) { main { padding: 12px 12px 40px } }
html.printing .maps .chart { height: 630px }
html.printing .histograms { grid-template-columns: 1fr 1fr }
@media print { .maps .chart { height: 630px; margin: 0 } .histograms { grid-template-columns: 1fr 1fr } table { font-size: 11px } }
`

/** Draws each picture in the box of its name, with the buttons that only a page needs. */
export function drawPictures(): string {
  return `
const localeNumbers = ${localeNumbers}
const toolbox = { right: 12, top: 4, feature: { dataZoom: {}, restore: {}, saveAsImage: { pixelRatio: 2 } } }
for (const { name, picture } of data)
  draw(document.getElementById(name), localeNumbers({ ...picture, toolbox }, '${pictureWords().locale}'))
`
}

/** The whole analysis as one page, in the current language. */
export function analysisPage(analysis: Analysis, logName: string, drawn = analysis.maps): string {
  const maps = mapPictures(analysis, drawn)
  const histograms = histogramPictures(analysis)
  const title = pictureWords().page.title(logName)
  const body = `
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(summary(analysis))}${cutOff(analysis)}</p>
${analysis.accesses === 0 ? '' : `${totalsSection(analysis)}${mapSection(analysis, drawn, maps)}${stackSection(histograms)}`}`
  const data = [...maps, ...histograms].map(({ name, picture }) => ({ name, picture }))
  return chartPage({ title, style: PICTURE_STYLE, body, data, script: drawPictures() })
}

function summary(analysis: Analysis): string {
  const texts = pictureWords()
  const { accesses, maps, lowestAddress, highestAddress } = analysis
  if (accesses === 0) return texts.page.empty
  return texts.page.summary(
    texts.access(accesses),
    texts.structure(maps.length),
    texts.phases(phasesOf(analysis).length),
    shownCount(lowestAddress),
    shownCount(highestAddress),
  )
}

function totalsSection(analysis: Analysis): string {
  const texts = pictureWords().page
  const totals = analysis.stacks.map(({ total }) => total)
  return `<h2>${texts.totals}</h2>
<p class="faint">${texts.totalsNote}</p>
${sumsTable(phasesOf(analysis), totals)}
<details${totals.length <= 40 ? ' open' : ''}><summary>${texts.allTotals}</summary>${totalsTable(totals)}</details>`
}

/** A row per phase, and one for all. */
function sumsTable(phases: readonly number[], totals: readonly StackTotal[]): string {
  const { heads, all } = pictureWords().page
  const rows = phases.map(phase => [
    escapeHtml(`${phase} ${phaseTitle(phase)}`),
    ...numbersOf(sumsOf(totals.filter(total => total.phase === phase))),
  ])
  const { id: _, structure: __, ...shown } = heads
  return htmlTable(Object.values(shown), [...rows, [all, ...numbersOf(sumsOf(totals))]], 'sums')
}

/** A row per phase and structure. */
export function totalsTable(totals: readonly StackTotal[]): string {
  const rows = totals.map(total => [
    escapeHtml(`${total.phase} ${phaseTitle(total.phase)}`),
    String(total.id),
    escapeHtml(idTitle(total.id)),
    ...numbersOf(total),
  ])
  return htmlTable(Object.values(pictureWords().page.heads), rows, 'totals')
}

type Sums = Omit<StackTotal, 'phase' | 'id'>

function numbersOf({ accesses, reads, writes, firstTouches, total, mean }: Sums): string[] {
  return [...[accesses, reads, writes, firstTouches, total].map(shownCount), shownDecimal(mean, 2)]
}

/** The totals of several stacks together. */
function sumsOf(totals: readonly StackTotal[]): Sums {
  const sum = (name: Exclude<keyof Sums, 'mean'>) => totals.reduce((all, total) => all + total[name], 0)
  const [accesses, total] = [sum('accesses'), sum('total')]
  return {
    accesses,
    reads: sum('reads'),
    writes: sum('writes'),
    firstTouches: sum('firstTouches'),
    total,
    mean: accesses === 0 ? 0 : total / accesses,
  }
}

function mapSection(analysis: Analysis, drawn: Analysis['maps'], maps: readonly NamedPicture[]): string {
  const texts = pictureWords().page
  const all = analysis.maps.length
  const busiest = drawn.length < all ? ` ${texts.busiest(shownCount(drawn.length), shownCount(all))}` : ''
  return `<h2>${texts.maps}</h2>
<p class="faint">${texts.mapsNote}${busiest}</p>
${jumpList(drawn)}
<div class="maps">${maps.map(({ name }) => box(name)).join('')}</div>`
}

function stackSection(histograms: readonly NamedHistogram[]): string {
  const phases = [...new Set(histograms.map(({ total }) => total.phase))]
  return `<h2>${pictureWords().page.histograms}</h2>${phases.map(phase => phaseSection(phase, histograms)).join('')}`
}

/** Links to the maps; a run with many hosts has up to 200. */
function jumpList(maps: Analysis['maps']): string {
  const links = maps.map(({ id }) => `<a href="#access-map-${id}">${escapeHtml(idTitle(id))}</a>`)
  const { allStructures } = pictureWords().page
  return `<details${maps.length <= 24 ? ' open' : ''}><summary>${allStructures}</summary>${links.join(' · ')}</details>`
}

function box(name: string): string {
  return `<div class="chart" id="${name}"></div>`
}

function cutOff({ isWhole }: Analysis): string {
  return isWhole ? '' : ` <strong>${pictureWords().page.cutOff}</strong>`
}

function phaseSection(phase: number, histograms: readonly NamedHistogram[]): string {
  const here = histograms.filter(({ total }) => total.phase === phase)
  const heading = pictureWords().page.phaseHeading(phase, phaseTitle(phase))
  return `<h3>${escapeHtml(heading)}</h3>${histogramBoxes(here)}`
}

/** Boxes with histograms. Those with a single bar are folded: their captions say it all. */
export function histogramBoxes(
  histograms: readonly NamedHistogram[],
  nameOf = ({ id }: StackTotal): string => idTitle(id),
): string {
  const grid = (some: readonly NamedHistogram[]) =>
    some.length === 0 ? '' : `<div class="histograms">${some.map(({ name }) => box(name)).join('')}</div>`
  const trivial = histograms.filter(({ isTrivial }) => isTrivial)
  if (trivial.length === 0) return grid(histograms)
  const names = trivial.map(({ total }) => nameOf(total)).join(', ')
  const summary = pictureWords().page.trivial(trivial.length, names)
  return `${grid(histograms.filter(({ isTrivial }) => !isTrivial))}
<details><summary>${escapeHtml(summary)}</summary>${grid(trivial)}</details>`
}
