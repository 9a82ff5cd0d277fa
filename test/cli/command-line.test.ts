import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { escalona, MAIN, PLAIN, temporaryFolder } from './run-cli.ts'

const COMMANDS = 'ADD_URLS 2\nhttp://b.com/x\nhttp://a.com\nESCALONA_TUDO\n'
const OUTPUT = 'http://b.com/x\nhttp://a.com\n'
const ESCAPE = '\x1b'

/** A folder with `in.txt` in it, and how to look into it. */
function folderWithInput(t: TestContext, commands = COMMANDS) {
  const path = temporaryFolder(t)
  writeFileSync(join(path, 'in.txt'), commands)
  return {
    path,
    file: (name: string) => join(path, name),
    read: (name: string) => readFileSync(join(path, name), 'utf8'),
    names: () => readdirSync(path).sort(),
    run: (...args: string[]) => escalona(args, { cwd: path }),
  }
}

/** A command file of `count` different URLs that are all scheduled. */
function manyUrls(count: number): string {
  const urls = Array.from({ length: count }, (_, n) => `http://host-${n % 100}.com/a/path/of/some/length/${n}.html`)
  return `ADD_URLS ${count}\n${urls.join('\n')}\nESCALONA_TUDO\n`
}

test('rule 2.10: the output lies beside the input as name-out.ext', t => {
  const folder = folderWithInput(t)
  assert.equal(folder.run('in.txt').code, 0)
  assert.equal(folder.read('in-out.txt'), OUTPUT)
  assert.deepEqual(folder.names(), ['in-out.txt', 'in.txt'])
})

test('rule 2.13: escalona run FILE is escalona FILE', t => {
  const folder = folderWithInput(t)
  assert.equal(folder.run('run', 'in.txt').code, 0)
  assert.equal(folder.read('in-out.txt'), OUTPUT)
})

test('rule 2.10: beside the input, not in the working folder', t => {
  const folder = folderWithInput(t)
  const elsewhere = temporaryFolder(t)
  assert.equal(escalona([folder.file('in.txt')], { cwd: elsewhere }).code, 0)
  assert.equal(folder.read('in-out.txt'), OUTPUT)
  assert.deepEqual(readdirSync(elsewhere), [])
})

test('rule 2.10: only the last extension moves behind -out', t => {
  const folder = folderWithInput(t, '')
  const outputs = {
    'a.b.txt': 'a.b-out.txt',
    noext: 'noext-out',
    'x-out.txt': 'x-out-out.txt',
    'a b.txt': 'a b-out.txt',
  }
  for (const [input, output] of Object.entries(outputs)) {
    writeFileSync(folder.file(input), COMMANDS)
    assert.equal(folder.run(input).code, 0, input)
    assert.equal(folder.read(output), OUTPUT, input)
  }
})

test('rule 2.10: a dot in the folder is no extension of the file', t => {
  const folder = folderWithInput(t)
  mkdirSync(folder.file('v1.2'))
  writeFileSync(folder.file('v1.2/coleta'), COMMANDS)
  assert.equal(folder.run('v1.2/coleta').code, 0)
  assert.equal(folder.read('v1.2/coleta-out'), OUTPUT)
  assert.deepEqual(folder.names(), ['in.txt', 'v1.2'])
})

test('rule 2.10: a dot that begins the name begins no extension', t => {
  const folder = folderWithInput(t)
  for (const [input, output] of [
    ['.coleta', '.coleta-out'],
    ['.coleta.txt', '.coleta-out.txt'],
  ] as const) {
    writeFileSync(folder.file(input), COMMANDS)
    assert.equal(folder.run(input).code, 0, input)
    assert.equal(folder.read(output), OUTPUT, input)
  }
})

test('ours: a file called run is an input like any other', t => {
  const folder = folderWithInput(t)
  writeFileSync(folder.file('run'), COMMANDS)
  assert.equal(folder.run('run', 'run').code, 0)
  assert.equal(folder.read('run-out'), OUTPUT)
  assert.equal(folder.run('./run').code, 0)
})

