import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { ALL_SETTINGS } from '../../src/settings/settings-table.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const API = join(ROOT, 'docs', 'api')

function read(name: string): string {
  return readFileSync(join(API, name), 'utf8')
}

test('API reference: docs/api says what the sources say; npm run docs:api writes it anew', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/docs-api.mjs', '--check'], {
    cwd: ROOT,
    encoding: 'utf8',
    timeout: 120_000,
  })
  assert.equal(status, 0, `${stdout}${stderr}`)
})

test('API reference: each exported name has a heading, a declaration and something said about it', () => {
  for (const entry of readdirSync(join(ROOT, 'src')).filter(name => name.endsWith('.ts'))) {
    const page = read(entry === 'index.ts' ? 'escalona.md' : entry.replace('.ts', '.md'))
    const sections = new Map(
      page.split(/^## /m).map(part => [part.slice(0, part.indexOf('\n')).replace('class ', ''), part]),
    )
    const lists = readFileSync(join(ROOT, 'src', entry), 'utf8').matchAll(/\{([^}]+)\}/g)
    const names = [...lists].flatMap(([, list]) => list!.split(',').map(one => one.trim().split(' ').at(-1)!))
    for (const name of names.filter(Boolean)) {
      assert.match(sections.get(name) ?? '', /^.+\n\n(?!```)[\s\S]*```ts\n[\s\S]+```/, `${entry}: ${name}`)
      assert.doesNotMatch(sections.get(name)!, /^ +(?:private|#private)\b|import\("/m, name)
    }
  }
})

test('API reference: each setting has a default, and each code of an error that the library throws is listed', () => {
  const settings = read('settings.md')
  for (const { name } of ALL_SETTINGS) {
    const cells =
      settings
        .split('\n')
        .find(line => line.startsWith(`| \`${name}\` |`))
        ?.split(/(?<!\\)\|/) ?? []
    assert.ok((cells[5] ?? '').trim() !== '', name)
  }
  const errors = new Set([...read('errors.md').matchAll(/^## (\w+)$/gm)].map(([, code]) => code))
  for (const file of readdirSync(join(ROOT, 'src'), { recursive: true }).map(String)) {
    if (!file.endsWith('.ts') || /^cli\b/.test(file)) continue
    const text = readFileSync(join(ROOT, 'src', file), 'utf8')
    for (const [, code] of text.matchAll(/new EscalonaError\(\s*'([A-Z][A-Z_]+)/g))
      assert.ok(errors.has(code), `${file}: ${code}`)
  }
})
