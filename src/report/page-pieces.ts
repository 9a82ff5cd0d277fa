import { printable } from '../base/words/printable.ts'
import { shownCount } from '../base/words/quantity.ts'
import { escapeHtml } from '../charts/chart-page.ts'
import { type Ranking, sumsOf } from '../base/structures/ranking.ts'

/** Text from outside as it may stand in the page: no markup, and nothing invisible that could turn the text around. */
export function text(raw: string): string {
  return escapeHtml(printable(raw))
}

const MOST_SHOWN = 80

/** A text of which the middle is left out when it is long; the mouse shows all of it. */
function shortened(raw: string): string {
  const chars = Array.from(raw)
  if (chars.length <= MOST_SHOWN) return text(raw)
  const [start, end] = [chars.slice(0, MOST_SHOWN / 2).join(''), chars.slice(-MOST_SHOWN / 2).join('')]
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

/** A box with a heading. `inside` is HTML. */
export function panel(heading: string, inside: string): string {
  return `<section class="panel"><h3>${text(heading)}</h3>${inside}</section>`
}

/** A box with a picture that the script draws, and the same numbers as a table for who can't see it. */
export function chartPanel(heading: string, id: string, note: string, table: string): string {
  return panel(
    heading,
    `<p>${text(note)}</p><div class="chart" id="${id}" role="img" aria-label="${text(heading)}"></div>` +
      `<details><summary>The numbers</summary><div class="scroll">${table}</div></details>`,
  )
}

/** A plain table. Cells are texts. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[], kind = ''): string {
  const row = (cells: readonly string[], tag: 'th' | 'td') =>
    `<tr>${cells.map(cell => `<${tag}>${text(cell)}</${tag}>`).join('')}</tr>`
  const head = heads.length === 0 ? '' : `<thead>${row(heads, 'th')}</thead>`
  return `<table class="${kind}">${head}<tbody>${rows.map(cells => row(cells, 'td')).join('')}</tbody></table>`
}

export interface BarStyle {
  /** The class of a name's bar. */
  readonly kind: (name: string) => string
  readonly label?: (name: string) => string
  /** A sentence about the name. */
  readonly why?: (name: string) => string
  /** What the others are that are not named: `hosts`. */
  readonly noun: string
}

/** Names with bars and counts, readable without a script. */
export function bars(all: Ranking, { kind, label = name => name, why, noun }: BarStyle): string {
  const longest = all.top[0]?.count ?? 0
  const rows = all.top.map(({ name, count }) => {
    const sentence = why?.(name) ?? ''
    const below = sentence === '' ? '' : `<span class="why">${text(sentence)}</span>`
    const width = ((count / longest) * 100).toFixed(1)
    return (
      `<tr><td>${shortened(label(name))}${below}</td>` +
      `<td><span class="bar ${kind(name)}" style="width:${width}%"></span></td><td>${shownCount(count)}</td></tr>`
    )
  })
  const { names, count } = all.others
  if (names > 0) {
    rows.push(
      `<tr><td class="faint">${shownCount(names)} other ${noun}</td><td></td><td>${shownCount(count)}</td></tr>`,
    )
  }
  return `<div class="tall"><table class="bars"><tbody>${rows.join('')}</tbody></table></div>`
}

/** How many there are, and how many of them are shown. */
export function countOf(all: Ranking, noun: string): string {
  const { names } = sumsOf(all)
  return `${shownCount(names)} ${noun}${names > all.top.length ? `; the ${all.top.length} largest are named` : ''}`
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
