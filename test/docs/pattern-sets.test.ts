import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { PATTERN_SETS } from '../../src/settings/pattern-sets.ts'

test('docs: the table of pattern sets has a row for each form, with its example', () => {
  const guide = readFileSync('docs/web-urls.md', 'utf8').split('\n')
  for (const [name, forms] of Object.entries(PATTERN_SETS)) {
    const examples = guide
      .filter(line => line.startsWith(`| \`${name}\` |`))
      .map(line => /`([^`]*)` \|$/.exec(line)?.[1])
    assert.deepEqual(
      examples,
      forms.map(({ like }) => like),
    )
  }
})
