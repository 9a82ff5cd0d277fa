// Versions of Node that npm brings, each into a folder of its own in node_modules/.cache.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const nodes = fileURLToPath(new URL('../node_modules/.cache/escalona-nodes', import.meta.url))

/** The folder with the command of this version of Node, for a system as npm's packages call it (`linux-x64`); installs it if it is missing. */
export function nodeFolder(version, system = `${process.platform}-${process.arch}`) {
  const name = `node-${system}`
  const folder = join(nodes, system, version)
  const bin = join(folder, 'node_modules', name, 'bin')
  if (existsSync(bin)) return bin
  console.log(`installing ${name} ${version} …`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  // By force: npm refuses packages that are made for another system.
  const how = ['--no-audit', '--no-fund', '--ignore-scripts', '--force', '--loglevel=error']
  execFileSync('npm', ['install', ...how, `${name}@${version}`], { cwd: folder, stdio: 'inherit' })
  return bin
}
