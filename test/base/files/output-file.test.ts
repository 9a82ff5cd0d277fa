import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { EscalonaError } from '../../../src/base/errors.ts'
import { OutputFile } from '../../../src/base/files/output-file.ts'
import { temporaryFolder } from '../../cli/run-cli.ts'
import { RandomSource, seeds } from '../../model/random-source.ts'

function folderOf(t: TestContext) {
  const path = temporaryFolder(t)
  return { path, file: (name: string) => join(path, name), names: () => readdirSync(path).sort() }
}

function hasCode(code: string, message: RegExp) {
  return (error: unknown) => error instanceof EscalonaError && error.code === code && message.test(error.message)
}

test('ours: random pieces come out as one file', t => {
  const folder = folderOf(t)
  for (const seed of seeds(t, 20, 10)) {
    const random = new RandomSource(seed)
    const pieces = Array.from({ length: random.below(20) }, () =>
      Buffer.from(Uint8Array.from({ length: random.below(random.pick([10, 100_000])) }, () => random.below(256))),
    )
    for (const isHeldBack of [false, true]) {
      const output = new OutputFile(folder.file('out'), isHeldBack)
      for (const piece of pieces) output.write(piece)
      output.commit()
      assert.ok(readFileSync(folder.file('out')).equals(Buffer.concat(pieces)), `ESCALONA_SEED=${seed}`)
      assert.deepEqual(folder.names(), ['out'])
    }
  }
})

test('output: pieces that are written behind come out in order, and a write that fails is heard of when the file is ready', async t => {
  const folder = folderOf(t)
  const output = new OutputFile(folder.file('out'))
  const pieces = Array.from({ length: 20 }, (_, n) => Buffer.alloc(n * 10_000, 0x61 + n))
  for (const piece of pieces) {
    await output.ready()
    output.writeBehind(piece)
  }
  await output.ready()
  output.commit()
  assert.ok(readFileSync(folder.file('out')).equals(Buffer.concat(pieces)))

  if (!existsSync('/dev/full')) return t.skip('this system has no /dev/full')
  const full = new OutputFile('/dev/full')
  full.writeBehind(Buffer.from('new'))
  await full.idle()
  await assert.rejects(full.ready(), hasCode('FILE_UNWRITABLE', /\/dev\/full/))
  full.abandon()
})

test('rule 2.10: nothing appears under the name before the commit', t => {
  const folder = folderOf(t)
  const output = new OutputFile(folder.file('out'))
  output.write(Buffer.from('new'))
  assert.ok(!existsSync(folder.file('out')))
  output.commit()
  assert.equal(readFileSync(folder.file('out'), 'utf8'), 'new')
})

test('rule 2.10: an abandoned output leaves the earlier file, or none, and nothing beside it', t => {
  const folder = folderOf(t)
  writeFileSync(folder.file('old'), 'old')
  for (const name of ['old', 'none']) {
    const output = new OutputFile(folder.file(name))
    output.write(Buffer.from('new'))
    output.abandon()
    output.abandon()
  }
  assert.equal(readFileSync(folder.file('old'), 'utf8'), 'old')
  assert.deepEqual(folder.names(), ['old'])
})

test('ours: abandoning after a commit undoes nothing', t => {
  const folder = folderOf(t)
  const output = new OutputFile(folder.file('out'))
  output.write(Buffer.from('new'))
  output.commit()
  output.abandon()
  assert.equal(readFileSync(folder.file('out'), 'utf8'), 'new')
})

test('ours: a file that is replaced keeps its permissions', t => {
  const folder = folderOf(t)
  writeFileSync(folder.file('out'), 'a longer text than the new one')
  chmodSync(folder.file('out'), 0o640)
  const output = new OutputFile(folder.file('out'))
  output.write(Buffer.from('new'))
  output.commit()
  assert.equal(readFileSync(folder.file('out'), 'utf8'), 'new')
  assert.equal(statSync(folder.file('out')).mode & 0o777, 0o640)
})

