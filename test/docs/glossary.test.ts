// One word for one thing: what people read is what docs/glossary.md lists.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { inLanguage } from '../../src/base/words/language.ts'
import { statusWords } from '../../src/cli/look/status-words.ts'
import { words as reportWords } from '../../src/report/report-words.ts'
import { historyWords } from '../../src/view/history-lines.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const rows = readFileSync(join(ROOT, 'docs', 'glossary.md'), 'utf8').matchAll(/^\| ([^|]+) \| ([^|]+) \| `(\w+)` \|/gm)
const WORDS = new Map([...rows].map(([, en, pt, name]) => [name!, { en: en!, pt: pt! }]))

test('glossary: explain, status and the report name the states of links by its words, in both languages', () => {
  for (const language of ['en', 'pt'] as const)
    inLanguage(language, () => {
      for (const [name, said] of Object.entries(historyWords().states))
        assert.equal(said, WORDS.get(name)?.[language], `explain: ${name}`)
      const { archived: done, leased, held, refused } = statusWords().waterfall
      const { archived, leased: fetched, held: kept } = reportWords().waterfall
      const shown = Object.entries({ done, leased, held, refused })
      for (const [name, said] of [...shown, ['done', archived], ['leased', fetched], ['held', kept]] as const)
        assert.ok(said.toLowerCase().startsWith(WORDS.get(name)![language]), `${name}: ${said}`)
    })
})
