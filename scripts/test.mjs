// Compiles everything to build/ and runs every test, or those whose path contains one of the arguments:
//   node scripts/test.mjs [--soak=N] [scheduler script/…]
// With --soak, random tests run N times as many lives, also with seeds that differ from run to run.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundle, compileKernels, compilePage, compileTypeScript, copyLua, KERNELS } from './compile.mjs'
import { originalLines } from './original-lines.mjs'
import { groupsOf, rowsOf } from './test-rows.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const args = process.argv.slice(2)
const wanted = args.filter(arg => !arg.startsWith('--soak='))
const soak = args.find(arg => arg.startsWith('--soak='))?.slice('--soak='.length)
// Certificates that the machine adds would be read by every process that a test starts, which takes longer than Node itself. No test asks
// the web for anything; only npm may.
const { NODE_EXTRA_CA_CERTS: certificates, ...others } = process.env
const env = {
  ...others,
  ...(certificates && { npm_config_cafile: certificates }),
  ...(soak !== undefined && { ESCALONA_SOAK: soak }),
}
// A run of all tests begins with nothing; one of a few compiles what changed, and builds the package anew if it is asked for.
rmSync(wanted.length === 0 ? join(root, 'build') : join(root, 'build', 'dist'), { recursive: true, force: true })
compileTypeScript('tsconfig.test.json')
compileKernels(room => join(root, 'build', 'src', room))
copyLua(join(root, 'build', 'src', 'frontier', 'redis', 'engine'))
await compilePage(join(root, 'build', 'src', 'server'))
// The command is run as it is shipped, bundled; what tests import is not.
await bundle(join(root, 'build', 'bundle'))
for (const { room, file } of KERNELS)
  cpSync(join(root, 'build', 'src', room, file), join(root, 'build', 'bundle', file))
copyLua(join(root, 'build', 'bundle'))
cpSync(join(root, 'build', 'src', 'server', 'page'), join(root, 'build', 'bundle', 'page'), { recursive: true })

const names = readdirSync(join(root, 'test'), { recursive: true })
  .map(String)
  .filter(name => name.endsWith('.test.ts'))
  .map(name => name.slice(0, -'.test.ts'.length).split(sep).join('/'))
  .filter(name => wanted.length === 0 || wanted.some(part => `${name}.test.js`.includes(part)))
  .sort()
if (names.length === 0) {
  console.error(`no test file matches ${wanted.join(' ')}`)
  process.exit(1)
}

// Those that are judged by time run one after the other, and those that sleep do, too; both come first at the processor: the usual row is
// nicer, and gets what is left.
const { usual, sleepy, timed } = rowsOf(names)
const rows = await Promise.all([
  run(together(usual), { atOnce: 4, isNice: true, isShown: true }),
  run(sleepy, { atOnce: 1, isNice: false, isShown: false }),
  run(timed, { atOnce: 1, isNice: false, isShown: false }),
])
// What failed comes last, where whoever reads only the end of a long output sees it.
console.log(rows.flatMap(row => row.failures).join('\n'))
console.log(`${Math.round(performance.now() / 1000)} s in all`)
process.exit(Math.max(...rows.map(row => row.code)))

/** Writes a test file for each room whose files share a process. Returns what to run instead of them. */
function together(some) {
  const { shared, alone } = groupsOf(some)
  const rooms = shared.map(([room, members]) => {
    const name = `${room}/together`
    writeFileSync(fileOf(name), members.map(member => `import '../${member}.test.js'\n`).join(''))
    return name
  })
  return [...alone, ...rooms]
}

function fileOf(name) {
  return join(root, 'build', 'test', `${name}.test.js`)
}

/** Runs test files, so many at once. What is not shown as it comes is shown when all have ended. */
async function run(some, { atOnce, isNice, isShown }) {
  if (some.length === 0) return { code: 0, failures: [] }
  const command = [...(isNice ? ['nice', '-n', '10'] : []), process.execPath]
  const [program, ...rest] = [
    ...command,
    '--test',
    `--test-concurrency=${atOnce}`,
    '--test-reporter=spec',
    ...some.map(fileOf),
  ]
  const child = spawn(program, rest, { cwd: root, stdio: ['inherit', 'pipe', 'inherit'], env })
  const lines = child.stdout.setEncoding('utf8').pipe(originalLines(root))
  if (isShown) lines.pipe(process.stdout, { end: false })
  const printed = lines.toArray()
  const [code] = await once(child, 'close')
  const text = (await printed).join('')
  if (!isShown) process.stdout.write(text)
  const [, failures] = text.split('✖ failing tests:')
  return { code: code ?? 1, failures: failures === undefined ? [] : [`✖ failing tests:${failures.trimEnd()}`] }
}
