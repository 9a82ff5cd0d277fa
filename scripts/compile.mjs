// The compilers: TypeScript by a tsconfig file, the bundler, the AssemblyScript kernels into the folders where the code looks for them, and
// the live page with everything it loads. The engine's scripts are copied.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const KERNEL_FLAGS = '-O3 --enable simd --runtime stub --noAssert'
/** Its memory is handed in. */
const STORE_FLAGS = '--enable threads --importMemory --sharedMemory --initialMemory 4 --maximumMemory 65536'
/** The kernels in WebAssembly, and the rooms whose code reads them. Memory is in pages of 64 KiB. */
export const KERNELS = [
  { room: 'url', source: 'classic.ts', file: 'classic.wasm', flags: '--initialMemory 2' },
  { room: 'archive', source: 'deflate.ts', file: 'deflate.wasm', flags: '--initialMemory 11' },
  { room: 'extract', source: 'simhash.ts', file: 'simhash.wasm', flags: '--initialMemory 31' },
  { room: 'scheduler', source: 'store.ts', file: 'store.wasm', flags: STORE_FLAGS },
  // For the access log: every load and store calls a function first.
  {
    room: 'scheduler',
    source: 'store.ts',
    file: 'store-watched.wasm',
    flags: `${STORE_FLAGS} --runPasses instrument-memory`,
  },
]

export function compileTypeScript(tsconfig) {
  run('tsc', ['-p', tsconfig])
}

/** The kernels, each into the folder of its room. One that was compiled before, from the same files with the same flags, is copied. */
export function compileKernels(folderOf) {
  const cache = join(root, 'node_modules', '.cache', 'escalona-kernels')
  mkdirSync(cache, { recursive: true })
  const compiler = readFileSync(join(root, 'node_modules', 'assemblyscript', 'package.json'))
  for (const { room, source, file, flags } of KERNELS) {
    const words = `${KERNEL_FLAGS} ${flags}`.split(' ')
    const folder = join('src', room, 'kernel')
    const hash = createHash('sha256').update(compiler).update(words.join(' '))
    for (const name of readdirSync(join(root, folder)).sort())
      hash.update(name).update(readFileSync(join(root, folder, name)))
    const compiled = join(cache, `${hash.digest('hex').slice(0, 32)}-${file}`)
    if (!existsSync(compiled)) {
      run('asc', [join(folder, source), '-o', `${compiled}.${process.pid}`, ...words])
      renameSync(`${compiled}.${process.pid}`, compiled)
    }
    cpSync(compiled, join(folderOf(room), file))
  }
}

/**
 * The command, the library and the code of their threads, each in few files so that they start fast. Packages that `dependencies`
 * names stay packages; any other is bundled, with its licence. esbuild is a development package, so it is loaded only here.
 */
export async function bundle(folder) {
  const { build } = await import('esbuild')
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const settings = {
    absWorkingDir: root,
    outdir: folder,
    bundle: true,
    format: 'esm',
    platform: 'node',
    external: Object.keys(dependencies),
    target: 'node20',
    legalComments: 'none',
    metafile: true,
  }
  const shared = await build({
    entryPoints: {
      ...Object.fromEntries(ENTRY_POINTS.map(name => [name, `src/${name}.ts`])),
      all: COMMAND_LINE,
      'ui-thread': 'src/server/ui-thread.ts',
      'export-thread': 'src/export/export-thread.ts',
      'search-thread': 'src/search/search-thread.ts',
      'simulate-thread': 'src/simulate/simulate-thread.ts',
    },
    ...settings,
    splitting: true,
  })
  // What is shared by many is in many small files: a hundred for a crawl, which Node opens all at once, and a worker has to read its own.
  // So crawls and their workers have copies of their own, in few files.
  const worker = await build({
    entryPoints: { worker: 'src/visit/worker.ts' },
    ...settings,
    splitting: true,
  })
  const crawl = await build({
    entryPoints: { crawl: COMMAND_LINE },
    ...settings,
    splitting: true,
    plugins: [only('crawl-command.ts')],
  })
  // `escalona run` needs little, and is often over soon: it starts faster as one file.
  const run = await build({
    entryPoints: { run: COMMAND_LINE, 'script-thread': 'src/script/script-thread.ts' },
    ...settings,
    plugins: [only('run-command.ts')],
  })
  writeLicences([shared, worker, crawl, run], folder)
  mkdirSync(join(folder, 'cli'), { recursive: true })
  writeFileSync(join(folder, 'cli', 'main.js'), START)
}

