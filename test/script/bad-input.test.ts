import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { escalona, runCommands, temporaryFolder } from '../cli/run-cli.ts'

/** A known host and URL around the line in question, so that a run which stops early is seen. */
const BEFORE = ['ADD_URLS 1', 'http://a.com', 'VER_HOST a.com']
const AFTER = ['LISTA_HOSTS']
const OUTPUT = ['http://a.com', 'a.com']

/**
 * Expects every line to be a mistake: one message each with the right number, exit code 1, and everything around them
 * obeyed. Gives the messages without their places.
 */
function areMistakes(lines: readonly string[]): string[] {
  const ending = runCommands([...BEFORE, ...lines, ...AFTER])
  const places = ending.errors.map(error => /^<stdin>:\d+: (?=\S)/.exec(error)?.[0])
  assert.deepEqual(
    places,
    lines.map((_, n) => `<stdin>:${BEFORE.length + 1 + n}: `),
    ending.errors.join('\n').slice(0, 2000),
  )
  assert.deepEqual(ending.output, OUTPUT)
  assert.equal(ending.code, 1)
  return ending.errors.map((error, n) => error.slice(places[n]!.length))
}

function isMistake(line: string): string {
  return areMistakes([line])[0]!
}

/** Printable ASCII and complete UTF-8, and nothing that moves a cursor or colours a terminal. */
function isHarmless(text: string): boolean {
  const bytes = Buffer.from(text, 'latin1')
  return bytes.equals(Buffer.from(bytes.toString('utf8'))) && !/[^\P{Cc}\n]/u.test(bytes.toString('utf8'))
}

test('rule 2.8: an unknown command', () => {
  const messages = areMistakes(['COLETA', 'COLETA 3', 'x', '1', '#', 'http://a.com/x', '"', '-'])
  for (const message of messages) assert.match(message, /^unknown command "/)
})

test('rule 2.8: the message names the file, the line and the word, and the command that was meant', t => {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'coleta1.txt'), `${'\n'.repeat(11)}ESCALON\n`)
  const ending = escalona(['-q', 'coleta1.txt'], { cwd: folder })
  assert.equal(ending.stderr, 'coleta1.txt:12: unknown command "ESCALON"; did you mean ESCALONA?\n')
  assert.equal(ending.code, 1)
})

test('rule 2.8: the file is named as the user gave it', t => {
  const folder = temporaryFolder(t)
  const path = join(folder, 'coleta1.txt')
  writeFileSync(path, 'COLETA\n')
  assert.ok(escalona(['-q', path]).stderr.startsWith(`${path}:1: unknown command "COLETA"`))
  assert.ok(escalona(['-q', './coleta1.txt'], { cwd: folder }).stderr.startsWith('./coleta1.txt:1: '))
})

test('rule 2.8: did you mean, for words close to a command', () => {
  const meant: Record<string, string> = {
    ESCALON: 'ESCALONA',
    ESCALONAR: 'ESCALONA',
    ESCALONA_TUD: 'ESCALONA_TUDO',
    ESCALONA_HOSTS: 'ESCALONA_HOST',
    LISTA_HOST: 'LISTA_HOSTS',
    LIMPA_TUDOO: 'LIMPA_TUDO',
    VERHOST: 'VER_HOST',
    ADD_URL: 'ADD_URLS',
    LIMPA_HSOT: 'LIMPA_HOST',
  }
  assert.deepEqual(
    areMistakes(Object.keys(meant)),
    Object.entries(meant).map(([word, command]) => `unknown command "${word}"; did you mean ${command}?`),
  )
})

