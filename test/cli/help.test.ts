import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setLanguage } from '../../src/base/words/language.ts'
import { COMMAND_NAMES, COMMANDS, helpOf as helpOfCommand } from '../../src/cli/commands.ts'
import { escalona, temporaryFolder } from './run-cli.ts'

const PT = { env: { LC_ALL: 'pt_BR.UTF-8' } }

function helpOf(args: readonly string[], around = {}): string {
  const { code, stdout, stderr } = escalona(args, around)
  assert.deepEqual([code, stderr], [0, ''], args.join(' '))
  return stdout.toString()
}

test('help: escalona --help says what it is and shows the five things people do, on one screen', () => {
  const page = helpOf(['--help'])
  for (const args of [['-h'], ['help'], ['--help', 'nowhere.txt']]) assert.equal(helpOf(args), page, args.join(' '))
  assert.match(page, /^Escalona decides which URL comes next, and collects pages from the web politely\.\n/)
  for (const thing of ['crawl https', 'resume crawl', 'status crawl', 'coleta1.txt', 'analyze access.log'])
    assert.ok(page.includes(`escalona ${thing}`), thing)
  for (const name of COMMAND_NAMES) assert.ok(page.includes(name), name)
  for (const one of [page, helpOf(['--help'], PT)]) {
    const lines = one.trimEnd().split('\n')
    assert.ok(lines.length <= 24, `${lines.length} lines`)
    for (const line of lines) assert.ok(line.length <= 80, line)
  }
})

test('help: escalona alone shows the same page, and is wrong use', () => {
  const { code, stdout, stderr } = escalona([])
  assert.deepEqual([code, stdout.length], [2, 0])
  assert.equal(stderr, helpOf(['--help']))
})

test('help: help X and X --help show the same page, in the language of the setting', () => {
  const page = helpOf(['help', 'crawl'])
  assert.equal(helpOf(['crawl', '--help']), page)
  assert.equal(helpOf(['crawl', 'https://ufmg.br/', '-h']), page)
  assert.match(page, /^Examples\n {2}escalona crawl https/)
  assert.match(helpOf(['help', 'crawl'], PT), /^Exemplos\n {2}escalona crawl https/)
})

for (const language of ['en', 'pt'] as const) {
  test(`help: each command has a page in ${language}, with examples, all its options and no wide lines`, async t => {
    t.after(() => setLanguage('en'))
    setLanguage(language)
    for (const name of COMMAND_NAMES) {
      const { options } = await COMMANDS[name]()
      const page = await helpOfCommand(name)
      assert.match(page, language === 'en' ? /^Examples\n {2}/ : /^Exemplos\n {2}/, name)
      assert.match(page, new RegExp(`\n(?:Usage|Uso): escalona \\[?${name}`), name)
      for (const line of page.split('\n')) assert.ok(line.length <= 120, `${name}: ${line}`)
      for (const [option, { short }] of Object.entries(options)) {
        const isThere = page.includes(`--${option}`) || (short !== undefined && page.includes(`  -${short} `))
        assert.ok(isThere, `${name} --${option}`)
      }
    }
  })
}

test('help: version, --version and -V', () => {
  const version = helpOf(['version'])
  assert.match(version, /^\d+\.\d+\.\d+.*\n$/)
  for (const args of [['--version'], ['-V']]) assert.equal(helpOf(args), version)
})

/** Wrong use: exit code 2 and this message. */
function says(args: readonly string[], message: string, around = {}): void {
  const { code, stdout, stderr } = escalona(args, around)
  assert.equal(Buffer.from(stderr, 'latin1').toString(), `escalona: ${message}\n`)
  assert.deepEqual([code, stdout.length], [2, 0])
}

test('help: crwal and --dealy are understood as what was meant', () => {
  says(['crwal'], 'there is no command and no file crwal; did you mean escalona crawl? See escalona --help')
  says(['hepl'], 'there is no command and no file hepl; did you mean escalona help? See escalona --help')
  says(['help', 'crwal'], 'there is no command crwal; did you mean crawl? See escalona --help')
  says(['help', 'me'], 'there is no command me; see escalona --help')
  says(['crawl', '--dealy', '1s'], 'there is no option --dealy; did you mean --delay? See escalona crawl --help')
  says(['--dealy', '1s'], 'there is no option --dealy; did you mean escalona crawl --delay? See escalona --help')
  says(['x.txt', '--strcit'], 'there is no option --strcit; did you mean --strict? See escalona run --help')
  says(['generate', '-x'], 'there is no option -x; see escalona generate --help')
  says(
    ['https://ufmg.br/'],
    'there is no file https://ufmg.br/; to collect it, write escalona crawl https://ufmg.br/; see escalona --help',
  )
})

test('help: the same in Portuguese, by LANG or by --lang', () => {
  const message = 'não existe comando nem arquivo crwal; você quis dizer escalona crawl? Veja escalona --help'
  says(['crwal'], message, PT)
  says(['crwal'], message, { env: { LC_ALL: '', LC_MESSAGES: '', LANG: 'pt_PT' } })
  for (const args of [
    ['--lang', 'pt', 'crwal'],
    ['crwal', '--lang=pt'],
  ])
    says(args, message)
  says(
    ['crwal', '--lang', 'en'],
    'there is no command and no file crwal; did you mean escalona crawl? See escalona --help',
    PT,
  )
  says(['--lang', 'fr', 'crwal'], '--lang takes en or pt, not fr; see escalona --help')
})

test('rule 2.13: a file that is called nearly like a command is a file', t => {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'crwal'), 'ADD_URLS 1\nhttp://a.com/x\nESCALONA_TUDO\n')
  assert.equal(escalona(['crwal', '-o', '-'], { cwd: folder }).stdout.toString(), 'http://a.com/x\n')
})

test('rule 2.13: the language changes the messages of a run, never its output', t => {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'in.txt'), 'ADD_URLS 1\nhttp://a.com/x\nESCALONA_TUDO\nVER_HOST a.com\n')
  const [english, portuguese] = [{}, PT].map(around => escalona(['in.txt', '-o', '-'], { cwd: folder, ...around }))
  assert.deepEqual(portuguese!.stdout, english!.stdout)
  assert.match(english!.stderr, /^escalona: 1 URL read, 1 accepted/)
  assert.match(portuguese!.stderr, /^escalona: 1 URL lida, 1 aceita,/)
})