/** What the library is imported by: the files of src/ that are in none of its folders. */
const ENTRY_POINTS = readdirSync(join(root, 'src')).flatMap(name => /^(.*)\.ts$/.exec(name)?.[1] ?? [])
const COMMAND_LINE = 'src/cli/main.ts'
/** A command line for one file of commands: what `cli/commands.ts` loads for any other stays outside, and is never asked for. */
const only = file => {
  const resolve = ({ kind, path, importer }) => {
    const isOther = kind === 'dynamic-import' && importer.endsWith('commands.ts') && !path.endsWith(`/${file}`)
    return isOther ? { path, external: true } : undefined
  }
  return { name: `only ${file}`, setup: plugin => plugin.onResolve({ filter: /^\./ }, resolve) }
}
const START = `#!/usr/bin/env node
// A file to run has a dot or a slash in its name, and a command has not. The language may come before either.
const isLanguage = (arg, at, all) => /^--lang(=|$)/.test(arg) || all[at - 1] === '--lang'
const word = process.argv.slice(2).find((...arg) => !isLanguage(...arg)) ?? ''
const file = /^(crawl|resume)$/.test(word) ? 'crawl' : /^run$|^[^-].*[./]/.test(word) ? 'run' : 'all'
await import(\`../\${file}.js\`)
`

/** `folder`: that of the code that reads them. */
export function copyLua(folder) {
  cpSync(join(root, 'src', 'frontier', 'redis', 'engine', 'lua'), join(folder, 'lua'), { recursive: true })
}

/** The live page, in `page/` of this folder: that of the server's code. A development package makes it, so it is loaded only here. */
export async function compilePage(folder) {
  const { build } = await import('esbuild')
  const source = join(root, 'src', 'server', 'page')
  const page = await build({
    absWorkingDir: root,
    tsconfig: join(root, 'tsconfig.page.json'),
    entryPoints: [
      { in: join(source, 'main.tsx'), out: 'app' },
      { in: join(source, 'style', 'all.css'), out: 'app' },
    ],
    outdir: join(folder, 'page'),
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: ['chrome111', 'firefox115', 'safari16.4'],
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
  })
  writeLicences([page], join(folder, 'page'))
  for (const name of ['index.html', 'icon.svg']) cpSync(join(source, name), join(folder, 'page', name))
}

/** The licences of the packages that were bundled: `LICENCES.txt` beside the bundles. */
function writeLicences(builds, folder) {
  const inputs = builds.flatMap(({ metafile }) => Object.keys(metafile.inputs))
  const packages = new Set(inputs.flatMap(path => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []))
  const texts = [...packages].sort().map(name => {
    const home = join(root, 'node_modules', name)
    const file = readdirSync(home).find(one => /^licen[cs]e/i.test(one))
    const { version, license, author } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))
    if (file === undefined && license === undefined) throw new Error(`${name} is bundled and has no licence`)
    const text = file === undefined ? `${license}, ${author}` : readFileSync(join(home, file), 'utf8').trim()
    return `${name} ${version}\n\n${text}\n`
  })
  writeFileSync(join(folder, 'LICENCES.txt'), texts.join(`\n${'-'.repeat(80)}\n\n`))
}

function run(tool, args) {
  execFileSync(join(root, 'node_modules', '.bin', tool), args, { cwd: root, stdio: 'inherit' })
}
