// Another commit, built, in the system's temporary folder. It stays there for the next time.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Returns the folder of its tree and its full name. */
export function otherCommit(name) {
  const commit = git('rev-parse', '--verify', `${name}^{commit}`).toString().trim()
  const tree = join(tmpdir(), 'escalona-bench-against', commit)
  if (!existsSync(tree)) unpack(commit, tree)
  // The same packages need not be installed twice.
  const isLinked = hasSamePackages(tree)
  if (isLinked && !existsSync(join(tree, 'node_modules')))
    symlinkSync(realpathSync(join(root, 'node_modules')), join(tree, 'node_modules'))
  const build = isLinked ? ['scripts/build.mjs', '--if-needed'] : ['scripts/setup.mjs', '--build']
  execFileSync(process.execPath, build, { cwd: tree, stdio: ['ignore', 2, 2] })
  return { tree, commit }
}

function unpack(commit, tree) {
  const part = `${tree}.part`
  rmSync(part, { recursive: true, force: true })
  mkdirSync(part, { recursive: true })
  execFileSync('tar', ['-x', '-C', part], { input: git('archive', commit) })
  renameSync(part, tree)
}

function hasSamePackages(tree) {
  return installedBy(tree) === installedBy(root)
}

/** Every package of a package-lock.json and its version. */
function installedBy(folder) {
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'))
  return JSON.stringify(Object.entries(packages).map(([place, { version }]) => [place, version]))
}

function git(...args) {
  return execFileSync('git', args, { cwd: root, maxBuffer: 1 << 30 })
}