test('rule 2.10: -o names another output', t => {
  const folder = folderWithInput(t)
  mkdirSync(folder.file('sub'))
  assert.equal(folder.run('in.txt', '-o', 'sub/result').code, 0)
  assert.equal(folder.read('sub/result'), OUTPUT)
  assert.equal(folder.run('-o', 'other.txt', 'in.txt').code, 0)
  assert.equal(folder.read('other.txt'), OUTPUT)
  assert.deepEqual(folder.names(), ['in.txt', 'other.txt', 'sub'])
})

test('rule 2.10: -o - writes to standard output and no file', t => {
  const folder = folderWithInput(t)
  const ending = folder.run('in.txt', '-o', '-')
  assert.equal(ending.stdout.toString(), OUTPUT)
  assert.equal(ending.code, 0)
  assert.deepEqual(folder.names(), ['in.txt'])
})

test('rule 2.10: - reads standard input and writes to standard output', t => {
  const folder = temporaryFolder(t)
  const ending = escalona(['-'], { stdin: COMMANDS, cwd: folder })
  assert.equal(ending.stdout.toString(), OUTPUT)
  assert.equal(ending.code, 0)
  assert.deepEqual(readdirSync(folder), [])
})

test('rule 2.10: - with -o FILE reads standard input and writes the file', t => {
  const folder = temporaryFolder(t)
  const ending = escalona(['-', '-o', 'result.txt'], { stdin: COMMANDS, cwd: folder })
  assert.equal(ending.stdout.length, 0)
  assert.equal(readFileSync(join(folder, 'result.txt'), 'utf8'), OUTPUT)
  assert.deepEqual(readdirSync(folder), ['result.txt'])
})

test('rule 2.10: standard input that is a file or closed works as well', t => {
  const folder = folderWithInput(t)
  const redirected = spawnSync('bash', ['-c', `"$0" "$1" -q - < in.txt`, process.execPath, MAIN], { cwd: folder.path })
  assert.equal(redirected.stdout.toString(), OUTPUT)
  const none = spawnSync('bash', ['-c', `"$0" "$1" -q - < /dev/null`, process.execPath, MAIN], { cwd: folder.path })
  assert.deepEqual([none.status, none.stdout.length, none.stderr.toString()], [0, 0, ''])
})

test('ours: an empty input gives an empty output file', t => {
  const folder = folderWithInput(t, '')
  assert.equal(folder.run('in.txt').code, 0)
  assert.equal(folder.read('in-out.txt'), '')
})

test('rule 2.10: a new output replaces an earlier one whole', t => {
  const folder = folderWithInput(t)
  writeFileSync(folder.file('in-out.txt'), 'earlier and much longer than what follows\n'.repeat(1000))
  assert.equal(folder.run('in.txt').code, 0)
  assert.equal(folder.read('in-out.txt'), OUTPUT)
  assert.deepEqual(folder.names(), ['in-out.txt', 'in.txt'])
})

test('rule 2.10: the output is written beside its place and renamed, so a reader of the earlier one is not disturbed', t => {
  const folder = folderWithInput(t)
  writeFileSync(folder.file('in-out.txt'), 'earlier\n')
  linkSync(folder.file('in-out.txt'), folder.file('kept'))
  assert.equal(folder.run('in.txt').code, 0)
  assert.equal(folder.read('in-out.txt'), OUTPUT)
  assert.equal(folder.read('kept'), 'earlier\n')
})

/** Wrong use: exit code 2, a message, the input as it was, and no file more than before. */
function endsWithTwo(folder: ReturnType<typeof folderWithInput>, args: readonly string[], message: RegExp): void {
  const [names, input] = [folder.names(), folder.read('in.txt')]
  const ending = folder.run(...args)
  assert.match(ending.stderr, message)
  assert.doesNotMatch(ending.stderr, /\n +at /, 'a stack trace is no message')
  assert.equal(ending.code, 2, ending.stderr)
  assert.equal(ending.stdout.length, 0)
  assert.deepEqual(folder.names(), names)
  assert.equal(folder.read('in.txt'), input)
}