test('rule 2.8: a misspelt ADD_URLS and the URLs that follow it are one mistake', () => {
  const urls = ['http://b.com/1', 'HTTPS://b.com/2', '', ' http://b.com/3']
  for (const [add, message] of [
    ['ADD_URL 3', 'unknown command "ADD_URL"; did you mean ADD_URLS?'],
    ['ADD_URLS x', '"x" is not a whole number from 0 up; write ADD_URLS 10'],
  ] as const) {
    const { errors, output, code } = runCommands([...BEFORE, add, ...urls, ...AFTER, 'http://b.com/4'])
    assert.equal(errors[0], `<stdin>:4: ${message} The 3 URLs after it are skipped with it`)
    assert.match(errors[1]!, /^<stdin>:10: unknown command "http:\/\/b\.com\/4"/)
    assert.equal(errors.length, 2)
    assert.deepEqual([output, code], [OUTPUT, 1])
  }
  const { errors } = runCommands([...BEFORE, 'ADD_URL 1', 'http://b.com'])
  assert.match(errors[0]!, /\? The URL after it is skipped with it$/)
})

test('rule 2.8: a command that ADD_URLS takes as a URL is warned of once, and is a URL all the same', () => {
  const lines = [
    'ADD_URLS 5',
    'http://a.com',
    'http://b.com',
    ' ESCALONA_TUDO',
    'ESCALONA_TUDO',
    'LISTA_HOSTS',
    'LISTA_HOSTS',
  ]
  const { errors, output, code } = runCommands(lines)
  assert.deepEqual(errors, [
    '<stdin>:5: ADD_URLS took this ESCALONA_TUDO as one of its URLs and refused it; is the number behind ADD_URLS too large?',
  ])
  assert.deepEqual([output, code], [['a.com', 'b.com'], 0])
  assert.deepEqual(runCommands(['ADD_URLS 1', 'VER_HOST']).errors, [], 'it lacks its host, so it is not a command')
})

test('rule 2.8: no guess for a word that is close to no command', () => {
  const messages = areMistakes(['COLETA', 'http://a.com', 'xyz', '42'])
  for (const message of messages) assert.doesNotMatch(message, /did you mean/)
})

test('ours: commands are case-sensitive, and the right case is offered', () => {
  assert.match(isMistake('lista_hosts'), /did you mean LISTA_HOSTS\?/)
  assert.match(isMistake('Escalona_Tudo'), /did you mean ESCALONA_TUDO\?/)
})

/** A known command with the wrong words gets a message about that command. */
function namesItsCommand(lines: readonly string[]): void {
  for (const [n, message] of areMistakes(lines).entries()) {
    assert.ok(message.includes(lines[n]!.split(' ')[0]!), message)
    assert.doesNotMatch(message, /unknown command/)
  }
}

test('rule 2.8: a missing word', () => {
  const lines = ['ADD_URLS', 'ESCALONA', 'ESCALONA   \t', 'ESCALONA_HOST', 'ESCALONA_HOST a.com', 'ESCALONA_HOST 3']
  namesItsCommand([...lines, 'VER_HOST', 'LIMPA_HOST'])
})

test('rule 2.8: an extra word', () => {
  const lines = [
    'ESCALONA 1 2',
    'ESCALONA_TUDO 1',
    'ESCALONA_HOST a.com 1 x',
    'VER_HOST a.com b.com',
    'LISTA_HOSTS a.com',
  ]
  namesItsCommand([
    ...lines,
    'LIMPA_HOST a.com b.com',
    'LIMPA_TUDO tudo',
    'ADD_URLS 0 0',
    `LISTA_HOSTS${' x'.repeat(50)}`,
  ])
})

test('rule 2.8: a number that is not a whole number from 0 up', () => {
  const numbers = [
    '-1',
    '+1',
    '1.5',
    '1.0',
    '1e3',
    '0x10',
    'dois',
    '1,000',
    '1_000',
    '-0',
    '1\0',
    '\xef\xbc\x91',
    '²',
    '.',
  ]
  for (const command of ['ESCALONA', 'ESCALONA_HOST a.com', 'ADD_URLS']) {
    for (const message of areMistakes(numbers.map(number => `${command} ${number}`))) assert.match(message, /number/)
  }
})

