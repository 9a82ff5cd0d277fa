// What the report says of itself and of the program must be there: chapters, tests, files, functions, works.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { CHAPTERS, fillGaps, GAP, LANGUAGES, numberText, readChapters } from './report-scripts.ts'

/** The repository; this file is compiled to build/test/docs/. */
const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const ENGLISH = readChapters('en')
const PORTUGUESE = readChapters('pt-BR')

function all(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(match => match[1] ?? match[0])
}

test('report chapters: the report has the chapters that the assignment names, in both languages', () => {
  const titles = ENGLISH.map(text => /^# (.+)$/m.exec(text)?.[1])
  assert.deepEqual(titles, [
    'Introduction',
    'Method',
    'Complexity',
    'Robustness',
    'Experimental analysis',
    'Conclusions',
    'Bibliography',
    'Instructions for building and running',
  ])
  assert.equal(PORTUGUESE.length, titles.length)
})

test('ours: both languages have the same headings, tables, figures, gaps, works and code', () => {
  const shapes: Readonly<Record<string, (text: string) => unknown>> = {
    headings: text => all(text, /^(#+) /gm),
    tableRows: text => all(text, /^\|/gm).length,
    captions: text => all(text, /^\*(?:Table|Tabela): /gm).length,
    figures: text => all(text, /^!\[[^\n]*\]\((?:\.\.\/)?(\S+)\)$/gm),
    gaps: text => all(text, GAP).length,
    namesOfGaps: text => new Set(text.match(GAP)),
    works: text => new Set(all(text, /\[([A-Z]\w+ \d{4})\]/g)),
    blocks: text => all(text, /^```/gm).length,
    tests: text => all(text, /`[\w-]+\/[\w-]+`: [^|)\n]+/g).map(one => one.trim()),
    files: text => new Set(all(text, /`src\/[\w/.-]+`/g)),
  }
  for (const [i, name] of CHAPTERS.entries()) {
    for (const [what, shapeOf] of Object.entries(shapes)) {
      assert.deepEqual(shapeOf(PORTUGUESE[i]!), shapeOf(ENGLISH[i]!), `${name}: ${what}`)
    }
  }
})

test('ours: every test that the chapter on robustness names is there', () => {
  const named = all(ENGLISH[3]!, /`([\w-]+\/[\w-]+`: [^|)\n]+)/g)
  assert.ok(named.length > 20, `only ${named.length} tests are named`)
  for (const one of named) {
    const [file, title] = one.split('`: ') as [string, string]
    const text = readFileSync(join(ROOT, 'test', `${file}.test.ts`), 'utf8')
    assert.ok(text.includes(`test('${title.trim()}'`), `${file} has no test: ${title}`)
  }
})

test('ours: every source file and function that the report names is there', () => {
  const text = ENGLISH.join('\n')
  for (const file of all(text, /`(src\/[\w/.-]+)`/g)) assert.ok(existsSync(join(ROOT, file)), file)
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true })
    .map(String)
    .filter(name => name.endsWith('.ts'))
    .map(name => readFileSync(join(ROOT, 'src', name), 'utf8'))
  const functions = /\n## Functions\n([\s\S]*?)\n## /.exec(text)![1]!
  let named = 0
  for (const cell of all(functions, /^\| (`[^|]+) \|/gm)) {
    const [first = '', ...others] = all(cell, /`([\w.]+)`/g)
    const [type, method] = first.split('.') as [string, string?]
    const home = sources.find(source => new RegExp(`\\b(?:class|function\\*?) ${type}\\b`).test(source))
    assert.ok(home !== undefined, `nobody defines ${type}`)
    for (const name of method === undefined ? [] : [method, ...others]) {
      assert.match(home, new RegExp(`^  (?:\\*)?${name}\\(`, 'm'), `${type} has no ${name}`)
      named++
    }
  }
  assert.ok(named > 30, `only ${named} functions are named`)
})

test('ours: every work that is cited is in the bibliography, and every work there is cited', () => {
  const listed = all(ENGLISH[6]!, /^- \*\*\[([^\]]+)\]\*\*/gm)
  const others = [...ENGLISH.slice(0, 6), ENGLISH[7]!].join('\n')
  assert.ok(listed.length > 8)
  assert.deepEqual([...new Set(all(others, /\[([A-Z]\w+ \d{4})\]/g))].sort(), [...listed].sort())
})

test('ours: links between the files of the repository lead somewhere', () => {
  const files = ['README.pt-BR.md', ...Object.values(LANGUAGES).flatMap(({ folder }) => markdownIn(folder))]
  let links = 0
  for (const file of files) {
    const text = readFileSync(join(ROOT, file), 'utf8').replace(/```[\s\S]*?```/g, '')
    for (const link of all(text, /\]\((?!https?:)([^)#\s]+)/g)) {
      links++
      const target = join(ROOT, dirname(file), link)
      assert.ok(link.includes('figures/') || existsSync(target), `${file} leads to ${link}`)
    }
  }
  assert.ok(links > 40, `only ${links} links`)
})

function markdownIn(folder: string): string[] {
  return readdirSync(folder)
    .filter(name => name.endsWith('.md'))
    .map(name => join(folder, name).slice(ROOT.length))
}

test('ours: gaps are filled with numbers as the language writes them, and a gap without a fact is an error', () => {
  const facts = { a: { b: 1234.5678 }, name: 'x', nothing: null }
  const wish = { language: 'en', facts, tables: { t: () => '| t |' } }
  assert.equal(fillGaps('{{a.b}} {{a.b:1}} {{name}} {{table:t}}', wish), '1,235 1,234.6 x | t |')
  assert.equal(fillGaps('{{a.b:1}}', { ...wish, language: 'pt-BR' }), '1.234,6')
  assert.equal(numberText(0.012345, 'en'), '0.0123')
  for (const gap of ['{{a.c}}', '{{nothing}}', '{{table:u}}']) assert.throws(() => fillGaps(gap, wish), /for \{\{/)
})