test('rule 2.10: the input cannot be its own output: the same path', t => {
  const folder = folderWithInput(t)
  endsWithTwo(folder, ['in.txt', '-o', 'in.txt'], /in\.txt/)
  endsWithTwo(folder, ['in.txt', '-o', './in.txt'], /in\.txt/)
  endsWithTwo(folder, ['in.txt', '-o', folder.file('in.txt')], /in\.txt/)
})

test('rule 2.10: the input cannot be its own output: a symbolic link, on either side', t => {
  const folder = folderWithInput(t)
  symlinkSync('in.txt', folder.file('link.txt'))
  endsWithTwo(folder, ['in.txt', '-o', 'link.txt'], /link\.txt/)
  endsWithTwo(folder, ['link.txt', '-o', 'in.txt'], /in\.txt/)
  assert.ok(lstatSync(folder.file('link.txt')).isSymbolicLink())
})

test('rule 2.10: the input cannot be its own output: through a linked folder', t => {
  const folder = folderWithInput(t)
  symlinkSync('.', folder.file('here'))
  endsWithTwo(folder, ['in.txt', '-o', 'here/in.txt'], /in\.txt/)
})

test('rule 2.10: the input cannot be its own output: a hard link', t => {
  const folder = folderWithInput(t)
  linkSync(folder.file('in.txt'), folder.file('twin.txt'))
  endsWithTwo(folder, ['in.txt', '-o', 'twin.txt'], /twin\.txt/)
})

test('rule 2.10: the input cannot be its own output: under the name that is chosen without -o', t => {
  const folder = folderWithInput(t)
  symlinkSync('in.txt', folder.file('in-out.txt'))
  endsWithTwo(folder, ['in.txt'], /in-out\.txt/)
  assert.ok(lstatSync(folder.file('in-out.txt')).isSymbolicLink())
})

test('rule 2.10: the input cannot be its own output: as standard input', t => {
  const folder = folderWithInput(t)
  const args = ['-c', `"$0" "$1" - -o in.txt < in.txt`, process.execPath, MAIN]
  const ending = spawnSync('bash', args, { cwd: folder.path })
  assert.equal(ending.status, 2, ending.stderr.toString())
  assert.equal(folder.read('in.txt'), COMMANDS)
})