test('rule 2.8: a bad number quotes the word', () => {
  assert.ok(isMistake('ESCALONA dois').includes('"dois"'))
})

test('rule 2.8: ADD_URLS cut off by the end of the file is one mistake, at its own line', () => {
  const ending = runCommands(['ADD_URLS 1', 'http://a.com', 'VER_HOST a.com', '', 'ADD_URLS 3', 'http://b.com'])
  assert.deepEqual(ending.output, ['http://a.com'])
  assert.equal(ending.errors.length, 1)
  assert.match(ending.errors[0]!, /^<stdin>:5: .*ADD_URLS/)
  assert.equal(ending.code, 1)
})

test('rule 2.8: ADD_URLS with nothing at all after it is cut off', () => {
  for (const text of ['ADD_URLS 1', 'ADD_URLS 1\n', 'ADD_URLS 1\r\n', `ADD_URLS ${'9'.repeat(60)}\nhttp://a.com\n`]) {
    const ending = runCommands(text)
    assert.equal(ending.errors.length, 1, text)
    assert.match(ending.errors[0]!, /^<stdin>:1: /)
    assert.equal(ending.code, 1)
  }
})

test('ours: the URLs that a cut-off ADD_URLS does have are added', t => {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'in.txt'), 'ADD_URLS 3\nhttp://a.com\nhttp://b.com')
  const ending = escalona(['in.txt'], { cwd: folder })
  assert.equal(ending.code, 1)
  assert.match(ending.stderr, /\b2 URLs/)
})

test('rule 2.8: a mistake does nothing at all', () => {
  for (const line of ['LIMPA_TUDO 1', 'LIMPA_HOST a.com x', 'ESCALONA_TUDO 1', 'ESCALONA -1', 'ESCALONA_HOST a.com']) {
    const ending = runCommands(['ADD_URLS 1', 'http://a.com/x', line, 'VER_HOST a.com'])
    assert.deepEqual(ending.output, ['http://a.com/x'], line)
  }
})

test('rule 2.8: every mistake has its line on standard error, in the order of the file', () => {
  const commands = ['X', '', 'ADD_URLS 2', 'ESCALONA', 'nonsense', 'ESCALONA', 'LISTA_HOSTS', 'VER_HOST', 'ADD_URLS 9']
  const ending = runCommands(commands)
  assert.deepEqual(
    ending.errors.map(error => Number(error.split(':')[1])),
    [1, 6, 8, 9],
  )
  assert.equal(ending.code, 1)
})

test('rule 2.8: line numbers count CRLF once, and lines of URLs too', () => {
  const ending = runCommands('\xef\xbb\xbf\r\nADD_URLS 2\r\n\r\nhttp://a.com\r\nX\r\nLISTA_HOSTS\nY')
  assert.deepEqual(ending.output, ['a.com'])
  assert.match(ending.errors[0]!, /^<stdin>:5: /)
  assert.match(ending.errors[1]!, /^<stdin>:7: /)
  assert.equal(ending.errors.length, 2)
})

test('rule 2.8: many mistakes are all told', () => {
  const ending = runCommands(Array.from({ length: 20_000 }, (_, n) => `BAD_${n}`))
  assert.equal(ending.errors.length, 20_000)
  assert.match(ending.errors[19_999]!, /^<stdin>:20000: unknown command "BAD_19999"/)
  assert.equal(ending.code, 1)
})

test('rule 2.8: the output file is complete for all that was understood', t => {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'in.txt'), 'ADD_URLS 1\nhttp://a.com\nNADA\nLISTA_HOSTS\nESCALONA\nESCALONA_TUDO\n')
  const ending = escalona(['in.txt'], { cwd: folder })
  assert.equal(ending.code, 1)
  assert.equal(readFileSync(join(folder, 'in-out.txt'), 'utf8'), 'a.com\nhttp://a.com\n')
})

