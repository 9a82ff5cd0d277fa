// Builds dist/: the command and the library, each in few files so that they start fast, and the types. With --if-needed, only
// when dist/ is missing or older than what it is made from.
import { chmodSync, existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundle, compileKernels, compilePage, compileTypeScript, copyLua } from './compile.mjs'
import { keepPublicTypes } from './public-types.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')
/** Written last, so a build that was interrupted is made again. */
const built = join(dist, 'built')

if (!process.argv.includes('--if-needed') || !isUpToDate()) await build()

async function build() {
  console.error('escalona: building …')
  rmSync(dist, { recursive: true, force: true })
  compileTypeScript('tsconfig.build.json')
  keepPublicTypes(dist)
  await bundle(dist)
  compileKernels(() => dist)
  copyLua(dist)
  await compilePage(dist)
  chmodSync(join(dist, 'cli', 'main.js'), 0o755)
  writeFileSync(built, '')
}

function isUpToDate() {
  if (!existsSync(built)) return false
  const sources = ['src', 'scripts'].flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true }).map(name => join(root, folder, String(name))),
  )
  const settings = [
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'tsconfig.build.json',
    'tsconfig.page.json',
  ].map(name => join(root, name))
  const builtAtMs = statSync(built).mtimeMs
  return [...sources, ...settings].every(file => statSync(file).mtimeMs <= builtAtMs)
}
