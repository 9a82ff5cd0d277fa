import { writeFileSync } from 'node:fs'
import { EscalonaError } from '../../base/errors.ts'
import { catalogue } from '../../base/words/language.ts'
import { printable, shellWord } from '../../base/words/printable.ts'
import type { Command } from '../commands.ts'
import { readArguments } from '../terminal/option-table.ts'
import { say } from '../terminal/say.ts'
import { useWords, wrongUse } from '../terminal/use-words.ts'

/** A command file that uses every command once. */
const EXAMPLE = `ADD_URLS 9
http://www.ufmg.br/
http://ufmg.br/cursos/graduacao/computacao
http://ufmg.br/cursos/
http://globo.com/esportes/futebol/tabela
http://globo.com/
http://globo.com/#topo
http://www.example.org/a/b/c.html
http://www.example.org/foto.jpg
ftp://example.org/
LISTA_HOSTS
VER_HOST ufmg.br
ESCALONA 2
ESCALONA_HOST globo.com 1
LIMPA_HOST globo.com
ESCALONA_TUDO
LIMPA_TUDO
LISTA_HOSTS
`

const words = catalogue({
  en: {
    head: `Examples
  escalona example && escalona coleta1.txt     writes coleta1.txt, then coleta1-out.txt
  escalona example first.txt                   the same under another name

Usage: escalona example [FILE]

Writes a small command file with every command in it. A file that exists is left alone.
`,
    written: (file: string, word: string) => `${file} is written; run it with escalona ${word}`,
    exists: (file: string) => `${file} exists; name another file: escalona example other.txt`,
  },
  pt: {
    head: `Exemplos
  escalona example && escalona coleta1.txt     escreve coleta1.txt e depois coleta1-out.txt
  escalona example primeiro.txt                o mesmo com outro nome

Uso: escalona example [ARQUIVO]

Escreve um pequeno arquivo de comandos com todos os comandos. Um arquivo que já existe não é alterado.
`,
    written: (file, word) => `${file} foi escrito; execute-o com escalona ${word}`,
    exists: file => `${file} já existe; indique outro arquivo: escalona example outro.txt`,
  },
})

/** `escalona example`: a command file to start from. */
export const EXAMPLE_COMMAND: Command = { run: exampleCommand, help: words, options: {}, names: 'file' }

async function exampleCommand(args: readonly string[]): Promise<number> {
  const { positionals } = readArguments(args, {})
  const [file = 'coleta1.txt', extra] = positionals
  if (extra !== undefined) throw wrongUse(useWords().belongsNowhere(printable(extra)))
  try {
    writeFileSync(file, EXAMPLE, { flag: 'wx' })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause
    throw new EscalonaError('FILE_UNWRITABLE', words().exists(printable(file)), { cause })
  }
  say('info', words().written(printable(file), shellWord(file)))
  return 0
}
