import type { Ranking } from '../base/structures/ranking.ts'
import { printable } from '../base/words/printable.ts'
import { shownCount, shownDecimal } from '../base/words/quantity.ts'
import { escapeHtml } from '../charts/chart-page.ts'
import { words } from './report-words.ts'

/** Makes text from outside safe for the page: no markup, and nothing invisible that could reorder the text. */
export function text(raw: string): string {
  return escapeHtml(printable(raw))
}

/** A sentence of ours; no line breaks inside the name of an option. */
export function prose(sentence: string): string {
  return text(sentence).replace(/--[a-z-]+/g, '<span class="option">$&</span>')
}

const MOST_SHOWN = 80

/** A text without its middle when it is long; hovering shows all of it. */
export function shortened(raw: string, most = MOST_SHOWN): string {
  const chars = Array.from(raw)
  if (chars.length <= most) return text(raw)
  const [start, end] = [chars.slice(0, most / 2).join(''), chars.slice(-most / 2).join('')]
  return `<span title="${text(raw)}">${text(start)}…${text(end)}</span>`
}

export interface Card {
  readonly name: string
  readonly value: string
  readonly note: string
  readonly mood?: 'good' | 'bad'
}

export function cards(all: readonly Card[]): string {
  const shown = all.map(
    ({ name, value, note, mood = '' }) =>
      `<div class="card ${mood}"><div class="name">${text(name)}</div>` +
      `<div class="value">${text(value)}</div><div class="note">${text(note)}</div></div>`,
  )
  return `<div class="cards">${shown.join('')}</div>`
}

export function section(heading: string, panels: readonly string[], kind = ''): string {
  return `<h2>${text(heading)}</h2><div class="panels ${kind}">${panels.join('\n')}</div>`
}

/** A box with a heading. `inside` is HTML. */
export function panel(heading: string, inside: string, kind = ''): string {
  return `<section class="panel ${kind}"><h3>${text(heading)}</h3>${inside}</section>`
}

/** A box with a sentence that says why there is nothing to show. */
export function emptyPanel(heading: string, sentence: string): string {
  return panel(heading, note(sentence))
}

export function note(sentence: string): string {
  return `<p>${prose(sentence)}</p>`
}

/** A box with a chart that the script draws, and the same numbers as a table for those who can't see it. */
export function chartPanel(heading: string, id: string, sentence: string, numbers: string): string {
  return panel(
    heading,
    `${note(sentence)}<div class="chart" id="${id}" role="img" aria-label="${text(heading)}"></div>` +
      `<details class="numbers"><summary>${text(words().numbers)}</summary><div class="scroll">${numbers}</div></details>`,
  )
}

/** A plain table. Cells are texts. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[], kind = ''): string {
  return htmlTable(
    heads,
    rows.map(cells => cells.map(text)),
    kind,
  )
}

/** A table whose cells are HTML; it scrolls inside its box when the window is narrow. */
export function htmlTable(heads: readonly string[], rows: readonly (readonly string[])[], kind = ''): string {
  return tableAround(heads, rows.map(htmlRow).join(''), kind)
}

function htmlRow(cells: readonly string[]): string {
  return `<tr>${cells.map(cell => `<td>${cell}</td>`).join('')}</tr>`
}

function tableAround(heads: readonly string[], body: string, kind: string): string {
  const cells = heads.map(head => `<th>${text(head)}</th>`).join('')
  const head = heads.length === 0 ? '' : `<thead><tr>${cells}</tr></thead>`
  return `<div class="scroll"><table class="${kind}">${head}<tbody>${body}</tbody></table></div>`
}

/** How many rows are visible at first; a click shows the others, and says how many there are. */
const ROWS_AT_ONCE = 12

/** `3 hosts` */
export type Noun = (count: number, shown: string) => string

/** A table of HTML cells, with only the first rows visible. `noun` says what the rows are. */
export function foldedTable(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  noun: Noun,
  kind = '',
): string {
  const html = rows.map(htmlRow)
  // Folding a single row would take as much room as the row.
  if (rows.length <= ROWS_AT_ONCE + 1) return tableAround(heads, html.join(''), kind)
  const more = rows.length - ROWS_AT_ONCE
  const summary = text(noun(more, words().more(shownCount(more))))
  return `${tableAround(heads, html.slice(0, ROWS_AT_ONCE).join(''), kind)}
<details><summary>${summary}</summary>${tableAround(heads, html.slice(ROWS_AT_ONCE).join(''), kind)}</details>`
}

export interface BarStyle {
  /** The class of a name's bar. */
  readonly kind?: (name: string) => string
  readonly label?: (name: string) => string
  /** HTML below the name. */
  readonly about?: (name: string) => string
  readonly noun: Noun
  /** What is counted: `5 pages`. */
  readonly counted: Noun
}

/** Names with bars and counts, readable without JavaScript. */
export function bars(all: Ranking, { kind = () => '', label = name => name, about, noun, counted }: BarStyle): string {
  const longest = all.top[0]?.count ?? 0
  const rows = all.top.map(({ name, count }) => {
    const width = ((count / longest) * 100).toFixed(1)
    const bar = `<span class="bar ${kind(name)}" style="width:${width}%"></span>`
    return [`${shortened(label(name))}${about?.(name) ?? ''}`, bar, shownCount(count)]
  })
  const { names, count } = all.others
  const hidden =
    names === 0
      ? ''
      : note(words().together(noun(names, words().more(shownCount(names))), counted(count, shownCount(count))))
  return foldedTable([], rows, noun, 'bars') + hidden
}

export interface Part {
  readonly name: string
  readonly count: number
  /** In CSS. */
  readonly colour: string
}

/** Parts of a whole, side by side. */
export function strip(parts: readonly Part[]): string {
  const there = parts.filter(({ count }) => count > 0)
  const pieces = there.map(({ count, colour }) => `<span style="flex:${count};background:${colour}"></span>`)
  const legend = there.map(
    ({ name, count, colour }) => `<li><i style="background:${colour}"></i>${text(name)} ${shownCount(count)}</li>`,
  )
  return `<div class="strip">${pieces.join('')}</div><ul class="legend">${legend.join('')}</ul>`
}

/** `12.3 %` of a whole. */
export function share(part: number, whole: number): string {
  return whole === 0 ? '–' : `${shownDecimal((part / whole) * 100, 1)} %`
}
