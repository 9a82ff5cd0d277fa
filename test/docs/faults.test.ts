import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

/** The repository; this file is compiled to build/test/docs/. */
const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

test('ours: every test that docs/faults.md names is there, and every row names one', () => {
  const page = readFileSync(join(ROOT, 'docs', 'faults.md'), 'utf8')
  const rows = page.split('\n').filter(line => /^\| (?!fault \|)/.test(line))
  assert.ok(rows.length > 35, `only ${rows.length} faults`)
  for (const row of rows) {
    const tests = row.split(' | ').at(-1)!.replace(/ \|$/, '')
    const named = [...tests.matchAll(/`((?:[\w-]+\/)*[\w-]+)`(?:: ([^`]+?)(?=, `|$))?/g)]
    assert.ok(named.length > 0, `no test is named: ${row}`)
    for (const [, file, title] of named) {
      const text = readFileSync(join(ROOT, 'test', `${file}.test.ts`), 'utf8')
      const names = [...text.matchAll(/\btest(?:OnEngines)?\(\s*(['`])(.*)\1/g)].map(match => match[2]!)
      assert.ok(names.length > 0, `${file} has no test`)
      if (title !== undefined)
        assert.ok(
          names.some(name => name.includes(title)),
          `${file} has no test: ${title}`,
        )
    }
  }
})
