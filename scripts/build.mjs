// Compiles src/ to dist/, from nothing, and makes the command executable.
import { chmodSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compile } from './compile.mjs'

const dist = fileURLToPath(new URL('../dist', import.meta.url))
rmSync(dist, { recursive: true, force: true })
compile('tsconfig.build.json', join(dist, 'url'))
chmodSync(join(dist, 'cli', 'main.js'), 0o755)
