// README's installation, as a newcomer runs it: in a fresh clone, by several versions of npm, into a folder of its own.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { lstatSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after, test } from 'node:test'
import { ONLY_IN_SOAK } from './model/random-source.ts'
import { copyClone, npmInstall, packCopy, ROOT, runOnline } from './packed.ts'

interface Lock {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly hasInstallScript?: boolean }>>
}

const folder = mkdtempSync(join(tmpdir(), 'escalona-install-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const { version, scripts } = JSON.parse(read('package.json')) as {
  readonly version: string
  readonly scripts: Readonly<Record<string, string>>
}

function read(name: string): string {
  return readFileSync(join(ROOT, name), 'utf8')
}

/** The commands of a README's first block, without comments; the first of them makes the clone. */
function commandsOf(readme: string): string[] {
  const block = /^```sh\n(.*?)^```$/ms.exec(read(readme))?.[1] ?? ''
  return block
    .trim()
    .split('\n')
    .map(line => line.replace(/#.*/, '').trim())
}

/** Checks that the command in this prefix runs, and is not a link to somewhere else. */
function assertCommand(prefix: string): void {
  assert.ok(lstatSync(join(prefix, 'lib', 'node_modules', 'escalona')).isDirectory(), 'a folder, not a link')
  const printed = execFileSync(join(prefix, 'bin', 'escalona'), ['--version'], { encoding: 'utf8' })
  assert.equal(printed, `${version}\n`)
}

test('README: both languages install by the same commands, with the tarball of this version', () => {
  const [clone, ...others] = commandsOf('README.md')
  assert.match(clone ?? '', /^git clone \S+ && cd escalona$/)
  assert.deepEqual(others, ['npm run build && npm pack', `npm install -g ./escalona-${version}.tgz`])
  assert.deepEqual(commandsOf('README.pt-BR.md'), [clone, ...others])
})

test('package: nothing runs when it is installed, neither a script of its own nor one of its dependencies', () => {
  const atInstallation = /^(?:pre|post)?(?:install|prepare)$|^dependencies$/
  assert.deepEqual(
    Object.keys(scripts).filter(name => atInstallation.test(name)),
    [],
  )
  const { packages } = JSON.parse(read('package-lock.json')) as Lock
  const withScript = Object.entries(packages).filter(([, { dev, hasInstallScript }]) => !dev && hasInstallScript)
  assert.deepEqual(withScript, [])
})

test('README: the command that this npm installs from the tarball needs nothing of the clone', t => {
  const copy = join(folder, 'copy')
  const prefix = join(folder, 'prefix')
  packCopy(copy)
  const install = commandsOf('README.md').at(-1)!
  const { skip, error } = runOnline(copy, 'sh', ['-c', install], { npm_config_prefix: prefix })
  if (skip !== undefined) return t.skip(skip)
  assert.equal(error, undefined)
  rmSync(copy, { recursive: true })
  assertCommand(prefix)
})

const newerNode = `node-${process.platform}-${process.arch}@24`
for (const { npm, packages, env } of [
  { npm: 'npm 10', packages: ['npm@10'] },
  { npm: 'npm 11', packages: ['npm@11'] },
  { npm: 'the newest npm', packages: ['npm@latest', newerNode] },
  {
    npm: 'an npm that runs no scripts and leaves out development packages',
    packages: [],
    env: { npm_config_ignore_scripts: 'true', NODE_ENV: 'production' },
  },
])
  test(
    `README: from a clone, ${npm} installs the command and the library, and neither needs the clone`,
    ONLY_IN_SOAK,
    t => {
      const base = join(folder, npm)
      const tools = join(base, 'tools')
      const clone = join(base, 'clone')
      const prefix = join(base, 'prefix')
      const project = join(base, 'project')
      copyClone(clone)
      const had = npmInstall(tools, packages)
      const path = [join(tools, 'node_modules', '.bin'), process.env.PATH].join(delimiter)
      const vars = { ...env, PATH: path, npm_config_prefix: prefix }
      const ran = runOnline(clone, 'sh', ['-e', '-c', commandsOf('README.md').slice(1).join('\n')], vars)
      const library = npmInstall(project, [join(clone, `escalona-${version}.tgz`)], vars)
      const skip = had.skip ?? ran.skip ?? library.skip
      if (skip !== undefined) return t.skip(skip)
      for (const { error } of [had, ran, library]) assert.equal(error, undefined)
      assert.doesNotMatch(ran.stderr + library.stderr, /install-scripts|allowScripts/, 'there is nothing to approve')
      const npmVersion = execFileSync('npm', ['--version'], { env: { ...process.env, PATH: path }, encoding: 'utf8' })
      t.diagnostic(`npm ${npmVersion.trim()}`)
      rmSync(clone, { recursive: true })
      assertCommand(prefix)
      const args = ['--input-type=module', '-e', "import { Scheduler } from 'escalona/scheduler'; new Scheduler()"]
      execFileSync(process.execPath, args, { cwd: project })
    },
  )
