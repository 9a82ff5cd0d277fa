// Makes a fresh clone ready: installs the npm packages when they are missing or no longer what the lock file says,
// with --browser installs Chromium when there is none, for the tests that look at pages, with --redis Redis and Valkey, for
// those of shared crawls, with --tools curl and tinyproxy, which tests compare with and go through, and with --build compiles
// dist/ when it is older than the sources. Does nothing, quickly, when all is in
// place.
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { has, needs, needsRedis, needsValkey } from './needs.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const lock = join(root, 'package-lock.json')
const installedLock = join(root, 'node_modules', '.escalona-lock.json')

if (!existsSync(installedLock) || !readFileSync(installedLock).equals(readFileSync(lock))) {
  console.error('escalona: installing npm packages …')
  // Not `npm ci`: it refuses a lock file that lacks other platforms' binaries, which depends on who wrote it where.
  // Without scripts: none of the packages needs one. With development packages, also where NODE_ENV is production.
  execFileSync('npm', ['install', '--no-save', '--no-fund', '--no-audit', '--ignore-scripts', '--include=dev'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  copyFileSync(lock, installedLock)
}

if (process.argv.includes('--browser') && !has('chromium')) {
  if (has('apt-get')) needs('chromium', 'chromium')
  else console.error('escalona: there is no chromium; tests that need a browser will be skipped')
}

if (process.argv.includes('--redis')) {
  needsRedis()
  needsValkey()
}

if (process.argv.includes('--tools'))
  // tinyproxy-bin is the program without its service.
  for (const [command, debianPackage] of [
    ['curl', 'curl'],
    ['tinyproxy', 'tinyproxy-bin'],
  ]) {
    if (has('apt-get')) needs(command, debianPackage)
    else if (!has(command)) console.error(`escalona: there is no ${command}; tests that need it will be skipped`)
  }

if (process.argv.includes('--build')) {
  execFileSync(process.execPath, ['scripts/build.mjs', '--if-needed'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}
