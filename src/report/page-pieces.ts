import type { Ranking } from '../base/structures/ranking.ts'
import { language } from '../base/words/language.ts'
import { printable } from '../base/words/printable.ts'
import { shownCount, shownDecimal } from '../base/words/quantity.ts'
import { escapeHtml, htmlTable } from '../charts/chart-page.ts'
import { type Noun, words } from './report-words.ts'

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

export type Card = readonly [name: string, value: string, note: string, mood?: 'good' | 'bad' | '']

export function cards(all: readonly Card[]): string {
  const shown = all.map(
    ([name, value, note, mood = '']) =>
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
  const cells = rows.map(row => row.map(text))
  return htmlTable(heads.map(text), cells, kind)
}

/** How many rows are visible at first; a click shows the others, and says how many there are. */
const ROWS_AT_ONCE = 12

/** A table of HTML cells, with only the first rows visible. `noun` says what the rows are. */
export function foldedTable(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  noun: Noun,
  kind = '',
): string {
  const part = (from: number, to?: number) => htmlTable(heads.map(text), rows.slice(from, to), kind)
  // Folding a single row would take as much room as the row.
  if (rows.length <= ROWS_AT_ONCE + 1) return part(0)
  const more = rows.length - ROWS_AT_ONCE
  const summary = text(noun(more, words().more(shownCount(more))))
  return `${part(0, ROWS_AT_ONCE)}\n<details><summary>${summary}</summary>${part(ROWS_AT_ONCE)}</details>`
}

interface BarStyle {
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
  const hidden = names === 0 ? '' : note(words().together(noun(names, words().more(shownCount(names))), counted(count)))
  return foldedTable([], rows, noun, 'bars') + hidden
}

interface StripPart {
  readonly name: string
  readonly count: number
  /** In CSS. */
  readonly colour: string
}

/** Parts of a whole, side by side. */
export function strip(parts: readonly StripPart[]): string {
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

/** `2026-03-01, 10:00 UTC` of an ISO time; in Portuguese `01/03/2026, 10:00 UTC`. */
export function shownTime(iso: string): string {
  return `${day(iso)}, ${iso.slice(11, 16)} ${words().utc}`
}

/** `2026-03-01, 10:00 – 10:45 UTC` of two ISO times; the second may be unknown. */
export function shownSpan(from: string, to: string | undefined): string {
  if (to === undefined) return shownTime(from)
  const start = `${day(from)}, ${from.slice(11, 16)}`
  return `${start} – ${day(to) === day(from) ? '' : `${day(to)}, `}${to.slice(11, 16)} ${words().utc}`
}

function day(iso: string): string {
  const [year = '', month = '', date = ''] = iso.slice(0, 10).split('-')
  return language() === 'pt' ? `${date}/${month}/${year}` : `${year}-${month}-${date}`
}
