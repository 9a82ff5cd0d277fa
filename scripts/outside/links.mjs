// The links of real pages, with their texts and rels, beside those in the tree of parse5.

import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { variousPages } from './support/debian-docs.mjs'
import { ownModules } from './support/own-modules.mjs'

const PAGES = 1000
const URL_OF_PAGE = 'http://debian.example/a/b/c/d.html'

export async function check(context) {
  const { extract, decodePage, treeLinks } = await ownModules(context, [
    'src/extract/extract',
    'src/extract/charset',
    'test/extract/parse5-oracle',
  ])
  let links = 0
  const wrong = []
  for (const path of await variousPages(context, PAGES)) {
    const body = readFileSync(path)
    const page = { body, url: URL_OF_PAGE, contentType: 'text/html', robotsTags: [], agent: '' }
    const { anchors } = extract({ ...page, wanted: { anchors: true } })
    const ours = anchors.map(({ url, text, rel }) => ({ href: url.href, text, rel }))
    const theirs = treeLinks(decodePage(body, 'text/html').bytes.toString(), URL_OF_PAGE)
    links += theirs.length
    if (!isDeepStrictEqual(ours, theirs)) wrong.push(path)
  }
  if (wrong.length > 0) throw new Error(`the links of ${wrong.length} pages differ: ${wrong.slice(0, 3).join(', ')}`)
  return `${links} links of ${PAGES} pages are the same`
}
