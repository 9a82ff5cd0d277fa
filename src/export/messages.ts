import { catalogue } from '../base/words/language.ts'

/** What this room says to people. */
export const words = catalogue({
  en: {
    onlyPages: 'the format wet has the text of pages; leave the table out, or choose another format',
    noTextIn: (table: string) => `the table ${table} has no text; leave the text out, or choose the table pages`,
    badWorkers: (most: number) => `workers takes a whole number from 1 to ${most}`,
    unknown: (option: string, choices: string) => `${option} takes one of ${choices}`,
    died: (why: string) => `a thread of the export died: ${why}; try again with fewer workers`,
    noPagesFile: (path: string, folder: string) =>
      `${path} is missing, which lists the archived pages; put a copy back, or let escalona resume ${folder} list those of the newest WARC file again`,
    noLine: (path: string, offset: number) =>
      `${path} is damaged at byte ${offset}: this is no line; put a good copy in its place`,
    aborted: 'the export was aborted; start it again',
  },
  pt: {
    onlyPages: 'o formato wet tem o texto das páginas; retire a tabela, ou escolha outro formato',
    noTextIn: table => `a tabela ${table} não tem texto; retire o texto, ou escolha a tabela pages`,
    badWorkers: most => `workers recebe um número inteiro de 1 a ${most}`,
    unknown: (option, choices) => `${option} recebe um destes valores: ${choices}`,
    died: why => `uma thread da exportação morreu: ${why}; tente de novo com menos workers`,
    noPagesFile: (path, folder) =>
      `falta ${path}, que lista as páginas arquivadas; ponha uma cópia de volta, ou deixe escalona resume ${folder} listar de novo as do arquivo WARC mais novo`,
    noLine: (path, offset) =>
      `${path} está danificado no byte ${offset}: isto não é uma linha; ponha uma cópia boa no lugar`,
    aborted: 'a exportação foi abortada; comece de novo',
  },
})
