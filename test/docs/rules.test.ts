import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** What the tests are called, as far as a name begins with where its rule comes from: `[file, source]`. */
const SOURCES = readdirSync(join(ROOT, 'test'), { recursive: true })
  .map(String)
  .filter(name => name.endsWith('.ts'))
  .flatMap(name => {
    const text = readFileSync(join(ROOT, 'test', name), 'utf8')
    return [...text.matchAll(/(?:\b(?:test|describe|suite)\(\s*|\bsays: )['"`]([^:'"`]+): /g)].map(
      ([, source]) => [name, source!] as const,
    )
  })

test('house: every rule that a test cites is in docs/rules.md', () => {
  const rules = readFileSync(join(ROOT, 'docs', 'rules.md'), 'utf8')
  const cited = SOURCES.filter(([, source]) => /^rules? \d/.test(source))
  assert.ok(cited.length > 200, `${cited.length} tests`)
  const missing = cited.filter(([, source]) =>
    source.match(/\d+(?:\.\d+)?/g)!.some(number => !rules.includes(`\n| ${number} | `)),
  )
  assert.deepEqual(missing, [])
})

test('house: no test is called after what is not in the repository', () => {
  const outside = SOURCES.filter(([, source]) => /^(?:issue|SPEC)\b/.test(source))
  assert.deepEqual(outside, [])
})