test('ours: the file behind a symbolic link is replaced, and the link stays', t => {
  const folder = folderOf(t)
  mkdirSync(folder.file('elsewhere'))
  writeFileSync(folder.file('elsewhere/real'), 'old')
  symlinkSync('elsewhere/real', folder.file('link'))
  const output = new OutputFile(folder.file('link'))
  output.write(Buffer.from('new'))
  output.commit()
  assert.equal(readlinkSync(folder.file('link')), 'elsewhere/real')
  assert.equal(readFileSync(folder.file('elsewhere/real'), 'utf8'), 'new')
  assert.deepEqual(folder.names(), ['elsewhere', 'link'])
  assert.deepEqual(readdirSync(folder.file('elsewhere')), ['real'])
})

test('ours: a folder, a missing folder and a name that is too long are unwritable, in words', t => {
  const folder = folderOf(t)
  const refused = {
    '.': /cannot write .*it is a folder; name a file/,
    'no/out': /no such file or folder; check the path/,
    [`${'x'.repeat(300)}/out`]: /too long; choose a shorter one/,
  }
  for (const [name, message] of Object.entries(refused)) {
    assert.throws(() => new OutputFile(folder.file(name)), hasCode('FILE_UNWRITABLE', message), name)
  }
  assert.deepEqual(folder.names(), [])
})

test('ours: the message names the path without obeying it', t => {
  const path = join(temporaryFolder(t), 'no\x1b[31m', 'out')
  assert.throws(() => new OutputFile(path), hasCode('FILE_UNWRITABLE', /no\\u\{1b\}\[31m/))
})

test('ours: a device is written to directly, or held back and then written to', () => {
  for (const isHeldBack of [false, true]) {
    const output = new OutputFile('/dev/null', isHeldBack)
    output.write(Buffer.from('x'))
    output.commit()
    assert.ok(statSync('/dev/null').isCharacterDevice())
  }
})

test('ours: a full disk is an error in words, also when it shows only at the commit', t => {
  if (!existsSync('/dev/full')) return t.skip('this system has no /dev/full')
  const direct = new OutputFile('/dev/full')
  assert.throws(() => direct.write(Buffer.from('x')), hasCode('FILE_UNWRITABLE', /the disk is full/))
  direct.abandon()
  const heldBack = new OutputFile('/dev/full', true)
  heldBack.write(Buffer.from('x'))
  assert.throws(() => heldBack.commit(), hasCode('FILE_UNWRITABLE', /the disk is full/))
})

test('output file: what a killed process left is removed by the next that writes there; that of a live one stays', {
  skip: !existsSync('/proc/self/stat') && 'whether another process runs can be seen in /proc only',
}, async t => {
  const folder = folderOf(t)
  const module = new URL('../../../src/base/files/output-file.js', import.meta.url).href
  const code = `import { OutputFile } from ${JSON.stringify(module)}
    new OutputFile(process.argv[1]).write(Buffer.from('half'))
    setInterval(() => {}, 1000)`
  const writer = async (count: number) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', code, folder.file('out')], { stdio: 'ignore' })
    t.after(() => child.kill('SIGKILL'))
    for (let n = 0; n < 3000 && folder.names().length < count; n++) await wait(10)
    assert.equal(folder.names().length, count)
    return child
  }
  const killed = await writer(1)
  const [left] = folder.names()
  await writer(2)
  const ended = new Promise(resolve => killed.on('close', resolve))
  killed.kill('SIGKILL')
  await ended
  const live = folder.names().filter(name => name !== left)
  const foreign = ['.escalona-1-1-0-x.tmp', '.escalona-abc.tmp']
  for (const name of foreign) writeFileSync(folder.file(name), 'another machine')
  const output = new OutputFile(folder.file('other'))
  output.commit()
  assert.deepEqual(folder.names(), [...foreign, ...live, 'other'].sort())
})
