// The compilers: TypeScript by a tsconfig file, the bundler, the AssemblyScript kernels into the folders where the code looks for them, and
// the live page with everything it loads. The engine's scripts are copied.
import { execFileSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const KERNEL_FLAGS = '-O3 --enable simd --runtime stub --noAssert --initialMemory'.split(' ')

export function compileTypeScript(tsconfig) {
  run('tsc', ['-p', tsconfig])
}

/** The folders are those of the code that reads them. Memory is in pages of 64 KiB. */
export function compileKernels(ofUrl, ofArchive) {
  run('asc', ['src/url/kernel/classic.ts', '-o', join(ofUrl, 'classic.wasm'), ...KERNEL_FLAGS, '2'])
  run('asc', ['src/archive/kernel/deflate.ts', '-o', join(ofArchive, 'deflate.wasm'), ...KERNEL_FLAGS, '11'])
}

/**
 * The command, the library and the code of their threads, each in few files so that they start fast. Packages that `dependencies`
 * names stay packages; any other is bundled, with its licence. esbuild is a development package, so it is loaded only here.
 */
export async function bundle(folder) {
  const { build } = await import('esbuild')
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: {
      index: 'src/index.ts',
      'cli/main': 'src/cli/main.ts',
      worker: 'src/crawl/worker/worker.ts',
      'ui-thread': 'src/server/ui-thread.ts',
      'export-thread': 'src/export/export-thread.ts',
    },
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    external: Object.keys(dependencies),
    target: 'node20',
    legalComments: 'none',
    metafile: true,
  })
  writeLicences(metafile, folder)
}

/** `folder`: that of the code that reads them. */
export function copyLua(folder) {
  cpSync(join(root, 'src', 'frontier', 'redis', 'lua'), join(folder, 'lua'), { recursive: true })
}

/** The live page, in `page/` of this folder: that of the server's code. A development package makes it, so it is loaded only here. */
export async function compilePage(folder) {
  const { build } = await import('esbuild')
  const source = join(root, 'src', 'server', 'page')
  const { metafile } = await build({
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
  writeLicences(metafile, join(folder, 'page'))
  for (const name of ['index.html', 'icon.svg']) cpSync(join(source, name), join(folder, 'page', name))
}

/** The licences of the packages that were bundled: `LICENCES.txt` beside the bundle. */
function writeLicences({ inputs }, folder) {
  const packages = new Set(
    Object.keys(inputs).flatMap(path => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []),
  )
  const texts = [...packages].sort().map(name => {
    const home = join(root, 'node_modules', name)
    const file = readdirSync(home).find(one => /^licen[cs]e/i.test(one))
    if (file === undefined) throw new Error(`${name} is bundled and has no licence file`)
    return `${name} ${JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')).version}\n\n${readFileSync(join(home, file), 'utf8').trim()}\n`
  })
  writeFileSync(join(folder, 'LICENCES.txt'), texts.join(`\n${'-'.repeat(80)}\n\n`))
}

function run(tool, args) {
  execFileSync(join(root, 'node_modules', '.bin', tool), args, { cwd: root, stdio: 'inherit' })
}
