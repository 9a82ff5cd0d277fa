// Installs a Debian package when the command it brings is missing. Only commands are used: a service that comes with one is
// neither started nor started later, when the computer is.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'

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

export function has(command) {
  return spawnSync('which', [command]).status === 0
}
