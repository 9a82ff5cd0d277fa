// Compiles everything to build/ and runs every test, or those whose path contains one of the arguments:
//   node scripts/test.mjs [--soak=N] [scheduler script/…]
// With --soak, random tests run N times as many lives.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileKernel, compilePage, compileTypeScript, copyLua } from './compile.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const args = process.argv.slice(2)
const wanted = args.filter(arg => !arg.startsWith('--soak='))
const soak = args.find(arg => arg.startsWith('--soak='))?.slice('--soak='.length)
const env = soak === undefined ? process.env : { ...process.env, ESCALONA_SOAK: soak }
rmSync(join(root, 'build'), { recursive: true, force: true })
compileTypeScript('tsconfig.test.json')
compileKernel(join(root, 'build', 'src', 'url'))
copyLua(join(root, 'build', 'src', 'frontier', 'redis'))
await compilePage(join(root, 'build', 'src', 'server'))

const files = readdirSync(join(root, 'build', 'test'), { recursive: true })
  .map(String)
  .filter(name => name.endsWith('.test.js') && (wanted.length === 0 || wanted.some(part => name.includes(part))))
  .map(name => join('build', 'test', name))
  .sort()
if (files.length === 0) {
  console.error(`no test file matches ${wanted.join(' ')}`)
  process.exit(1)
}
/** Whole crawls and others that sleep most of the time, and judge no request by its time: they run beside the rest. */
const SLEEPY = [
  ...['crawl/slow-disk', 'frontier/taken-over', 'journey/network-away', 'journey/shared-folder'],
  ...['redis/faults', 'redis/crawler-cut-off'],
]
/** Whole crawls that judge what comes and not when: they run like any other test. */
const UNTIMED = [
  'damaged-folder',
  'debug-output',
  'former-version',
  'limits',
  'machines-joining',
  'resume',
  'scope',
].map(name => `journey/${name}`)
const isOneOf = (file, names) => names.some(name => file.endsWith(join('test', `${name}.test.js`)))
const isSleepy = file => isOneOf(file, SLEEPY)
// Other whole crawls are judged by the times at which their requests come, and run one after the other, with nothing beside them.
const isAlone = file => file.includes(join('test', 'journey')) && !isSleepy(file) && !isOneOf(file, UNTIMED)

// Most tests wait for disks, processes and sockets: two files at a time keep two cores busy.
const beside = await Promise.all([
  run(
    files.filter(file => !isSleepy(file) && !isAlone(file)),
    2,
    'inherit',
  ),
  run(files.filter(isSleepy), 1, 'pipe'),
])
process.exit(Math.max(...beside, await run(files.filter(isAlone), 1, 'inherit')))

/** Runs test files, so many at once. What they print in a pipe is shown when all have ended. Returns the exit code. */
async function run(some, atOnce, output) {
  if (some.length === 0) return 0
  const flags = ['--enable-source-maps', '--test', `--test-concurrency=${atOnce}`, '--test-reporter=spec']
  const child = spawn(process.execPath, [...flags, ...some], { cwd: root, stdio: ['inherit', output, 'inherit'], env })
  const printed = child.stdout?.toArray()
  const [code] = await once(child, 'close')
  if (printed !== undefined) process.stdout.write(Buffer.concat(await printed))
  return code ?? 1
}