test('rule 2.11: a missing input is told with its name and what to do', t => {
  const folder = folderWithInput(t)
  endsWithTwo(folder, ['coleta9.txt'], /coleta9\.txt/)
  const { stderr } = folder.run('coleta9.txt')
  assert.match(stderr, /no such file|not found|does not exist|doesn't exist|not there/i)
  assert.match(stderr, /check|give|name|try|--help/i)
})

test('rule 2.11: a folder as input can not be read', t => {
  const folder = folderWithInput(t)
  mkdirSync(folder.file('sub'))
  endsWithTwo(folder, ['sub'], /sub.*(folder|directory)/)
  endsWithTwo(folder, ['.', '-o', 'x'], /(folder|directory)/)
})

test('rule 2.11: standard input that is a folder can not be read', t => {
  const folder = folderWithInput(t)
  const ending = spawnSync('bash', ['-c', `"$0" "$1" - < .`, process.execPath, MAIN], { cwd: folder.path })
  assert.equal(ending.status, 2, ending.stderr.toString())
  assert.match(ending.stderr.toString(), /standard input/)
})

test('rule 2.11: an output that can not be written: no such folder, a file as folder, a folder as file', t => {
  const folder = folderWithInput(t)
  mkdirSync(folder.file('sub'))
  endsWithTwo(folder, ['in.txt', '-o', 'nowhere/out.txt'], /nowhere/)
  endsWithTwo(folder, ['in.txt', '-o', 'in.txt/out.txt'], /in\.txt\/out\.txt/)
  endsWithTwo(folder, ['in.txt', '-o', 'sub'], /sub/)
  endsWithTwo(folder, ['in.txt', '-o', '/proc/out.txt'], /\/proc\/out\.txt/)
  assert.deepEqual(readdirSync(folder.file('sub')), [])
})

test('rule 2.10: a missing input destroys no earlier output', t => {
  const folder = folderWithInput(t)
  writeFileSync(folder.file('kept.txt'), 'earlier\n')
  endsWithTwo(folder, ['coleta9.txt', '-o', 'kept.txt'], /coleta9/)
  assert.equal(folder.read('kept.txt'), 'earlier\n')
})

test('rule 2.10: an input that breaks off while it is read destroys no earlier output', t => {
  const folder = folderWithInput(t)
  writeFileSync(folder.file('kept.txt'), 'earlier\n')
  // The first page of a process's memory opens like a file and fails when it is read, for root too.
  endsWithTwo(folder, ['/proc/self/mem', '-o', 'kept.txt'], /\/proc\/self\/mem/)
  assert.equal(folder.read('kept.txt'), 'earlier\n')
})

test('rule 2.10: an output for which there is no room destroys no earlier one and leaves no rest', t => {
  const folder = folderWithInput(t, manyUrls(20_000))
  writeFileSync(folder.file('in-out.txt'), 'earlier\n')
  const ending = spawnSync('bash', ['-c', 'ulimit -f 100; exec "$0" "$1" in.txt', process.execPath, MAIN], {
    cwd: folder.path,
  })
  assert.equal(ending.status, 2, ending.stderr.toString())
  assert.match(ending.stderr.toString(), /in-out\.txt/)
  assert.equal(folder.read('in-out.txt'), 'earlier\n')
  assert.deepEqual(folder.names(), ['in-out.txt', 'in.txt'])
})

test('rule 2.11: a device that takes nothing is a file that can not be written', t => {
  const folder = folderWithInput(t)
  endsWithTwo(folder, ['in.txt', '-o', '/dev/full'], /\/dev\/full/)
  assert.ok(statSync('/dev/full').isCharacterDevice())
})

test('ours: a pipe or a device as output is written to, never replaced', async t => {
  const folder = folderWithInput(t)
  spawnSync('mkfifo', [folder.file('pipe')])
  const reader = spawn('cat', [folder.file('pipe')])
  t.after(() => reader.kill())
  const text = reader.stdout.toArray()
  assert.equal(folder.run('in.txt', '-o', 'pipe').code, 0)
  assert.ok(lstatSync(folder.file('pipe')).isFIFO(), 'the pipe was replaced')
  assert.equal(Buffer.concat(await text).toString(), OUTPUT)
  assert.equal(folder.run('in.txt', '-o', '/dev/null').code, 0)
  assert.ok(lstatSync('/dev/null').isCharacterDevice(), '/dev/null was replaced')
  assert.deepEqual(folder.names(), ['in.txt', 'pipe'])
})

test('rule 2.12: the summary goes to standard error and names every count', t => {
  const refused = [
    'ftp://a.com',
    'https://a.com',
    'http://',
    'http://a.com/1.pdf',
    'http://a.com/2.pdf',
    'http://a.com/3.pdf',
  ]
  const urls = ['http://a.com', 'http://a.com/x', 'http://www.a.com', 'http://b.com', ...refused]
  const folder = folderWithInput(t, [`ADD_URLS ${urls.length}`, ...urls, 'ESCALONA 2', ''].join('\n'))
  const ending = folder.run('in.txt')
  assert.equal(ending.code, 0)
  assert.equal(ending.stdout.length, 0)
  assert.match(ending.stderr, /\b10 URLs/)
  assert.match(ending.stderr, /\b3 accepted/)
  assert.match(ending.stderr, /\b1 duplicate/)
  assert.match(ending.stderr, /\b6 refused/)
  assert.match(ending.stderr, /\bprotocol 2\b/)
  assert.match(ending.stderr, /\bmalformed 1\b/)
  assert.match(ending.stderr, /\bextension 3\b/)
  assert.match(ending.stderr, /\b2 scheduled/)
  assert.match(ending.stderr, /\b2 hosts/)
  assert.match(ending.stderr, /\d ?(ms|s)\b/)
  assert.ok(ending.stderr.trimEnd().split('\n').length <= 3, 'a summary is short')
})

test('rule 2.12: -q silences the summary, not the mistakes', t => {
  const folder = folderWithInput(t)
  assert.equal(folder.run('-q', 'in.txt').stderr, '')
  writeFileSync(folder.file('bad.txt'), 'X\n')
  assert.match(folder.run('-q', 'bad.txt').stderr, /^bad\.txt:1: unknown command "X".*\n$/)
})

test('ours: the help of run fits a screen of 24 lines and 80 columns, and begins with examples', () => {
  for (const args of [
    ['run', '--help'],
    ['help', 'run'],
    ['coleta1.txt', '--help'],
    ['run', '-h'],
  ]) {
    const ending = escalona(args)
    const lines = ending.stdout.toString().trimEnd().split('\n')
    assert.deepEqual([ending.code, ending.stderr], [0, ''], args.join(' '))
    assert.ok(lines.length <= 24, `${lines.length} lines`)
    for (const line of lines) assert.ok(line.length <= 80, line)
    assert.match(lines.slice(0, 3).join('\n'), /escalona coleta1\.txt/)
    for (const option of ['-e', '-b', '-o', '-q', '--strict', '--help', '--version', 'depth', 'breadth', 'best']) {
      assert.ok(lines.join('\n').includes(option), option)
    }
  }
})

test('ours: --version is the version of the package', () => {
  const packageFile = new URL('../../../package.json', import.meta.url)
  const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }
  const ending = escalona(['--version'])
  assert.match(ending.stdout.toString(), new RegExp(`^(escalona )?${version.replaceAll('.', '\\.')}\n$`))
  assert.deepEqual([ending.code, ending.stderr], [0, ''])
})

