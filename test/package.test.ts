// What `npm publish` would publish, built from nothing in a copy, and used as a stranger would use it.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { ONLY_IN_SOAK } from './model/random-source.ts'
import { npmInstall, type Packed, packCopy, ROOT } from './packed.ts'

interface PackageJson {
  readonly version: string
  readonly license: string
  readonly bin: Readonly<Record<string, string>>
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>
  readonly dependencies?: Readonly<Record<string, string>>
}

const SHOWN = ['README.md', 'LICENSE', 'CHANGELOG.md']

const folder = mkdtempSync(join(tmpdir(), 'escalona-package-'))
const copy = join(folder, 'copy')
const stranger = join(folder, 'stranger')
let packed: Packed
let description: PackageJson

before(() => {
  packed = packCopy(copy)
  description = JSON.parse(readFileSync(join(copy, 'package.json'), 'utf8')) as PackageJson
  // The stranger gets the packed files and our dependencies, and nothing else: no sources, no development packages.
  const modules = join(stranger, 'node_modules')
  for (const { path } of packed.files) cpSync(join(copy, path), join(modules, 'escalona', path))
  // Types are the user's own: @types/node.
  for (const name of [...Object.keys(description.dependencies ?? {}), '@types', 'undici-types']) {
    const place = join(modules, name)
    mkdirSync(dirname(place), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules', name), place)
  }
  writeFileSync(join(stranger, 'package.json'), '{ "type": "module" }')
  for (const name of examples()) cpSync(join(ROOT, 'examples', name), join(stranger, name))
})

after(() => rmSync(folder, { recursive: true, force: true }))

function examples(): string[] {
  return readdirSync(join(ROOT, 'examples')).filter(name => name.endsWith('.mjs'))
}

function paths(): string[] {
  return packed.files.map(file => file.path)
}

test('ours: the package has what its users need', () => {
  for (const path of ['package.json', 'dist/index.js', 'dist/index.d.ts', 'dist/cli/main.js', ...SHOWN]) {
    assert.ok(paths().includes(path), path)
  }
  for (const name of [
    'classic.wasm',
    'store.wasm',
    'store-watched.wasm',
    'deflate.wasm',
    'simhash.wasm',
    'script-thread.js',
  ]) {
    assert.ok(paths().includes(`dist/${name}`), name)
  }
  assert.ok(paths().includes('dist/lua/shard/take.lua'), 'the scripts of Redis')
  assert.ok(paths().includes('dist/ui-thread.js'), 'the thread of the live page')
  assert.ok(paths().includes('dist/export-thread.js'), 'the threads of the export')
  for (const name of ['index.html', 'app.js', 'app.css', 'LICENCES.txt'])
    assert.ok(paths().includes(`dist/page/${name}`), name)
  assert.ok(paths().includes('dist/LICENCES.txt'))
  assert.equal(description.license, 'MIT')
  assert.equal(packed.version, description.version)
})

test('ours: the package has nothing else: no sources, no tests, no maps, no settings', () => {
  const strange = paths().filter(
    path => !/^dist\/(?:.*(\.js|\.d\.ts|\.wasm|\.lua)|LICENCES\.txt|page\/[\w.-]+)$/.test(path),
  )
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

function printedBy(program: string): string {
  writeFileSync(join(stranger, 'main.js'), program)
  return execFileSync(process.execPath, ['main.js'], { cwd: stranger, encoding: 'utf8' })
}

test("ours: import { Scheduler } from 'escalona/scheduler' works where only the package and its dependencies are", () => {
  const program = `
    import { readClassic, Scheduler } from 'escalona/scheduler'
    const scheduler = new Scheduler({ strategy: 'breadth' })
    scheduler.add('http://www.ufmg.br/dcc/')
    console.log([...scheduler].join(), readClassic('http://a.com/x').kind)
  `
  assert.equal(printedBy(program), 'http://ufmg.br/dcc accepted\n')
})

test('package: every entry point can be imported, and their errors are EscalonaError', () => {
  const entries = Object.keys(description.exports).filter(path => path !== './package.json')
  const program = `
    import { EscalonaError } from 'escalona'
    import { parseWhere } from 'escalona/frontier'
    for (const path of ${JSON.stringify(entries)}) {
      const { length } = Object.keys(await import('escalona' + path.slice(1)))
      if (length === 0) console.log(path, 'is empty')
    }
    try {
      parseWhere('http://a.com')
    } catch (error) {
      console.log(error instanceof EscalonaError)
    }
  `
  assert.equal(printedBy(program), 'true\n')
})

/** Compiles files of the stranger's with that compiler, as strictly as it can; returns what it complains about. */
function complaints(tsc: string, ...args: string[]): string {
  const strict = ['--noEmit', '--strict', '--skipLibCheck', 'false', '--target', 'es2022', '--types', 'node']
  const { stdout } = spawnSync(tsc, [...strict, ...args], { cwd: stranger, encoding: 'utf8' })
  return stdout
}

const RIGHT = `
  import { crawl, openCrawl } from 'escalona'
  import { httpOf } from 'escalona/archive'
  import { extract, type Extracted } from 'escalona/extract'
  import { type CrawlFrontier, openLocal } from 'escalona/frontier'
  import { exportTable, type Waterfall } from 'escalona/reading'
  import { parseRobots } from 'escalona/robots'
  import { type Added, type Counts, Scheduler, type StrategyName } from 'escalona/scheduler'
  const strategy: StrategyName = 'best'
  const scheduler = new Scheduler({ strategy })
  const added: Added = scheduler.add('http://a.com')
  export const reason: string = added.kind === 'refused' ? added.reason : added.kind
  export const url: string | undefined = scheduler.next()
  export const counts: Counts = scheduler.counts
  for (const one of scheduler.schedule(3)) one.toUpperCase()
  for await (const page of crawl({ seeds: ['https://a.com/'], folder: 'a', limit: 5 })) page.url.toUpperCase()
  const reader = await openCrawl('a')
  for await (const page of reader.pages()) page.title.toUpperCase()
  const { waterfall }: { waterfall: Waterfall } = await reader.status()
  export const known: number = waterfall.known
  export const frontier: CrawlFrontier = await openLocal({ folder: 'b' })
  export const allowed: boolean = parseRobots(new Uint8Array()).allows('a', 'https://a.com/').allowed
  export const read: (page: Parameters<typeof extract>[0]) => Extracted = extract
  export const others = [exportTable, httpOf]
`
const WRONG = `import { Scheduler } from 'escalona/scheduler'\nnew Scheduler({ strategy: 'deep' }).add(5)\n`

test('ours: the types are those of the library, for strict users', () => {
  const tsc = join(ROOT, 'node_modules', '.bin', 'tsc')
  writeFileSync(join(stranger, 'right.ts'), RIGHT)
  writeFileSync(join(stranger, 'wrong.ts'), WRONG)
  const told = complaints(tsc, '--module', 'nodenext', 'right.ts', 'wrong.ts')
  assert.match(told, /'"deep"' is not assignable[\s\S]*'number' is not assignable/)
  assert.deepEqual(
    told.split('\n').filter(line => line !== '' && !/^(?:wrong\.ts|\s)/.test(line)),
    [],
  )
  assert.equal(complaints(tsc, '--module', 'esnext', '--moduleResolution', 'bundler', 'right.ts'), '')
})

test('package: the types compile with skipLibCheck: false on TypeScript 5.4', ONLY_IN_SOAK, t => {
  const compiler = join(folder, 'typescript-5.4')
  const { skip, error } = npmInstall(compiler, ['typescript@5.4', '@types/node@20'])
  if (skip !== undefined) return t.skip(skip)
  assert.equal(error, undefined)
  const tsc = join(compiler, 'node_modules', '.bin', 'tsc')
  assert.match(execFileSync(tsc, ['--version'], { encoding: 'utf8' }), /^Version 5\.4\./)
  writeFileSync(join(stranger, 'right.ts'), RIGHT)
  const types = ['--typeRoots', join(compiler, 'node_modules', '@types')]
  assert.equal(complaints(tsc, ...types, '--module', 'nodenext', 'right.ts'), '')
})

test('package: the types of the examples are right', () => {
  const tsc = join(ROOT, 'node_modules', '.bin', 'tsc')
  assert.equal(complaints(tsc, '--allowJs', '--checkJs', '--module', 'nodenext', ...examples()), '')
})

test('package: esbuild bundles a program when escalona is marked as external, and docs/library.md says so', () => {
  const bundle = (...args: string[]) => {
    const to = join(stranger, 'bundled', 'main.mjs')
    const fixed = [
      '03-crawl.mjs',
      '--bundle',
      '--platform=node',
      '--format=esm',
      `--outfile=${to}`,
      '--log-level=error',
    ]
    execFileSync(join(ROOT, 'node_modules', '.bin', 'esbuild'), [...fixed, ...args], { cwd: stranger })
    return spawnSync(process.execPath, [to], { encoding: 'utf8', timeout: 30_000 })
  }
  const { status, stdout } = bundle('--external:escalona')
  assert.equal(status, 0)
  assert.match(stdout, /^nothing left 2 pages/m)
  assert.match(readFileSync(join(ROOT, 'docs', 'library.md'), 'utf8'), /--external:escalona/)
  const whole = bundle()
  assert.notEqual(whole.status, 0)
  assert.match(whole.stderr, /--external:escalona/, 'who forgets it is told what to do')
})
