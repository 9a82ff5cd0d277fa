import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const SRC = fileURLToPath(new URL('../../src/', import.meta.url))

/** True when the declaration of `name`, in this file or in one that it hands on, has a doc comment. Undefined when it is not there. */
function isDescribed(file: string, name: string): boolean | undefined {
  const text = readFileSync(file, 'utf8')
  const kinds = '(?:async )?(?:function\\*?|class|interface|type|const)'
  const own = new RegExp(`(\\*/\\n)?^export ${kinds} ${name}\\b`, 'm').exec(text)
  if (own !== null) return own[1] !== undefined
  for (const [, what, from] of text.matchAll(/^export (?:type )?(\*|\{[^}]*\}) from '([^']+)'/gm)) {
    if (what !== '*' && !new RegExp(`\\b${name}\\b`).test(what!)) continue
    const found = isDescribed(join(dirname(file), from!), name)
    if (found !== undefined) return found
  }
  return undefined
}

test('exports: everything that the library exports has a doc comment', () => {
  const index = readFileSync(join(SRC, 'index.ts'), 'utf8')
  const names = [...index.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list]) =>
    list!
      .split(',')
      .map(
        one =>
          one
            .trim()
            .replace(/^type /, '')
            .split(' as ')[0]!,
      )
      .filter(one => one !== ''),
  )
  assert.ok(names.length > 50)
  assert.deepEqual(
    names.filter(name => isDescribed(join(SRC, 'index.ts'), name) !== true),
    [],
  )
})
