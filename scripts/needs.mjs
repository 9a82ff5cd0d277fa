// Installs a Debian package when the command it brings is missing.
import { execFileSync, spawnSync } from 'node:child_process'

export function needs(command, debianPackage) {
  if (has(command)) return
  console.error(`escalona: installing ${debianPackage} …`)
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'ignore' })
  execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', debianPackage], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
}

export function has(command) {
  return spawnSync('which', [command]).status === 0
}
