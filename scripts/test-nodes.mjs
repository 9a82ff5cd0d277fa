// Runs the tests on each version of Node that is supported, one after the other. npm brings the versions, into node_modules/.cache:
//   npm run test:nodes -- [20 22 …] [part of a test's path …]
import { execFileSync, spawnSync } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nodeFolder } from './npm-node.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const VERSIONS = ['20', '22', '24', '26']
const args = process.argv.slice(2)
const chosen = args.filter(arg => VERSIONS.includes(arg))
const parts = args.filter(arg => !VERSIONS.includes(arg))
const failed = []
for (const version of chosen.length > 0 ? chosen : VERSIONS) {
  const bin = nodeFolder(version)
  const node = join(bin, 'node')
  const shown = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()
  console.log(`\nNode ${shown}`)
  const startMs = performance.now()
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` }
  const { status } = spawnSync(node, ['scripts/test.mjs', ...parts], { cwd: root, stdio: 'inherit', env })
  const minutes = ((performance.now() - startMs) / 60_000).toFixed(1)
  console.log(`Node ${shown}: ${status === 0 ? 'passed' : 'failed'}, ${minutes} minutes`)
  if (status !== 0) failed.push(shown)
}
if (failed.length > 0) {
  console.error(`not passed: ${failed.join(', ')}`)
  process.exit(1)
}
