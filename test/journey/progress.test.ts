// What a person sees on a terminal of 80 columns while an ordinary crawl runs.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { MAIN, PLAIN } from '../cli/run-cli.ts'
import { IS_SOAK } from './crawl.ts'
import { smallWeb } from './small-web.ts'

const HOSTS = 6
const SECONDS = IS_SOAK ? 60 : 12
const noTerminal = spawnSync('script', ['--version']).error !== undefined && 'needs script(1) to make a terminal'

test('progress: on 80 columns each frame has rate, bar and ETA, and its words stay the same while the crawl does', {
  skip: noTerminal,
}, async t => {
  const hosts = Array.from({ length: HOSTS }, (_, n) => ({
    name: `h${n}.test`,
    address: `127.0.0.${10 + n}`,
    answer: (path: string) => `<a href="/${Number(path.slice(1) || 0) + 1}">next</a><a href="/${path.length}x">x</a>`,
  }))
  const { args } = await smallWeb(t, hosts)
  const options = [...args, '-n', '100000', '--delay', '400ms', '--server-delay', '0', '--max-time', `${SECONDS}s`]
  const command = ['stty cols 80;', process.execPath, MAIN, 'crawl', ...options].join(' ')
  const terminal = spawn('script', ['-qec', command, '/dev/null'], {
    env: { ...process.env, ...PLAIN, TERM: 'xterm', SHELL: '/bin/sh' },
  })
  let shown = ''
  terminal.stdout.setEncoding('utf8').on('data', (text: string) => (shown += text))
  await once(terminal, 'close')
  const frames = shown
    .split('\r\x1b[J')
    .slice(1)
    .map(frame => stripVTControlCharacters(frame).trimEnd().split(/\r?\n/))
    .filter(([figures]) => /ETA/.test(figures ?? ''))
  assert.ok(frames.length >= SECONDS * 2, `${frames.length} frames`)
  const words: string[] = []
  for (const frame of frames) {
    const [figures = '', bar = '', ...trouble] = frame
    assert.match(figures, /^[\d,]+ pages? {2}[\d.]+\/s {2}.*ETA /, frame.join('\n'))
    assert.match(bar, /^[█░]{20} {2}\d+ %/, frame.join('\n'))
    for (const line of frame) assert.ok(line.length < 80, line)
    assert.deepEqual(trouble, [])
    const said = bar.replace(/^[█░]{20} {2}\d+ %(?: {2})?/, '')
    if (said !== words.at(-1)) words.push(said)
  }
  t.diagnostic(`${frames.length} frames, words: ${words.join(' | ')}`)
  assert.ok(words.length <= 6, words.join(' | '))
  // At its end a crawl is not limited by anything.
  assert.equal(words.filter(said => said !== '').at(-1), "as fast as the hosts' delays allow")
})
