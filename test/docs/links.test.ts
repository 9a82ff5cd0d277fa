import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** The assignment's documentation: its figures are made with its PDF. */
const MADE = join('docs', 'report')

function pages(): string[] {
  const documents = readdirSync(join(ROOT, 'docs'), { recursive: true }).map(name => join('docs', String(name)))
  const others = ['README.md', 'README.pt-BR.md', 'CONTRIBUTING.md', 'CHANGELOG.md', join('bench', 'README.md')]
  return [...others, ...documents.filter(name => name.endsWith('.md') && !name.startsWith(MADE))].map(name =>
    join(ROOT, name),
  )
}

/** As GitHub makes them: lower case, without punctuation, blanks as dashes; a number after those that were there before. */
function anchorsOf(text: string): string[] {
  const anchors = [...text.matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
  return anchors.map((anchor, n) => {
    const before = anchors.slice(0, n).filter(other => other === anchor).length
    return before === 0 ? anchor : `${anchor}-${before}`
  })
}

test('ours: every link of the documents leads to a file and a heading that are there', () => {
  const broken: string[] = []
  for (const page of pages()) {
    // What is typed or printed is no link.
    const text = readFileSync(page, 'utf8')
      .replace(/^```[\s\S]*?^```/gm, '')
      .replace(/`[^`\n]*`/g, '')
    for (const [, target] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target!)) continue
      const [path = '', anchor] = target!.split('#')
      const file = path === '' ? page : join(dirname(page), path)
      const isThere = existsSync(file)
      const hasHeading = anchor === undefined || (isThere && anchorsOf(readFileSync(file, 'utf8')).includes(anchor))
      if (!isThere || !hasHeading) broken.push(`${relative(ROOT, page)}: ${target}`)
    }
  }
  assert.deepEqual(broken, [])
})
