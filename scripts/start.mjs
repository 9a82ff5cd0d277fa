// `npm start` shows what Escalona does; `npm start -- ARGS` runs `escalona ARGS`.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { collectSyntheticWeb } from '../examples/web/demo.mjs'

const escalona = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))
const run = (args, options) => spawnSync(process.execPath, [escalona, ...args], { stdio: 'inherit', ...options })

const args = process.argv.slice(2)
if (args.length > 0) process.exit(run(args, { cwd: process.env.INIT_CWD ?? process.cwd() }).status ?? 1)

const commands = `ADD_URLS 8
http://www.ufmg.br/
http://www.globo.com/videos/jornal#topo
http://globo.com/
HTTP://WWW.Globo.com/videos/
ftp://ftp.globo.com
http://www.ufmg.br/logo.GIF
http://ufmg.br/dcc/pos
http://www.uol.com.br/esporte?pagina=2
LISTA_HOSTS
ESCALONA 2
VER_HOST globo.com
ESCALONA_TUDO
`
try {
  scheduleSmallFile()
  await collectSyntheticWeb({ escalona })
} catch (error) {
  console.error(`escalona: the demonstration stopped: ${error instanceof Error ? error.message : error}`)
  process.exit(1)
}
console.log(`
Your own file:   npm start -- coleta1.txt
Your own crawl:  npm start -- crawl https://example.org/ -n 100
All options:     npm start -- --help    npm start -- crawl --help`)

function scheduleSmallFile() {
  const folder = mkdtempSync(join(tmpdir(), 'escalona-'))
  try {
    writeFileSync(join(folder, 'coleta1.txt'), commands)
    console.log(`coleta1.txt\n\n${indented(commands)}`)
    for (const strategy of ['depth', 'breadth', 'best']) {
      console.log(`$ escalona coleta1.txt -e ${strategy}`)
      const { status } = run(['coleta1.txt', '-e', strategy], { cwd: folder })
      if (status !== 0) throw new Error(`escalona ended with ${status}`)
      console.log(`\ncoleta1-out.txt\n\n${indented(readFileSync(join(folder, 'coleta1-out.txt'), 'utf8'))}`)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function indented(text) {
  return text.replace(/^(?=.)/gm, '    ')
}
