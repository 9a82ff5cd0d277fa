import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The repository; this file is compiled to build/test/. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** What a clone has that the package is made from. */
const NEEDED = [
  'package.json',
  'package-lock.json',
  '.npmrc',
  'scripts',
  'src',
  'examples',
  'tsconfig.json',
  'tsconfig.build.json',
  'tsconfig.page.json',
  'README.md',
  'LICENSE',
  'CHANGELOG.md',
]

/** What the first test has built from nothing, for the others; scripts/test.mjs removes it when it begins. */
const SHARED = join(ROOT, 'build', 'dist')

export interface Packed {
  readonly version: string
  readonly files: readonly { readonly path: string; readonly mode: number }[]
}

/** A clone without dist/, as far as it is needed to build the package. */
export function copyClone(copy: string): void {
  mkdirSync(copy, { recursive: true })
  for (const name of NEEDED) cpSync(join(ROOT, name), join(copy, name), { recursive: true })
}

/** Copies the clone, lends it our development packages and builds it. Returns the program as it is shipped. */
export function buildCopy(copy: string): string {
  copyClone(copy)
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  const dist = join(copy, 'dist')
  if (existsSync(SHARED)) cpSync(SHARED, dist, { recursive: true })
  else {
    execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: copy, stdio: 'ignore' })
    const own = `${SHARED}-${process.pid}`
    cpSync(dist, own, { recursive: true })
    try {
      renameSync(own, SHARED)
    } catch {
      rmSync(own, { recursive: true }) // another test was faster
    }
  }
  return join(copy, 'dist', 'cli', 'main.js')
}

/** Builds a copy and packs it. */
export function packCopy(copy: string): Packed {
  buildCopy(copy)
  const listing = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--offline'], {
    cwd: copy,
    stdio: ['ignore', 'pipe', 'ignore'],
    encoding: 'utf8',
  })
  // npm 12 lists packages by name, those before it in an array.
  return Object.values(JSON.parse(listing) as Readonly<Record<string, Packed>>)[0]!
}

export interface Ran {
  /** Why it was not possible, when packages can't be had from here. */
  readonly skip?: string
  readonly error?: string
  readonly stderr: string
}

/** Runs a program that needs the package registry. */
export function runOnline(cwd: string, program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Ran {
  const { status, stderr } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    timeout: 240_000,
    env: { ...process.env, npm_config_prefer_offline: 'true', npm_config_audit: 'false', ...env },
  })
  if (status === 0) return { stderr }
  const isOffline = /\b(ENOTCACHED|EAI_AGAIN|ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH)\b/.test(stderr)
  if (isOffline) return { skip: `the package registry is out of reach: ${stderr.slice(0, 200)}`, stderr }
  return { error: `status ${status}: ${stderr}`, stderr }
}

/** Makes an empty project and installs packages in it. */
export function npmInstall(project: string, packages: readonly string[], env?: NodeJS.ProcessEnv): Ran {
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{}')
  return runOnline(project, 'npm', ['install', ...packages], env)
}
