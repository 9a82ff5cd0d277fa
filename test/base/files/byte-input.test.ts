import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { EscalonaError } from '../../../src/base/errors.ts'
import { type ByteInput, openInput } from '../../../src/base/files/byte-input.ts'
import { temporaryFolder } from '../../cli/run-cli.ts'
import { RandomSource, seeds } from '../../model/random-source.ts'

/** Reads to the end, in steps of random length and into random places; what stands around them must stay. */
async function readAll(input: ByteInput, random: RandomSource, most: number): Promise<Buffer> {
  const parts: Buffer[] = []
  let total = 0
  for (;;) {
    await input.ready()
    const [offset, length] = [random.below(10), 1 + random.below(most)]
    const buffer = Buffer.alloc(offset + length + 5, 0xaa)
    const got = input.read(buffer, offset, length)
    assert.ok(got >= 0 && got <= length)
    assert.ok(buffer.subarray(0, offset).every(byte => byte === 0xaa))
    assert.ok(buffer.subarray(offset + got).every(byte => byte === 0xaa))
    total += got
    assert.equal(input.bytesRead, total)
    if (got === 0) return Buffer.concat(parts)
    parts.push(buffer.subarray(offset, offset + got))
  }
}

function randomBytes(random: RandomSource): Buffer {
  const length = random.below(random.pick([1, 100, 5000, 200_000]))
  return Buffer.from(Uint8Array.from({ length }, () => random.below(256)))
}

function isUnreadable(message: RegExp) {
  return (error: unknown) =>
    error instanceof EscalonaError && error.code === 'FILE_UNREADABLE' && message.test(error.message)
}

test('ours: a file is read whole, in steps of any length', async t => {
  const path = join(temporaryFolder(t), 'in')
  for (const seed of seeds(t, 30, 15)) {
    const random = new RandomSource(seed)
    const content = randomBytes(random)
    writeFileSync(path, content)
    const input = openInput(path)
    assert.equal(input.bytes, content.length)
    assert.equal(input.ready(), undefined)
    const read = await readAll(input, random, random.pick([3000, 100_000]))
    input.close()
    assert.ok(read.equals(content), `ESCALONA_SEED=${seed}`)
  }
})

test('ours: a pipe is read whole, in steps of any length, and nobody knows how long it is', async t => {
  const folder = temporaryFolder(t)
  const pipe = join(folder, 'pipe')
  if (spawnSync('mkfifo', [pipe]).status !== 0) return t.skip('this system has no mkfifo')
  for (const seed of seeds(t, 4, 2)) {
    const random = new RandomSource(seed)
    const content = randomBytes(random)
    writeFileSync(join(folder, 'content'), content)
    const writer = spawn('sh', ['-c', 'cat content > pipe'], { cwd: folder })
    const input = openInput(pipe)
    assert.equal(input.bytes, undefined)
    const read = await readAll(input, random, random.pick([3000, 100_000]))
    input.close()
    writer.kill()
    assert.ok(read.equals(content), `ESCALONA_SEED=${seed}`)
  }
})

test('ours: a missing file and a folder are unreadable, in words', t => {
  const folder = temporaryFolder(t)
  assert.throws(() => openInput(join(folder, 'none')), isUnreadable(/no such file or folder; check the path/))
  assert.throws(() => openInput(folder), isUnreadable(/it is a folder; name a file/))
  assert.throws(() => openInput(join(folder, 'no\x1b[31m')), isUnreadable(/no\\u\{1b\}\[31m/))
})

test('ours: a file that is refused or closed does not stay open', t => {
  if (!existsSync('/proc/self/fd')) return t.skip('this system does not show its open files')
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'in'), 'x')
  const before = readdirSync('/proc/self/fd').length
  for (let n = 0; n < 20; n++) {
    openInput(join(folder, 'in')).close()
    assert.throws(() => openInput(folder))
    assert.throws(() => openInput(join(folder, 'none')))
  }
  const opened = readdirSync('/proc/self/fd').length - before
  assert.ok(opened <= 0, `${opened} files stay open`)
})
