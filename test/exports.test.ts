import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
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

/** The names that an entry point exports, and how they are called where they are declared. */
function namesOf(entry: string): { readonly name: string; readonly declared: string }[] {
  const text = readFileSync(join(SRC, entry), 'utf8')
  return [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list]) =>
    list!.split(',').flatMap(one => {
      const [declared = '', name = declared] = one
        .trim()
        .replace(/^type /, '')
        .split(' as ')
      return declared === '' ? [] : { name, declared }
    }),
  )
}

const ENTRY_POINTS = readdirSync(SRC).filter(name => name.endsWith('.ts'))

test('exports: package.json names each entry point of src', () => {
  const { exports } = JSON.parse(readFileSync(join(SRC, '..', 'package.json'), 'utf8')) as { exports: object }
  const files = Object.keys(exports).flatMap(path => {
    if (path === './package.json') return []
    return path === '.' ? 'index.ts' : `${path.slice(2)}.ts`
  })
  assert.deepEqual(files.sort(), [...ENTRY_POINTS].sort())
})

test('exports: no name is exported by two entry points', () => {
  const names = ENTRY_POINTS.flatMap(entry => namesOf(entry).map(({ name }) => name))
  assert.ok(names.length > 100)
  assert.deepEqual(
    names.filter((name, at) => names.indexOf(name) !== at),
    [],
  )
})

test('exports: everything that the library exports has a doc comment', () => {
  for (const entry of ENTRY_POINTS)
    assert.deepEqual(
      namesOf(entry).filter(({ declared }) => isDescribed(join(SRC, entry), declared) !== true),
      [],
      entry,
    )
})
