// Pages to read, always the same ones: those of the crawl benchmark, and one with the markup of pages in the wild.
const WORDS =
  'lorem dolor amet frontier crawl host queue depth url page robots archive link graph polite strategy minas gerais'.split(
    ' ',
  )
const PAGE_BYTES = 20_000
const LINKS = 31

/** Chance that can be repeated. */
function source(seed) {
  let state = seed
  return limit => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

function words(below, count) {
  return Array.from({ length: count }, () => WORDS[below(WORDS.length)]).join(' ')
}

/** Mostly text, links in paragraphs of their own: like the static web of the crawl benchmark. */
function plainPage(below) {
  let html = `<!doctype html><html lang="pt"><head><meta charset="utf-8"><title>Page ${below(100)}</title></head><body>\n`
  for (let link = 0; link < LINKS; link++) {
    const path = `/s${below(7)}/a/page-${below(100)}.html`
    const href = below(5) === 0 ? `http://127.10.0.${below(200)}:8085${path}` : path
    html += `<p><a href="${href}">${words(below, 1)}</a></p>\n`
  }
  while (html.length < PAGE_BYTES) html += `<p>${words(below, 60)}</p>\n`
  return `${html}</body></html>\n`
}

/** Mostly markup: classes, nested boxes, inline scripts and styles, references, accents. */
function busyPage(below) {
  const script = `<script type="text/javascript">for (var i = 0; i < ${below(99)}; i++) { if (a[i] < b && c > d) e(i) }</script>`
  let html = `<!doctype html>\n<html lang="pt-br">\n<head>\n<meta charset="utf-8">\n<title>Notícias &amp; mais ${below(100)}</title>
<style>.card > .title { color: #333; } .nav li { display: inline }</style>\n${script.repeat(3)}</head><body class="home page">\n`
  for (let link = 0; html.length < PAGE_BYTES; link++) {
    html += `<div class="card card-${below(9)}" id="c${link}" data-kind='x' data-place="${below(1000)}"><!-- card -->\n`
    if (link < LINKS) {
      html += `<a class="title" href="${below(5) === 0 ? '../' : '/'}${WORDS[below(WORDS.length)]}/${below(1000)}?a=${below(9)}&amp;b=${below(9)}" title="x">`
      html += `<b>${words(below, 2)}</b> ação</a>\n`
    }
    html += `<p class="text">${words(below, 9)} &mdash; <i>${words(below, 2)}</i>, não &nbsp;é <span>${words(below, 3)}</span>.</p>\n`
    html += `<img src="/i/${below(999)}.png" alt="${words(below, 3)}" width=40 height=30><br/>\n</div>\n`
  }
  return `${html}${script}</body></html>\n`
}

/** `count` different pages of each kind. */
export function pages(count) {
  const below = source(42)
  const some = make => Array.from({ length: count }, () => Buffer.from(make(below)))
  return { plain: some(plainPage), busy: some(busyPage) }
}