test('rule 2.11: wrong use ends with 2 and a way out', t => {
  const folder = folderWithInput(t)
  endsWithTwo(folder, ['--nonsense', 'in.txt'], /--nonsense/)
  endsWithTwo(folder, ['-x', 'in.txt'], /-x/)
  endsWithTwo(folder, ['in.txt', '-e'], /-e/)
  endsWithTwo(folder, ['in.txt', '-e', 'widest'], /widest.*|depth.*breadth.*best/)
  endsWithTwo(folder, ['in.txt', '-o'], /-o/)
  endsWithTwo(folder, ['in.txt', '-o', ''], /-o|output/)
  endsWithTwo(folder, ['in.txt', 'more.txt'], /more\.txt|one/)
  endsWithTwo(folder, [''], /./)
})

test('rule 2.11: no argument at all, and run without a file, is wrong use', t => {
  const folder = folderWithInput(t)
  for (const args of [[], ['run'], ['-q']]) {
    const ending = folder.run(...args)
    assert.equal(ending.code, 2, args.join(' '))
    assert.match(ending.stderr, /--help|escalona coleta1\.txt/)
    assert.deepEqual(folder.names(), ['in.txt'])
  }
})

test('ours: -e names every strategy that it knows when it is given another', t => {
  const { stderr } = folderWithInput(t).run('in.txt', '-e', 'widest')
  for (const strategy of ['depth', 'breadth', 'best']) assert.ok(stderr.includes(strategy), stderr)
})

test('ours: a reader that goes away early ends the run quietly', t => {
  const folder = folderWithInput(t, manyUrls(50_000))
  const line = '"$0" "$1" in.txt -o - | head -1; echo "code $PIPESTATUS"'
  const ending = spawnSync('bash', ['-c', line, process.execPath, MAIN], { cwd: folder.path, timeout: 20_000 })
  const [first, code] = ending.stdout.toString().split('\n')
  assert.equal(first, 'http://host-0.com/a/path/of/some/length/0.html')
  assert.match(code!, /^code (0|2|141)$/)
  assert.doesNotMatch(ending.stderr.toString(), /EPIPE|Error|\n +at /)
  assert.deepEqual(folder.names(), ['in.txt'])
})

test('ours: no escape codes where standard error is no terminal', t => {
  const folder = folderWithInput(t, `${COMMANDS}X\nESCALONA\n`)
  for (const env of [{}, { NO_COLOR: '1' }, { TERM: 'xterm-256color', COLORTERM: 'truecolor' }]) {
    const ending = escalona(['in.txt'], { cwd: folder.path, env })
    assert.equal(ending.code, 1)
    assert.ok(!ending.stderr.includes(ESCAPE) && !ending.stderr.includes('\r'), JSON.stringify(ending.stderr))
  }
})

