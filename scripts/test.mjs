// Compiles everything to build/ and runs every test, or those whose path contains one of the arguments:
//   node scripts/test.mjs [--soak=N] [scheduler script/…]
// With --soak, random tests run N times as many lives.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundle, compileKernels, compilePage, compileTypeScript, copyLua } from './compile.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const args = process.argv.slice(2)
const wanted = args.filter(arg => !arg.startsWith('--soak='))
const soak = args.find(arg => arg.startsWith('--soak='))?.slice('--soak='.length)
const env = soak === undefined ? process.env : { ...process.env, ESCALONA_SOAK: soak }
rmSync(join(root, 'build'), { recursive: true, force: true })
compileTypeScript('tsconfig.test.json')
compileKernels(join(root, 'build', 'src', 'url'), join(root, 'build', 'src', 'archive'))
copyLua(join(root, 'build', 'src', 'frontier', 'redis'))
await compilePage(join(root, 'build', 'src', 'server'))
// The command is run as it is shipped, bundled; what tests import is not.
await bundle(join(root, 'build', 'bundle'))
cpSync(join(root, 'build', 'src', 'url', 'classic.wasm'), join(root, 'build', 'bundle', 'classic.wasm'))
cpSync(join(root, 'build', 'src', 'archive', 'deflate.wasm'), join(root, 'build', 'bundle', 'deflate.wasm'))
copyLua(join(root, 'build', 'bundle'))
cpSync(join(root, 'build', 'src', 'server', 'page'), join(root, 'build', 'bundle', 'page'), { recursive: true })

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
const SLEEPY = ['crawl/slow-disk', 'frontier/taken-over', 'journey/network-away', 'journey/shared-folder']
/** Whole crawls that judge what comes and not when: they run like any other test. */
const UNTIMED = [
  'damaged-folder',
  'debug-output',
  'former-version',
  'limits',
  'live-page',
  'machines-joining',
  'resume',
  'scope',
].map(name => `journey/${name}`)
const isOneOf = (file, names) => names.some(name => file.endsWith(join('test', `${name}.test.js`)))
const isSleepy = file => isOneOf(file, SLEEPY)
// Other whole crawls are judged by the times at which their requests come, and these by short leases.
const isTimed = file =>
  isOneOf(file, ['redis/faults', 'redis/crawler-cut-off']) ||
  (file.includes(join('test', 'journey')) && !isSleepy(file) && !isOneOf(file, UNTIMED))

// Three rows of files at the same time keep two cores busy. Those that are judged by time run one after the other and come first
// at the processor: the other rows are nicer, and get what is left.
const codes = await Promise.all([
  run(
    files.filter(file => !isSleepy(file) && !isTimed(file)),
    { atOnce: 2, isNice: true, isShown: true },
  ),
  run(files.filter(isSleepy), { atOnce: 1, isNice: true, isShown: false }),
  run(files.filter(isTimed), { atOnce: 1, isNice: false, isShown: false }),
])
process.exit(Math.max(...codes))

/** Runs test files, so many at once. What is not shown as it comes is shown when all have ended. Returns the exit code. */
async function run(some, { atOnce, isNice, isShown }) {
  if (some.length === 0) return 0
  const command = [...(isNice ? ['nice', '-n', '10'] : []), process.execPath]
  const flags = ['--enable-source-maps', '--test', `--test-concurrency=${atOnce}`, '--test-reporter=spec']
  const [program, ...rest] = [...command, ...flags, ...some]
  const stdio = ['inherit', isShown ? 'inherit' : 'pipe', 'inherit']
  const child = spawn(program, rest, { cwd: root, stdio, env })
  const printed = child.stdout?.toArray()
  const [code] = await once(child, 'close')
  if (printed !== undefined) process.stdout.write(Buffer.concat(await printed))
  return code ?? 1
}
