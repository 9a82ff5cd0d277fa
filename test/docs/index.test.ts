// docs/README.md is the way in: every page is there, once.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const DOCS = join(ROOT, 'docs')

function linksOf(page: string): string[] {
  const rows = readFileSync(join(DOCS, page), 'utf8').matchAll(/^\|.*\|$/gm)
  return [...rows].flatMap(([row]) => [...row.matchAll(/\]\(([^)]+)\)/g)].map(([, target]) => target!))
}

test('documentation: the index of both languages has every page, once', () => {
  const isIndex = (name: string) => name.startsWith('README.')
  const all = readdirSync(DOCS).filter(name => name.endsWith('.md') && !isIndex(name))
  const portuguese = all.filter(name => name.endsWith('.pt-BR.md'))
  const english = all.filter(name => !portuguese.includes(name))
  const own = (links: readonly string[]) => links.filter(name => all.includes(name)).sort()
  assert.deepEqual(own(linksOf('README.md')), english.sort())
  const translated = english.map(name => name.replace('.md', '.pt-BR.md')).filter(name => portuguese.includes(name))
  const others = english.filter(name => !portuguese.includes(name.replace('.md', '.pt-BR.md')))
  assert.deepEqual(own(linksOf('README.pt-BR.md')), [...translated, ...others].sort())
  assert.equal(linksOf('README.pt-BR.md').length, linksOf('README.md').length)
})

test('documentation: pages in both languages have the same headings, rows and code', () => {
  const shapeOf = (name: string) => {
    const text = readFileSync(join(DOCS, name), 'utf8')
    const lines = (pattern: RegExp) => [...text.matchAll(pattern)].length
    const blocks = [...text.matchAll(/^```(?:sh|js|toml|ini)\n[\s\S]*?^```/gm)].map(([block]) => block)
    return { headings: lines(/^#+ /gm), rows: lines(/^\|/gm), points: lines(/^- /gm), blocks }
  }
  for (const name of ['recipes', 'faq', 'manners'])
    assert.deepEqual(shapeOf(`${name}.pt-BR.md`), shapeOf(`${name}.md`), name)
})

test('documentation: the command line and both READMEs say where it is', () => {
  const { homepage } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { readonly homepage: string }
  const overview = readFileSync(join(ROOT, 'src', 'cli', 'overview.ts'), 'utf8')
  assert.equal(overview.split(`${homepage}/tree/main/docs`).length, 3)
  assert.match(readFileSync(join(ROOT, 'README.md'), 'utf8'), /\(docs\/README\.md\)/)
  assert.match(readFileSync(join(ROOT, 'README.pt-BR.md'), 'utf8'), /\(docs\/README\.pt-BR\.md\)/)
})
