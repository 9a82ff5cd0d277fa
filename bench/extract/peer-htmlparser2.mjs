// The same job as a good engineer does it with htmlparser2: links through `URL`, title, first words, number of words.
import { Parser } from 'htmlparser2'

const HIDDEN = new Set(['script', 'style', 'noscript', 'template', 'textarea', 'title', 'svg', 'iframe'])
const INLINE = new Set(['a', 'b', 'i', 'em', 'strong', 'span', 'img', 'u', 's', 'small', 'sub', 'sup', 'code'])

export function extract({ body, url }) {
  let title = ''
  let hidden = 0
  let inTitle = false
  let tokens = 0
  let last = ''
  const opening = []
  const links = new Set()
  const endWord = () => {
    if (last === '') return
    tokens++
    if (opening.length < 20) opening.push(last)
    last = ''
  }
  const parser = new Parser({
    onopentag(name, { href }) {
      if (HIDDEN.has(name)) hidden++
      if (name === 'title') inTitle = true
      if (!INLINE.has(name)) endWord()
      if ((name !== 'a' && name !== 'area') || href === undefined) return
      try {
        const target = new URL(href, url)
        target.hash = ''
        if (target.protocol === 'http:' || target.protocol === 'https:') links.add(target.href)
      } catch {
        // No URL, no link.
      }
    },
    ontext(text) {
      if (inTitle) title += text
      if (hidden > 0) return
      const parts = text.split(/\s+/)
      last += parts[0]
      for (let part = 1; part < parts.length; part++) {
        endWord()
        last = parts[part]
      }
    },
    onclosetag(name) {
      if (HIDDEN.has(name)) hidden--
      if (name === 'title') inTitle = false
      if (!INLINE.has(name)) endWord()
    },
  })
  parser.end(body.toString('utf8'))
  endWord()
  return { title: title.replace(/\s+/g, ' ').trim(), opening: opening.join(' '), tokens, links: [...links] }
}
