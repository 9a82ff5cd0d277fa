// What `npm publish` would publish, built from nothing in a copy, and used as a stranger would use it.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'

interface PackageJson {
  readonly version: string
  readonly license: string
  readonly bin: Readonly<Record<string, string>>
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>
  readonly dependencies?: Readonly<Record<string, string>>
}

interface Packed {
  readonly version: string
  readonly files: readonly { readonly path: string; readonly mode: number }[]
}

/** The repository; this file is compiled to build/test/. */
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const NEEDED = ['package.json', 'scripts', 'src', 'tsconfig.json', 'tsconfig.build.json']
const SHOWN = ['README.md', 'LICENSE', 'CHANGELOG.md']

const folder = mkdtempSync(join(tmpdir(), 'escalona-package-'))
const copy = join(folder, 'copy')
const stranger = join(folder, 'stranger')
let packed: Packed
let description: PackageJson

before(() => {
  mkdirSync(copy)
  for (const name of NEEDED) cpSync(join(ROOT, name), join(copy, name), { recursive: true })
  for (const name of SHOWN) if (existsSync(join(ROOT, name))) cpSync(join(ROOT, name), join(copy, name))
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: copy, stdio: ['ignore', 'ignore', 'inherit'] })
  const listing = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts', '--offline'], {
    cwd: copy,
    stdio: ['ignore', 'pipe', 'ignore'],
    encoding: 'utf8',
  })
  packed = (JSON.parse(listing) as [Packed])[0]
  description = JSON.parse(readFileSync(join(copy, 'package.json'), 'utf8')) as PackageJson
  // The stranger gets the packed files and nothing else: no sources, no development packages.
  const installed = join(stranger, 'node_modules', 'escalona')
  for (const { path } of packed.files) cpSync(join(copy, path), join(installed, path))
  writeFileSync(join(stranger, 'package.json'), '{ "type": "module" }')
})

after(() => rmSync(folder, { recursive: true, force: true }))

function paths(): string[] {
  return packed.files.map(file => file.path)
}

test('ours: the package has what its users need', () => {
  for (const path of ['package.json', 'dist/index.js', 'dist/index.d.ts', 'dist/cli/main.js', ...SHOWN]) {
    assert.ok(paths().includes(path), path)
  }
  assert.ok(
    paths().some(path => /^dist\/.*classic\.wasm$/.test(path)),
    'classic.wasm',
  )
  assert.equal(description.license, 'MIT')
  assert.equal(packed.version, description.version)
})

test('ours: the package has nothing else: no sources, no tests, no maps, no settings', () => {
  const strange = paths().filter(path => !/^dist\/.*(\.js|\.d\.ts|\.wasm)$/.test(path))
  assert.deepEqual(strange.sort(), [...SHOWN, 'package.json'].sort())
  assert.deepEqual(
    paths().filter(path => /\btest\b|\bbench\b|\bkernel\/|\.test\./.test(path)),
    [],
  )
})

test('ours: all that package.json points to is in the package', () => {
  const targets = [
    ...Object.values(description.bin),
    ...Object.values(description.exports).flatMap(target =>
      typeof target === 'string' ? target : Object.values(target),
    ),
  ]
  assert.ok(targets.length >= 3)
  for (const target of targets) assert.ok(paths().includes(target.replace(/^\.\//, '')), target)
})

test('ours: the command can be started as a program', () => {
  const main = packed.files.find(file => file.path === description.bin.escalona)
  assert.ok(main && (main.mode & 0o111) === 0o111, `mode ${main?.mode.toString(8)}`)
  assert.match(readFileSync(join(copy, main.path), 'utf8'), /^#!\/usr\/bin\/env node\n/)
})

test('ours: the installed command knows its version and runs commands', () => {
  const main = join(stranger, 'node_modules', 'escalona', description.bin.escalona!)
  const run = (args: string[], input = '') =>
    execFileSync(process.execPath, [main, ...args], { input, encoding: 'utf8' })
  assert.equal(run(['--version']), `${description.version}\n`)
  assert.equal(run(['-q', '-'], 'ADD_URLS 1\nhttp://www.A.com/\nESCALONA_TUDO\n'), 'http://a.com\n')
})

test("ours: import { Scheduler } from 'escalona' works where only the package and its dependencies are", () => {
  // npm would put there what our dependencies need too: tldts-core.
  for (const name of [...Object.keys(description.dependencies ?? {}), 'tldts-core']) {
    const place = join(stranger, 'node_modules', name)
    mkdirSync(dirname(place), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules', name), place)
  }
  const program = `
    import { EscalonaError, readClassic, Scheduler } from 'escalona'
    const scheduler = new Scheduler({ strategy: 'breadth' })
    scheduler.add('http://www.ufmg.br/dcc/')
    console.log([...scheduler].join(), readClassic('http://a.com/x').kind, typeof EscalonaError)
  `
  writeFileSync(join(stranger, 'main.js'), program)
  const printed = execFileSync(process.execPath, ['main.js'], { cwd: stranger, encoding: 'utf8' })
  assert.equal(printed, 'http://ufmg.br/dcc accepted function\n')
})

test('ours: the types are those of the library, for strict users', () => {
  const tsc = join(ROOT, 'node_modules', '.bin', 'tsc')
  for (const name of ['@types', 'undici-types']) {
    symlinkSync(join(ROOT, 'node_modules', name), join(stranger, 'node_modules', name))
  }
  const check = (program: string) => {
    writeFileSync(join(stranger, 'main.ts'), program)
    const args = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--types', 'node', 'main.ts']
    try {
      return execFileSync(tsc, args, { cwd: stranger, encoding: 'utf8' })
    } catch (error) {
      return String((error as { stdout: unknown }).stdout)
    }
  }
  const right = `
    import { type Added, type Counts, Scheduler, type StrategyName } from 'escalona'
    const strategy: StrategyName = 'best'
    const scheduler = new Scheduler({ strategy })
    const added: Added = scheduler.add('http://a.com')
    export const reason: string = added.kind === 'refused' ? added.reason : added.kind
    export const url: string | undefined = scheduler.next()
    export const counts: Counts = scheduler.counts
    for (const one of scheduler.schedule(3)) one.toUpperCase()
  `
  assert.equal(check(right), '')
  const wrong = `import { Scheduler } from 'escalona'\nnew Scheduler({ strategy: 'deep' }).add(5)\n`
  assert.match(check(wrong), /'"deep"' is not assignable[\s\S]*'number' is not assignable/)
})
