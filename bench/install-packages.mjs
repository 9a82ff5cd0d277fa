// Installs the peers' packages in the system's temporary folder: they are no dependencies of this project.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Once for each version of Node, since some are compiled on the spot. */
export function installPackages(folder, packages) {
  const stamp = join(folder, `installed for node ${process.versions.modules}`)
  if (existsSync(stamp)) return
  console.error(`installing ${packages.join(', ')} in ${folder} …`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  const flags = ['--prefix', folder, '--no-audit', '--no-fund', '--loglevel', 'error']
  execFileSync('npm', ['install', ...flags, ...packages], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  writeFileSync(stamp, '')
}
