// The compilers: TypeScript by a tsconfig file, the bundler, the AssemblyScript kernel into the folder where the code looks for it, and
// the live page with everything it loads. The engine's scripts are copied.
import { execFileSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const KERNEL_FLAGS = '-O3 --enable simd --runtime stub --noAssert --initialMemory 2'.split(' ')

export function compileTypeScript(tsconfig) {
  run('tsc', ['-p', tsconfig])
}

export function compileKernel(folder) {
  run('asc', ['src/url/kernel/classic.ts', '-o', join(folder, 'classic.wasm'), ...KERNEL_FLAGS])
}

/** The command, the library and the code of their threads, each in few files so that they start fast. esbuild is a development
 * package, so it is loaded only here. */
export async function bundle(folder) {
  const { build } = await import('esbuild')
  await build({
    absWorkingDir: root,
    entryPoints: {
      index: 'src/index.ts',
      'cli/main': 'src/cli/main.ts',
      worker: 'src/crawl/worker/worker.ts',
      'ui-thread': 'src/server/ui-thread.ts',
    },
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    target: 'node20',
    legalComments: 'none',
  })
}

/** `folder`: that of the code that reads them. */
export function copyLua(folder) {
  cpSync(join(root, 'src', 'frontier', 'redis', 'lua'), join(folder, 'lua'), { recursive: true })
}

/** The live page, in `page/` of this folder: that of the server's code. A development package makes it, so it is loaded only here. */
export async function compilePage(folder) {
  const { build } = await import('esbuild')
  const source = join(root, 'src', 'server', 'page')
  await build({
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
  })
  for (const name of ['index.html', 'icon.svg']) cpSync(join(source, name), join(folder, 'page', name))
}

function run(tool, args) {
  execFileSync(join(root, 'node_modules', '.bin', tool), args, { cwd: root, stdio: 'inherit' })
}
