import { catalogue } from '../../base/words/language.ts'

/** Messages about the arguments, configuration and seeds of `crawl` and `resume`. */
export const crawlWords = catalogue({
  en: {
    noSeeds: (folder: string) =>
      `no seeds given; write a URL, or name a file with -s${folder === '' ? '' : `; to resume the crawl: escalona resume ${folder}`}`,
    seedIsFile: (path: string) => `${path} is a file; name it with -s ${path}`,
    noSuchFile: (path: string) => `there is no file ${path}; if it is a host, write https://${path}`,
    noSuchList: (path: string) => `there is no file ${path}; if it is a URL, add its scheme or leave out -s`,
    stdinOnce: 'standard input can be read once; leave out all but one -',
    noFolderName: (option: string) => `${option} takes the name of a folder`,
    noFolder: 'no folder given, and there is no crawl in ./crawl; write escalona resume DIR',
    noCrawl: (folder: string) => `there is no crawl in ${folder}; start one with escalona crawl URL -o ${folder}`,
    rebuilding: (pages: string, of: string) => `${pages} of ${of} archived pages read again`,
    resumed: (folder: string, pid: number) => `the crawl in ${folder} was paused; process ${pid} continues it`,
    logForm: (text: string) => `--log takes text, json or none, not ${text}`,
    noRetry: (text: string) => `--retry takes failed, refused, held or a reason, not ${text}`,
    header: (option: string, form: string) => `${option} takes ${form}`,
    noVariable: (name: string) => `the environment variable ${name} is not set`,
    unreadable: (path: string, reason: string) => `cannot read ${path}: ${reason}`,
    tooLarge: 'it is larger than 64 MiB; shorten it',
    config: {
      broken: (path: string, reason: string) => `${path} is neither TOML nor JSON: ${reason}`,
      unknown: (key: string) => `there is no setting ${key}`,
      notOne: (key: string) => `${key} takes one value`,
      notQuantity: (key: string, text: string) =>
        `${key} takes a number, or a duration with its unit such as 1s, not ${text}`,
      notSeeds: 'seeds takes URLs and files as text: seeds = ["https://ufmg.br/"]',
      notSwitch: (key: string) => `${key} is true or false`,
      notValue: (key: string) => `${key} takes a string, a number, or a list of either`,
      notTable: (key: string) => `${key} is a section: [hosts."example.org"]`,
      action: (key: string) => `${key} belongs on the command line, not in a file`,
    },
    httpInstead: (host: string, why: string, url: string) =>
      `${host} cannot be reached by https (${why}); collecting ${url}`,
    seeds: {
      protocol: 'only http and https',
      malformed: 'not a web address; write https://host/path',
      'too-long': 'longer than 2,000 bytes',
      'too-many-segments': 'more than 30 segments in its path',
      'repeated-segment': 'the same segment more than three times in its path',
      skipped: (place: string, seed: string, reason: string) => `${place}: ${seed}: ${reason}; skipped`,
      more: (name: string, lines: string) => `${name}: ${lines} more lines skipped`,
      none: (name: string) => `there is no web address in ${name}; write one per line, such as https://ufmg.br/`,
    },
    fresh: {
      ask: (folder: string, pages: string, since: string) =>
        `Remove the crawl in ${folder} (${pages} pages, begun ${since}) and start over? [y/N] `,
      yes: /^y(?:es)?$/i,
      kept: 'nothing was removed',
      noTerminal: (folder: string) =>
        `--fresh removes the crawl in ${folder}, and there is no terminal to confirm it on; add --yes, or name another folder with -o`,
      removed: (folder: string, files: string) => `removed the crawl in ${folder}: ${files} files`,
      stays: (where: string) =>
        `the crawl at ${where} stays as it is: pages that were archived here are not collected again; to start it over, use escalona frontier ${where} clear`,
      others: (folder: string, names: string) =>
        `${folder} also holds other files (${names}), which are kept; a crawl needs a folder of its own: name another with -o`,
    },
  },
  pt: {
    noSeeds: folder =>
      `faltam sementes; escreva uma URL, ou indique um arquivo com -s${folder === '' ? '' : `; para continuar: escalona resume ${folder}`}`,
    seedIsFile: path => `${path} é um arquivo; indique-o com -s ${path}`,
    noSuchFile: path => `não existe o arquivo ${path}; se for um host, escreva https://${path}`,
    noSuchList: path => `não existe o arquivo ${path}; se for uma URL, acrescente o esquema ou retire -s`,
    stdinOnce: 'a entrada padrão só pode ser lida uma vez; deixe um só -',
    noFolderName: option => `${option} precisa do nome de uma pasta`,
    noFolder: 'falta a pasta, e não há coleta em ./crawl; escreva escalona resume DIR',
    noCrawl: folder => `não há coleta em ${folder}; comece uma com escalona crawl URL -o ${folder}`,
    rebuilding: (pages, of) => `${pages} de ${of} páginas arquivadas relidas`,
    resumed: (folder, pid) => `a coleta em ${folder} estava em pausa; o processo ${pid} a continua`,
    logForm: text => `--log recebe text, json ou none, não ${text}`,
    noRetry: text => `--retry recebe failed, refused, held ou um motivo, não ${text}`,
    header: (option, form) => `${option} recebe ${form}`,
    noVariable: name => `a variável de ambiente ${name} não está definida`,
    unreadable: (path, reason) => `não é possível ler ${path}: ${reason}`,
    tooLarge: 'tem mais de 64 MiB; encurte-o',
    config: {
      broken: (path, reason) => `${path} não é TOML nem JSON legível: ${reason}`,
      unknown: key => `não existe a configuração ${key}`,
      notOne: key => `${key} recebe um só valor`,
      notQuantity: (key, text) => `${key} recebe um número, ou uma duração com unidade como 1s, não ${text}`,
      notSeeds: 'seeds recebe URLs e arquivos como texto: seeds = ["https://ufmg.br/"]',
      notSwitch: key => `${key} é true ou false`,
      notValue: key => `${key} recebe um texto, um número, ou uma lista deles`,
      notTable: key => `${key} é uma seção: [hosts."example.org"]`,
      action: key => `${key} só vale na linha de comando, não em arquivo`,
    },
    httpInstead: (host, why, url) => `${host} não pode ser alcançado por https (${why}); coletando ${url}`,
    seeds: {
      protocol: 'só http e https',
      malformed: 'não é um endereço da web; escreva https://host/caminho',
      'too-long': 'mais de 2.000 bytes',
      'too-many-segments': 'mais de 30 segmentos no caminho',
      'repeated-segment': 'o mesmo segmento mais de três vezes no caminho',
      skipped: (place, seed, reason) => `${place}: ${seed}: ${reason}; ignorada`,
      more: (name, lines) => `${name}: mais ${lines} linhas ignoradas`,
      none: name => `não há endereço da web em ${name}; escreva um por linha, como https://ufmg.br/`,
    },
    fresh: {
      ask: (folder, pages, since) =>
        `Remover a coleta em ${folder} (${pages} páginas, iniciada em ${since}) e começar de novo? [s/N] `,
      yes: /^s(?:im)?$/i,
      kept: 'nada foi removido',
      noTerminal: folder =>
        `--fresh remove a coleta em ${folder}, e não há terminal para confirmar; acrescente --yes, ou indique outra pasta com -o`,
      removed: (folder, files) => `coleta removida em ${folder}: ${files} arquivos`,
      stays: where =>
        `a coleta em ${where} fica como está: páginas que foram arquivadas aqui não são coletadas de novo; para recomeçá-la, use escalona frontier ${where} clear`,
      others: (folder, names) =>
        `${folder} também contém outros arquivos (${names}), que são mantidos; uma coleta precisa de uma pasta só dela: indique outra com -o`,
    },
  },
})
