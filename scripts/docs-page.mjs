// One HTML page of a report: title page, contents, chapters; laid out for A4.
import { fillGaps, LANGUAGES, readChapters } from './docs-chapters.mjs'
import { renderChapters } from './docs-html.mjs'
import { TABLES } from './docs-tables.mjs'

const styleOf = lineHeight => `
@page { size: A4; margin: 24mm 22mm 22mm; @bottom-center { content: counter(page); font: 9pt 'Liberation Sans', Arial, sans-serif; color: #555 } }
@page :first { @bottom-center { content: none } }
* { box-sizing: border-box }
body { margin: 0; font: 10.5pt/${lineHeight} 'Liberation Serif', 'Times New Roman', serif; color: #111; text-align: justify; hyphens: auto }
h1, h2, h3, .title, table, figcaption, .table-caption, nav { font-family: 'Liberation Sans', Arial, sans-serif; text-align: left; hyphens: manual }
h1 { font-size: 18pt; line-height: 1.2; margin: 0 0 6mm; break-after: avoid }
section h1 { margin-top: 14mm }
nav + section h1, .appendix h1 { margin-top: 0; break-before: page }
h2 { font-size: 13pt; margin: 8mm 0 2.5mm; break-after: avoid }
h3 { font-size: 10.5pt; margin: 5mm 0 1.5mm; break-after: avoid }
h1 .number, h2 .number { color: #1b5e8c; margin-right: .35em }
p { margin: 0 0 2.6mm; orphans: 3; widows: 3 }
ul, ol { margin: 0 0 3mm; padding-left: 6mm }
li { margin-bottom: 1.2mm }
a { color: #1b5e8c; text-decoration: none }
code { font: .86em 'DejaVu Sans Mono', 'Liberation Mono', monospace; hyphens: manual }
p code, li code { overflow-wrap: anywhere }
pre { font: 8.2pt/1.4 'DejaVu Sans Mono', 'Liberation Mono', monospace; background: #f4f6f8; border-left: 2.5pt solid #1b5e8c;
  padding: 3mm 4mm; margin: 3mm 0 4mm; white-space: pre-wrap; break-inside: avoid; text-align: left }
pre code { font-size: inherit }
table { border-collapse: collapse; width: 100%; margin: 1.5mm 0 5mm; font-size: 8.4pt; line-height: 1.35 }
thead { display: table-header-group }
th { text-align: left; border-top: 1.2pt solid #111; border-bottom: .7pt solid #111; padding: 1.2mm 1.6mm; vertical-align: bottom }
td { border-bottom: .35pt solid #bbb; padding: 1.1mm 1.6mm; vertical-align: top; overflow-wrap: break-word }
tr, table.short { break-inside: avoid }
tbody tr:last-child td { border-bottom: 1.2pt solid #111 }
td[align=right], th[align=right] { text-align: right }
td[align=right] { font-variant-numeric: tabular-nums; white-space: nowrap }
td[align=center], th[align=center] { text-align: center }
li[id] { list-style: none; margin: 0 0 .8mm -6mm; font-size: 9.4pt; line-height: 1.35 }
.table-caption { font-size: 8.8pt; margin: 4mm 0 0; break-after: avoid }
figure { margin: 4mm 0 5mm; break-inside: avoid; text-align: center }
figure img { max-width: 100%; max-height: 92mm }
figcaption { font-size: 8.8pt; line-height: 1.35; margin-top: 1.5mm; text-align: left }
.beside { display: flex; gap: 6mm; break-inside: avoid }
.beside figure { flex: 1; margin-top: 0 }
.title { height: 245mm; display: flex; flex-direction: column; justify-content: center }
.title h1 { font-size: 40pt; margin: 0 0 4mm; color: #1b5e8c }
.title .subtitle { font-size: 16pt; line-height: 1.3; margin-bottom: 26mm }
.title p { font-size: 11pt; margin: 0 0 2mm }
.title .foot { color: #555; font-size: 9pt; margin-top: 30mm }
nav { break-before: page }
nav a { display: flex; color: inherit; gap: 2mm; padding: .7mm 0 }
nav a.level-1 { font-weight: bold; margin-top: 2.6mm }
nav a.level-2 { padding-left: 7mm; font-size: 9.6pt }
nav .dots { flex: 1; border-bottom: .8pt dotted #999; transform: translateY(-1.2mm) }
`

/**
 * The page, and what is in it: { html, headings, figures, tables }. `facts` fill the gaps of the text, `figures` is the
 * folder of the experiment's pictures, and `pageOf` tells on which page a heading's id is, where that is known already. `lineHeight` moves
 * the ends of pages.
 */
export function reportPage({ language, facts, figures, pageOf = () => '', lineHeight = 1.45 }) {
  const words = LANGUAGES[language]
  const chapters = readChapters(language).map(text => fillGaps(text, { language, facts, tables: TABLES }))
  const rendered = renderChapters(chapters, language, figures)
  const contents = rendered.headings.map(({ id, level, number, title }) => {
    const entry = `<span>${number}</span><span>${title}</span><span class="dots"></span><span>${pageOf(id)}</span>`
    return `<a class="level-${level}" href="#${id}">${entry}</a>`
  })
  const html = `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><title>${words.title}: ${words.subtitle}</title><style>${styleOf(lineHeight)}</style></head>
<body>
<header class="title"><h1>${words.title}</h1><div class="subtitle">${words.subtitle}</div>
<p><b>${words.authors}</b></p><p>${words.course}</p><p>${words.school}</p><p class="foot">Escalona ${facts.report.version} · ${facts.report.date}</p></header>
<nav><h1>${words.contents}</h1>${contents.join('\n')}</nav>
${rendered.html}
</body></html>
`
  return { ...rendered, html }
}
