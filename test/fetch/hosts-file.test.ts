import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseHostsFile, systemHosts } from '../../src/fetch/hosts-file.ts'

test('ours: names, comments, any blanks and line ends; the first line that knows a name wins', () => {
  const hosts = parseHostsFile(
    '# all\n127.0.0.1 a.example\tB.Example # c.example\r\n\r\n  ::1   six.example\n10.0.0.1 a.example d.example\n127.0.0.2',
  )
  assert.deepEqual(
    [...hosts],
    [
      ['a.example', '127.0.0.1'],
      ['b.example', '127.0.0.1'],
      ['six.example', '::1'],
      ['d.example', '10.0.0.1'],
    ],
  )
  assert.equal(parseHostsFile('').size, 0)
})

test('ours: a bad line is told by its number, without escapes', () => {
  const isTold = (line: number) => (error: { code?: string; message: string }) =>
    error.code === 'FETCH_BAD_HOSTS' && error.message.includes(`line ${line} `) && !error.message.includes('\x1b')
  assert.throws(() => parseHostsFile('127.0.0.1 a\n\nlocalhost 127.0.0.1'), isTold(3))
  assert.throws(() => parseHostsFile('\x1b[2J a'), isTold(1))
  assert.throws(() => parseHostsFile(`127.0.0.1 ${'a'.repeat(254)}`), isTold(1))
})

test('ours: a hundred thousand lines take no time to speak of', () => {
  const text = Array.from({ length: 100_000 }, (_, i) => `127.0.${(i >> 8) & 255}.${i & 255} h${i}.example`).join('\n')
  assert.equal(parseHostsFile(text).size, 100_000)
  assert.equal(parseHostsFile(`127.0.0.1 ${' '.repeat(1_000_000)}x`).get('x'), '127.0.0.1')
})

test('ours: the system’s hosts file is read leniently, and one that is not there holds nothing', t => {
  const folder = mkdtempSync(join(tmpdir(), 'escalona-hosts-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'hosts')
  writeFileSync(path, 'x y\n127.0.0.1 a.example\nfe80::1%lo0 lo.example\n')
  assert.deepEqual(
    [...systemHosts(path)],
    [
      ['a.example', '127.0.0.1'],
      ['lo.example', 'fe80::1%lo0'],
    ],
  )
  assert.equal(systemHosts(join(folder, 'none')).size, 0)
  assert.equal(systemHosts(folder).size, 0)
})
