// Builds dist/ from nothing: the command and the library, each in few files so that they start fast, and the types.
import { chmodSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { compileKernel, compileTypeScript } from './compile.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')
rmSync(dist, { recursive: true, force: true })
compileTypeScript('tsconfig.build.json')
await build({
  absWorkingDir: root,
  entryPoints: { index: 'src/index.ts', 'cli/main': 'src/cli/main.ts', worker: 'src/crawl/worker/worker.ts' },
  outdir: dist,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  packages: 'external',
  target: 'node20',
  legalComments: 'none',
})
compileKernel(dist)
chmodSync(join(dist, 'cli', 'main.js'), 0o755)
