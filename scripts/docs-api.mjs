// Makes docs/api/: what the library's entry points export, from their doc comments; settings, events, reasons and errors, from their tables.
//   node scripts/docs-api.mjs           writes it
//   node scripts/docs-api.mjs --check   only compares: exit code 1, and what differs, when it says something else
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { exportedBy } from './api/declarations.mjs'
import { apiPages } from './api/pages.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const target = join(root, 'docs', 'api')
const TABLES = `
  export { ALL_SETTINGS } from './src/settings/settings-table.ts'
  export { completeSettings } from './src/settings/settings.ts'
  export { aboutReason, aboutUnfollowed, KNOWN_REASONS } from './src/settings/reasons.ts'
  export { reasonWords } from './src/settings/reason-words.ts'
  export { ExplainedUrl } from './src/view/questions/explained-shapes.ts'
  export { messages } from './src/base/messages/message.ts'
  export { exactDuration, exactSize, shownCount } from './src/base/words/quantity.ts'
`

const work = mkdtempSync(join(tmpdir(), 'escalona-api-'))
try {
  const pages = apiPages(entries(), await tables())
  if (process.argv.includes('--check')) compare(pages)
  else write(pages)
} finally {
  rmSync(work, { recursive: true, force: true })
}

/** The names that each entry point of package.json exports. */
function entries() {
  const types = join(work, 'types')
  execFileSync(join(root, 'node_modules', '.bin', 'tsc'), ['-p', 'tsconfig.build.json', '--outDir', types], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const names = Object.values(exports).map(({ types: path }) => /^\.\/dist\/(.+)\.d\.ts$/.exec(path)?.[1])
  return exportedBy(types, names.filter(Boolean))
}

/** The tables of the sources, which are TypeScript. */
async function tables() {
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    stdin: { contents: TABLES, resolveDir: root, loader: 'ts' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
  })
  const file = join(work, 'tables.mjs')
  writeFileSync(file, outputFiles[0].contents)
  return import(file)
}

function write(pages) {
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  for (const [name, text] of pages) writeFileSync(join(target, name), text)
}

function compare(pages) {
  const names = new Set([...readdirSync(target), ...pages.keys()])
  const differ = [...names].filter(name => pages.get(name) !== textOf(join(target, name)))
  if (differ.length === 0) return
  console.log(`docs/api says something else than the sources: ${differ.join(', ')}; run npm run docs:api`)
  process.exitCode = 1
}

function textOf(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
