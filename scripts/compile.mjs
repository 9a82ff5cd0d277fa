// Compiles TypeScript by one of the tsconfig files, and the AssemblyScript kernel to where the compiled code looks for it.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const KERNEL_FLAGS = '-O3 --enable simd --runtime stub --noAssert --initialMemory 2'.split(' ')

export function compile(tsconfig, urlFolder) {
  const run = (tool, args) =>
    execFileSync(join(root, 'node_modules', '.bin', tool), args, { cwd: root, stdio: 'inherit' })
  run('tsc', ['-p', tsconfig])
  run('asc', ['src/url/kernel/classic.ts', '-o', join(urlFolder, 'classic.wasm'), ...KERNEL_FLAGS])
}
