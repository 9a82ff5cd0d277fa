// Markdown chapters to HTML with numbers: chapters, sections, figures, tables; references become links.
import { readFileSync } from 'node:fs'
import { Marked, Renderer } from 'marked'
import { LANGUAGES, pictureFile } from './docs-chapters.mjs'

/** Where links lead that point to other files of the repository. */
const { homepage } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
/** A table of at most so many rows stays on one page. */
const SHORT_TABLE = 12
const FIGURE = /(?:figures|drawings)\/[\w-]+\.svg$/
/** A work in the bibliography, and where it is cited: [Author 1970]. */
const CITATION = /\[([A-Z][\w .&-]*? \d{4})\](?!\()/g

/**
 * Renders filled chapters with the pictures of an experiment's folder. Tells the HTML of all, and what is in it: headings as { id, level, number, title }, figures as
 * { number, source, caption }, and the captions of the tables.
 */
export function renderChapters(chapters, language, figures) {
  const words = LANGUAGES[language]
  const found = { headings: [], figures: [], tables: [] }
  const numbers = figureNumbers(chapters)
  let chapter = 0
  let section = 0
  const numbered = isAppendix => (isAppendix ? 'A' : String(chapter))

  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const title = this.parser.parseInline(tokens)
        const isAppendix = chapter === chapters.length
        if (depth > 2) return `<h3>${title}</h3>\n`
        if (depth === 2) section++
        const number = depth === 1 ? numbered(isAppendix) : `${numbered(isAppendix)}.${section}`
        const id = `section-${number}`
        found.headings.push({ id, level: depth, number, title })
        const shown = isAppendix && depth === 1 ? `${words.appendix} ${number}.` : number
        return `<h${depth} id="${id}"><span class="number">${shown}</span> ${title}</h${depth}>\n`
      },
      paragraph({ tokens }) {
        const [only] = tokens
        const pictures = tokens.filter(token => token.type === 'image')
        if (pictures.length > 0 && tokens.every(token => token.type === 'image' || token.raw.trim() === '')) {
          const drawn = pictures.map(picture => figure(picture, this.parser)).join('')
          return pictures.length > 1 ? `<div class="beside">${drawn}</div>\n` : drawn
        }
        if (tokens.length === 1 && only.type === 'em' && only.text.startsWith(`${words.table}: `)) {
          const caption = this.parser.parseInline(only.tokens).slice(words.table.length + 2)
          found.tables.push(caption)
          return `<p class="table-caption"><b>${words.table} ${found.tables.length}.</b> ${caption}</p>\n`
        }
        return `<p>${this.parser.parseInline(tokens)}</p>\n`
      },
      table(token) {
        const html = Renderer.prototype.table.call(this, token)
        return token.rows.length <= SHORT_TABLE ? html.replace('<table>', '<table class="short">') : html
      },
      link({ href, tokens }) {
        const number = numbers.get(fileName(href))
        if (FIGURE.test(href) && number !== undefined)
          return `<a href="#figure-${number}">${words.figure} ${number}</a>`
        const target = /^https?:/.test(href) ? href : repositoryLink(language, href)
        return `<a href="${target}">${this.parser.parseInline(tokens)}</a>`
      },
    },
  })

  function figure({ href, text }, parser) {
    const number = numbers.get(fileName(href))
    const caption = parser.parseInline(marked.lexer(text)[0]?.tokens ?? [])
    found.figures.push({ number, source: href, caption })
    const picture = `<img src="${dataUri(pictureFile(language, href, figures))}" alt="${text.replaceAll('"', '&quot;')}">`
    const head = `<b>${words.figure} ${number}.</b>`
    return `<figure id="figure-${number}">${picture}<figcaption>${head} ${caption}</figcaption></figure>\n`
  }

  const html = chapters.map((text, i) => {
    chapter = i + 1
    section = 0
    const kind = chapter === chapters.length ? ' class="appendix"' : ''
    return `<section${kind}>\n${withCitations(marked.parse(text))}</section>\n`
  })
  return { html: html.join('\n'), ...found }
}

/** Figures are numbered in the order in which they stand, so that a reference may come before its figure. */
function figureNumbers(chapters) {
  const numbers = new Map()
  for (const [, source] of chapters.join('\n').matchAll(/^!\[.*\]\((\S+)\)$/gm)) {
    numbers.set(fileName(source), numbers.size + 1)
  }
  return numbers
}

function fileName(path) {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** In the bibliography a citation is the place that the others lead to. */
function withCitations(html) {
  return html
    .replace(/<li>(?:<p>)?<strong>\[([^\]]+)\]<\/strong>/g, (_, key) => `<li id="${anchor(key)}"><b>${key}.</b>`)
    .replace(CITATION, (_, key) => `<a class="citation" href="#${anchor(key)}">[${key}]</a>`)
}

export function anchor(key) {
  return `work-${key.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`
}

function repositoryLink(language, href) {
  const base = language === 'en' ? 'docs/report/' : `docs/report/${language}/`
  return new URL(href, `${homepage}/blob/main/${base}`).href
}

function dataUri(file) {
  return `data:image/svg+xml;base64,${readFileSync(file).toString('base64')}`
}
