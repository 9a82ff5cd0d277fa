// Compiles everything to build/ and runs every test, or those whose path contains one of the arguments:
//   node scripts/test.mjs [--soak=N] [scheduler script/…]
// With --soak, random tests run N times as many lives.
import { spawnSync } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileKernel, compileTypeScript } from './compile.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const args = process.argv.slice(2)
const wanted = args.filter(arg => !arg.startsWith('--soak='))
const soak = args.find(arg => arg.startsWith('--soak='))?.slice('--soak='.length)
const env = soak === undefined ? process.env : { ...process.env, ESCALONA_SOAK: soak }
rmSync(join(root, 'build'), { recursive: true, force: true })
compileTypeScript('tsconfig.test.json')
compileKernel(join(root, 'build', 'src', 'url'))

const files = readdirSync(join(root, 'build', 'test'), { recursive: true })
  .map(String)
  .filter(name => name.endsWith('.test.js') && (wanted.length === 0 || wanted.some(part => name.includes(part))))
  .map(name => join('build', 'test', name))
  .sort()
if (files.length === 0) {
  console.error(`no test file matches ${wanted.join(' ')}`)
  process.exit(1)
}
// Most tests wait for disks, processes and sockets: two files at a time keep two cores busy. Whole crawls are judged by the
// times at which their requests come, and run one after the other.
const isJourney = file => file.includes(join('test', 'journey'))
let status = 0
for (const [some, atOnce] of [
  [files.filter(file => !isJourney(file)), 2],
  [files.filter(isJourney), 1],
]) {
  if (some.length === 0) continue
  const flags = ['--enable-source-maps', '--test', `--test-concurrency=${atOnce}`, '--test-reporter=spec']
  const run = spawnSync(process.execPath, [...flags, ...some], { cwd: root, stdio: 'inherit', env })
  status ||= run.status ?? 1
}
process.exit(status)
