/** The style of the report, on top of that of every chart page. */
export const PAGE_STYLE = `
:root { --good: #2f9e8a; --look: #e0a030; --bad: #d9534a; --blue: #4c8dd6; --violet: #8e78d8; --grey: #9aa3b2; --back: var(--raised); --box: var(--paper) }
@media screen and (prefers-color-scheme: dark) { :root { --back: #14171d; --box: var(--raised) } }
body { background: var(--back) }
header { margin: 12px 0 24px }
header .faint { margin: 0 }
h1 { font-size: clamp(24px, 4.5vw, 36px); letter-spacing: -0.02em; margin: 4px 0 8px }
h2 { border: 0; margin: 36px 0 12px; padding: 0; letter-spacing: -0.01em }
h3 { margin: 0 0 2px }
.cards { display: grid; grid-template-columns: repeat(4, 1fr); gap: 12px }
.card, .panel { background: var(--box); border: 1px solid var(--line); border-radius: 10px; padding: 14px 16px; min-width: 0 }
.card .name { color: var(--faint); font-size: 13px }
.card .value { font-size: 27px; line-height: 1.25; font-weight: 650; letter-spacing: -0.02em; white-space: nowrap }
.card .note { color: var(--faint); font-size: 13px; line-height: 1.35 }
.card.good .value { color: var(--good) }
.card.bad .value { color: var(--bad) }
.panels { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 480px), 1fr)); gap: 16px }
.panels.three { grid-template-columns: repeat(auto-fit, minmax(min(100%, 340px), 1fr)) }
.panels.one { grid-template-columns: minmax(0, 1fr) }
.panels + .panels { margin-top: 16px }
.panel { display: flex; flex-direction: column }
.panel.wide { grid-column: 1 / -1 }
.panel > p { margin: 0 0 8px; font-size: 13px; color: var(--faint) }
.panel > :last-child { margin-bottom: 0 }
.chart { flex: 1 0 270px; height: 270px; min-height: 270px }
.strip { display: flex; height: 22px; border-radius: 6px; overflow: hidden; gap: 2px; margin: 10px 0 8px }
.strip > span { min-width: 2px }
.legend { display: flex; flex-wrap: wrap; gap: 4px 20px; margin: 0 0 8px; padding: 0; list-style: none; font-size: 13px; font-variant-numeric: tabular-nums }
.legend i { display: inline-block; width: 10px; height: 10px; border-radius: 3px; margin-right: 6px }
table { width: 100%; font-size: 14px }
th, td { padding: 4px 8px; vertical-align: top }
th:last-child, td:last-child { padding-right: 0 }
td:first-child, code { overflow-wrap: anywhere }
code { font-size: 12px; font-family: ui-monospace, 'DejaVu Sans Mono', monospace }
tr:last-child td { border-bottom: 0 }
.bars td:nth-child(2) { width: 34%; padding-top: 9px }
.bars td:nth-child(n+3) { white-space: nowrap; width: 1% }
.waterfall td:nth-child(2) { width: 55% }
.bar { display: block; height: 11px; min-width: 2px; border-radius: 3px; background: var(--blue) }
.bar.archived, .bar.s2 { background: var(--good) }
.bar.redirected { background: #7ab8ae }
.bar.failed, .bar.s5 { background: var(--bad) }
.bar.again, .bar.s4, .bar.leased { background: var(--look) }
.bar.refused { background: var(--violet) }
.bar.held { background: var(--grey) }
.why { display: block; color: var(--faint); font-size: 13px; line-height: 1.35 }
table:not(.words, .settings) td:not(:first-child) { white-space: nowrap }
.words th, .words td, .settings th, .settings td { text-align: left }
.words td:nth-child(2), .words th:nth-child(2) { white-space: nowrap }
.words td:last-child, .settings td { overflow-wrap: anywhere }
.settings td:first-child { color: var(--faint); padding-right: 16px }
.settings td:first-child, .option { white-space: nowrap }
.waterfall td:first-child { overflow-wrap: break-word }
.sampled { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 360px), 1fr)); gap: 12px 24px; margin: 0; padding: 0; list-style: none; font-size: 14px }
.sampled li { min-width: 0; max-width: none; overflow-wrap: anywhere }
details { margin-top: 8px; font-size: 13px }
summary { cursor: pointer; color: var(--accent); padding: 2px 0 }
.numbers .scroll { max-height: 300px; overflow-y: auto; margin-top: 6px }
footer { margin-top: 40px; font-size: 13px; color: var(--faint) }
@media (max-width: 760px) { .cards { grid-template-columns: repeat(2, 1fr) } }
@media (max-width: 560px) {
  main { padding: 12px 12px 40px }
  .cards { gap: 8px }
  .card { padding: 10px 12px }
  .card .value { font-size: 20px }
  .panel { padding: 12px }
  .bars td:nth-child(2) { width: 22% }
  .waterfall td:nth-child(2) { width: 30% }
}
html.printing .panels { display: block }
html.printing .panels.charts { display: grid; grid-template-columns: 1fr 1fr; gap: 10px }
html.printing .panels.charts .panel:last-child:nth-child(odd) { grid-column: 1 / -1 }
html.printing .panel { padding: 10px 12px }
html.printing .chart { height: 220px; min-height: 220px; flex: none }
@media print {
  body { background: none }
  h2 { margin-top: 20px }
  .cards { grid-template-columns: repeat(4, 1fr); gap: 6px; break-inside: avoid }
  .card .value { font-size: 18px }
  .panels { display: block }
  .panels.charts { display: grid; grid-template-columns: 1fr 1fr; gap: 10px }
  .panel { display: block; margin: 0 0 10px; border-radius: 6px; padding: 10px 12px }
  .panels.charts .panel { margin: 0 }
  .panels.charts .panel:last-child:nth-child(odd) { grid-column: 1 / -1 }
  .panels + .panels { margin-top: 10px }
  .panel > p { break-after: avoid }
  .panel:has(.chart, .strip, .waterfall), .panel:has(tr):not(:has(tr:nth-child(9))), .card, .sampled li { break-inside: avoid }
  .chart { height: 220px; min-height: 220px }
  .sampled { grid-template-columns: 1fr 1fr }
  .numbers { display: none }
  tr, .legend { break-inside: avoid }
}
`
