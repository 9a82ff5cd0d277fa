import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { escalona, temporaryFolder } from './run-cli.ts'

const script = escalona(['completion', 'bash']).stdout

/** What bash offers after these words; the last one is being typed. */
function offered(t: TestContext, words: readonly string[]): string[] {
  const folder = temporaryFolder(t)
  mkdirSync(join(folder, 'a folder'))
  writeFileSync(join(folder, 'seeds.txt'), '')
  writeFileSync(join(folder, 'script'), script)
  const ask = `source ./script || exit 9
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _escalona; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { status, stdout, stderr } = spawnSync('bash', ['-c', ask, 'bash', 'escalona', ...words], { cwd: folder })
  assert.deepEqual([status, stderr.toString()], [0, ''])
  return stdout.toString().split('\n').filter(Boolean).sort()
}

test('completion: bash completes commands and files', t => {
  assert.deepEqual(offered(t, ['cra']), ['crawl'])
  assert.deepEqual(
    offered(t, ['s']),
    ['script', 'search', 'seeds.txt', 'simulate', ...offered(t, ['sta']), 'stop'].sort(),
  )
  assert.ok(offered(t, ['']).includes('resume'))
})

test('completion: bash completes options and their values from the table that reads them', t => {
  assert.deepEqual(offered(t, ['crawl', '--max-d']), ['--max-depth'])
  assert.deepEqual(offered(t, ['crawl', '--ui', 'see']), ['seeds.txt'])
  assert.deepEqual(offered(t, ['crawl', '--scope', '']), ['any', 'domain', 'host'])
  assert.deepEqual(offered(t, ['crawl', '-e', 'b']), ['best', 'breadth'])
  assert.deepEqual(offered(t, ['crawl', '-s', 'se']), ['seeds.txt'])
  assert.deepEqual(offered(t, ['crawl', '--delay', '']), [])
  assert.deepEqual(offered(t, ['resume', '']), ['a folder'])
  assert.deepEqual(offered(t, ['resume', '--fre']), [])
  assert.deepEqual(offered(t, ['completion', '']), ['bash', 'fish', 'zsh'])
  assert.deepEqual(offered(t, ['help', 'gen']), ['generate'])
})

for (const shell of ['zsh', 'fish']) {
  const isMissing = spawnSync(shell, ['--version']).error !== undefined && `${shell} is not installed`
  test(`completion: the script for ${shell} can be sourced`, { skip: isMissing }, t => {
    const script = join(temporaryFolder(t), 'script')
    writeFileSync(script, escalona(['completion', shell]).stdout)
    const before = shell === 'zsh' ? 'autoload -U compinit; compinit -u; ' : ''
    const { status, stderr } = spawnSync(shell, ['-c', `${before}source ${script}`])
    assert.deepEqual([status, stderr.toString()], [0, ''])
  })
}

test('completion: the scripts for zsh and fish know the options and their values', () => {
  const zsh = escalona(['completion', 'zsh']).stdout.toString()
  assert.match(zsh, /^#compdef escalona\n/)
  assert.ok(zsh.includes(`'--scope=:scope:(any domain host)'`))
  const fish = escalona(['completion', 'fish']).stdout.toString()
  assert.ok(
    fish.includes(`complete -c escalona -n '__fish_seen_subcommand_from crawl' -l scope -x -a 'any domain host'`),
  )
})

test('completion: another shell is wrong use that names those there are', () => {
  const { code, stderr } = escalona(['completion', 'csh'])
  assert.equal(code, 2)
  assert.match(stderr, /no completion for csh; choose bash, zsh, fish; see escalona completion --help/)
})