test('rule 2.8: a BOM anywhere but at the start is part of the line', () => {
  isMistake('\xef\xbb\xbfLISTA_HOSTS')
  const twice = runCommands('\xef\xbb\xbf\xef\xbb\xbfLISTA_HOSTS\n')
  assert.equal(twice.code, 1)
  const behindBlank = runCommands(' \xef\xbb\xbfLISTA_HOSTS\n')
  assert.equal(behindBlank.code, 1)
  assert.equal(runCommands('\xef\xbbLISTA_HOSTS\n').code, 1)
})

test('rule 2.8: white space that is neither blank nor tab separates no words', () => {
  for (const char of ['\x0b', '\x0c', '\xa0', '\0']) areMistakes([`ESCALONA${char}1`, `LISTA_HOSTS${char}`])
  areMistakes(['LISTA_HOSTS\r\r', 'LISTA_HOSTS\r ', '\rLISTA_HOSTS', 'ESCALONA\r1', '\r\r'])
})

test('ours: escape codes and control characters in a quoted word do not reach the terminal', () => {
  const hostile = ['\x1b[31mRED', '\x1b]0;title\x07', 'A\0B', 'A\x7fB', 'A\x08\x08B', '\xc2\x9b31mRED', 'A\rB']
  for (const word of hostile) {
    const lines = [word, `ESCALONA ${word}`, `ADD_URLS ${word}`, `LISTA_HOSTS ${word}`, `ESCALONA 1 ${word}`]
    for (const message of areMistakes(lines)) assert.ok(isHarmless(message), JSON.stringify(message))
  }
})

test('ours: bytes that are not UTF-8 in a quoted word reach standard error as UTF-8', () => {
  const words = ['\xff\xfe', 'caf\xe9', '\xc3', '\xed\xa0\x80', '\xf0\x9f\x98', `${'x'.repeat(39)}\xc3\xa9\xc3\xa9`]
  for (const message of areMistakes(words.flatMap(word => [word, `ESCALONA ${word}`]))) {
    assert.ok(isHarmless(message), JSON.stringify(message))
  }
})

test('ours: letters outside ASCII are quoted as they are', () => {
  assert.ok(isMistake(Buffer.from('AÇÃO').toString('latin1')).includes(Buffer.from('"AÇÃO"').toString('latin1')))
})

test('ours: a very long word is quoted in part', () => {
  assert.ok(isMistake('X'.repeat(100_000)).length < 1000)
  assert.ok(isMistake(`ESCALONA ${'x'.repeat(100_000)}`).length < 1000)
})

const OVER_16_MIB = 16 * 2 ** 20 + 1

test('ours: a command line over 16 MiB is one mistake', () => {
  for (const line of ['X'.repeat(OVER_16_MIB), `LISTA_HOSTS${' '.repeat(OVER_16_MIB)}`, ' '.repeat(OVER_16_MIB)]) {
    assert.ok(isMistake(line).length < 1000)
  }
})

test('ours: a URL line over 16 MiB is refused, and the rest runs', t => {
  const folder = temporaryFolder(t)
  const long = 'x'.repeat(OVER_16_MIB)
  const lines = [
    'ADD_URLS 4',
    `http://a.com/${long}`,
    `ftp://${long}`,
    `http://a.com/#${long}`,
    'http://b.com',
    'ESCALONA_TUDO',
  ]
  writeFileSync(join(folder, 'in.txt'), `${lines.join('\n')}\n`)
  const ending = escalona(['in.txt'], { cwd: folder })
  assert.match(ending.stderr, /\bprotocol 1\b.*\bmalformed 2\b/)
  assert.equal(readFileSync(join(folder, 'in-out.txt'), 'utf8').slice(0, 100), 'http://b.com\n')
  assert.equal(ending.code, 0)
})

