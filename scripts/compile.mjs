// The compilers: TypeScript by a tsconfig file, the bundler, and the AssemblyScript kernel into the folder where the code looks for
// it. The engine's scripts are copied.
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
    entryPoints: { index: 'src/index.ts', 'cli/main': 'src/cli/main.ts', worker: 'src/crawl/worker/worker.ts' },
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

function run(tool, args) {
  execFileSync(join(root, 'node_modules', '.bin', tool), args, { cwd: root, stdio: 'inherit' })
}