const noTerminal = spawnSync('script', ['--version']).error && 'needs the command script(1) to make a terminal'

/** What a shell command shows on a terminal. */
async function onTerminal(command: string, cwd: string, env: Record<string, string> = {}): Promise<string> {
  const terminal = spawn('script', ['-qec', command, '/dev/null'], {
    cwd,
    env: { ...process.env, ...PLAIN, TERM: 'xterm-256color', SHELL: '/bin/bash', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return Buffer.concat(await terminal.stdout.toArray()).toString()
}

const COMMAND = `'${process.execPath}' '${MAIN}'`

test('ours: NO_COLOR on a terminal means no colours', { skip: noTerminal ?? false }, async t => {
  const folder = folderWithInput(t, `${COMMANDS}X\n`)
  const shown = await onTerminal(`${COMMAND} in.txt`, folder.path, { NO_COLOR: '1' })
  assert.match(shown, /in\.txt:5: .*unknown command "X"/)
  assert.doesNotMatch(shown, new RegExp(`${ESCAPE}\\[[0-9;]*m`))
})

test('rule 2.12: on a terminal, a run over a second shows its progress', { skip: noTerminal ?? false }, async t => {
  const folder = folderWithInput(t, manyUrls(500))
  const slowly = '(for i in {1..32}; do cat in.txt; sleep 0.05; done)'
  const [long, quiet, short] = await Promise.all([
    onTerminal(`${slowly} | ${COMMAND} - -o /dev/null`, folder.path),
    onTerminal(`${slowly} | ${COMMAND} - -o /dev/null -q`, folder.path),
    onTerminal(`${COMMAND} in.txt`, folder.path),
  ])
  assert.match(long!, /\r(?!\r?\n)/, 'the long run writes over its own line')
  assert.match(long!, /16,000 URLs/)
  assert.equal(quiet, '')
  assert.match(short!, /500 URLs/)
  assert.doesNotMatch(short!, /\r(?!\r?\n)/)
})

/** Starts a run that reads from us and writes more and more, until its half-written output lies in the folder. */
async function halfwayRun(t: TestContext, folder: ReturnType<typeof folderWithInput>): Promise<ChildProcess> {
  const names = folder.names().length
  const child = spawn(process.execPath, [MAIN, '-', '-o', 'kept.txt'], {
    cwd: folder.path,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  t.after(() => child.kill('SIGKILL'))
  child.stdin!.on('error', () => {}) // the pipe breaks when the run ends
  const commands = manyUrls(5000)
  for (let round = 0; round < 500 && folder.names().length === names; round++) {
    if (!child.stdin!.write(commands)) await Promise.race([once(child.stdin!, 'drain'), once(child, 'exit')])
    await pause(5)
  }
  assert.equal(child.exitCode, null, 'the run ended by itself')
  return child
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  test(`rule 2.10: ${signal} in a long run leaves an earlier output as it was and nothing half-written`, async t => {
    const folder = folderWithInput(t)
    writeFileSync(folder.file('kept.txt'), 'earlier\n')
    const child = await halfwayRun(t, folder)
    assert.equal(folder.read('kept.txt'), 'earlier\n')
    assert.equal(folder.names().length, 3, 'nothing was written beside the output')
    const ended = once(child, 'exit')
    child.kill(signal)
    const [code, by] = (await ended) as [number | null, string | null]
    assert.ok(by === signal || code! > 128, `ended with code ${code}`)
    assert.equal(folder.read('kept.txt'), 'earlier\n')
    assert.deepEqual(folder.names(), ['in.txt', 'kept.txt'])
  })
}

test('rule 2.10: even kill -9 leaves an earlier output as it was', async t => {
  const folder = folderWithInput(t)
  writeFileSync(folder.file('kept.txt'), 'earlier\n')
  const child = await halfwayRun(t, folder)
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
  assert.equal(folder.read('kept.txt'), 'earlier\n')
  assert.equal(escalona(['in.txt', '-o', 'kept.txt'], { cwd: folder.path }).code, 0)
  assert.equal(folder.read('kept.txt'), OUTPUT)
})