test('ours: a URL line just under 16 MiB is a URL like any other', () => {
  const url = `http://a.com/${'x'.repeat(OVER_16_MIB - 100)}`
  const ending = runCommands(['ADD_URLS 2', url, 'http://b.com', 'ESCALONA_TUDO'])
  assert.deepEqual([ending.code, ending.errors], [0, []])
  assert.ok(ending.output[0] === url && ending.output[1] === 'http://b.com' && ending.output.length === 2)
})

test('rule 2.9: the first mistake ends the run with exit code 1', () => {
  const ending = runCommands([...BEFORE, 'X', 'Y', ...AFTER], '--strict')
  assert.equal(ending.code, 1)
  assert.deepEqual(ending.output, [])
  assert.match(ending.errors[0]!, /^<stdin>:4: unknown command "X"/)
  assert.ok(!ending.errors.some(error => error.startsWith('<stdin>:5')))
})

test('rule 2.9: every kind of mistake ends the run', () => {
  for (const line of ['X', 'ESCALONA', 'ESCALONA 1 2', 'ESCALONA x', 'ADD_URLS 9']) {
    const ending = runCommands([...BEFORE, line], '--strict')
    assert.deepEqual([ending.code, ending.output], [1, []], line)
    assert.match(ending.errors[0]!, /^<stdin>:4: /)
  }
})

test('rule 2.9: no output file is written', t => {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'in.txt'), 'ADD_URLS 1\nhttp://a.com\nESCALONA_TUDO\nX\n')
  const ending = escalona(['--strict', 'in.txt'], { cwd: folder })
  assert.equal(ending.code, 1)
  assert.deepEqual(readdirSync(folder), ['in.txt'])
})

test('rule 2.9: an earlier output is not changed', t => {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'in.txt'), 'ADD_URLS 1\nhttp://a.com\nESCALONA_TUDO\nX\n')
  writeFileSync(join(folder, 'in-out.txt'), 'earlier\n')
  assert.equal(escalona(['--strict', 'in.txt'], { cwd: folder }).code, 1)
  assert.equal(readFileSync(join(folder, 'in-out.txt'), 'utf8'), 'earlier\n')
  assert.deepEqual(readdirSync(folder).sort(), ['in-out.txt', 'in.txt'])
})

test('rule 2.9: nothing on standard output either, however much came before the mistake', () => {
  const urls = Array.from(
    { length: 60_000 },
    (_, n) => `http://host-${n % 50}.com/a-rather-long-path/that-fills-buffers/${n}`,
  )
  const ending = runCommands([`ADD_URLS ${urls.length}`, ...urls, 'ESCALONA_TUDO', 'X'], '--strict')
  assert.deepEqual([ending.code, ending.output.length], [1, 0])
})

test('rule 2.9: a file without mistakes runs as ever', t => {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'in.txt'), 'ADD_URLS 2\nhttp://a.com\nftp://b.com\nESCALONA_TUDO\n')
  assert.equal(escalona(['--strict', 'in.txt'], { cwd: folder }).code, 0)
  assert.equal(readFileSync(join(folder, 'in-out.txt'), 'utf8'), 'http://a.com\n')
  assert.deepEqual(runCommands(['ADD_URLS 1', 'http://a.com', 'ESCALONA_TUDO'], '--strict').output, ['http://a.com'])
})

test('rule 2.9: without --strict a mistake still replaces an earlier output', t => {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'in.txt'), 'X\n')
  writeFileSync(join(folder, 'in-out.txt'), 'earlier\n')
  assert.equal(escalona(['in.txt'], { cwd: folder }).code, 1)
  assert.ok(existsSync(join(folder, 'in-out.txt')))
  assert.equal(readFileSync(join(folder, 'in-out.txt'), 'utf8'), '')
})

test('ours: behind a line over 16 MiB that comes through a pipe, everything is read', () => {
  const ending = runCommands(['ADD_URLS 2', `http://a.com/${'x'.repeat(OVER_16_MIB)}`, 'http://b.com', 'ESCALONA_TUDO'])
  assert.deepEqual([ending.code, ending.output, ending.errors], [0, ['http://b.com'], []])
})
