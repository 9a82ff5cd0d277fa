// Makes a fresh clone ready: installs the npm packages when they are missing or no longer what the lock file says,
// and with --build compiles dist/ when it is older than the sources. Does nothing, quickly, when all is in place.
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const lock = join(root, 'package-lock.json')
const installedLock = join(root, 'node_modules', '.escalona-lock.json')

if (!existsSync(installedLock) || !readFileSync(installedLock).equals(readFileSync(lock))) {
  console.error('escalona: installing npm packages …')
  // Not `npm ci`: it refuses a lock file that lacks other platforms' binaries, which depends on who wrote it where.
  execFileSync('npm', ['install', '--no-save', '--no-fund', '--no-audit'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  copyFileSync(lock, installedLock)
}

if (process.argv.includes('--build')) {
  const built = join(root, 'dist', 'cli', 'main.js')
  const sources = readdirSync(join(root, 'src'), { recursive: true }).map(name => join(root, 'src', String(name)))
  const newest = Math.max(...sources.map(file => statSync(file).mtimeMs))
  if (!existsSync(built) || statSync(built).mtimeMs < newest) {
    console.error('escalona: building …')
    execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
  }
}
