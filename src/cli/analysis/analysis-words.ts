import { catalogue } from '../../base/words/language.ts'

/** The texts of `escalona analyze` and `escalona experiment`. */
export const analysisWords = catalogue({
  en: {
    analyzeHelp: `Examples
  escalona coleta1.txt -l access.log                 record every access to memory
  escalona analyze access.log -o analysis.html       draw the access maps and stack distances
  escalona analyze access.log --svg figures          also write SVG files, for a paper
  escalona analyze access.log --json                 print only the numbers

Usage: escalona analyze LOG [options]
  -o, --output F   the page to write (default analysis.html), or the numbers with --json; - is standard output
      --json       print the numbers instead: histogram, rows of [phase, id, distance, count], and totals
      --svg DIR    also write every picture as an SVG file into this folder
  -q, --quiet      no summary
  -h, --help       this page

Exit codes: 0 success, 1 mistakes in LOG, 2 wrong usage or unusable file
`,
    experimentHelp: `Examples
  escalona experiment                    up to a million URLs: a few minutes
  escalona experiment --quick -o /tmp/x  up to 3,000 URLs: a few seconds
  escalona experiment --full             up to ten million URLs: slow, and several GB of memory

Usage: escalona experiment [options]
  -o, --output DIR  where everything goes (default experiment)
      --quick       fewer and smaller sizes
      --full        more and larger sizes
  -q, --quiet       no summary
  -h, --help        this page

Times every command against the number of URLs, in three scenarios and with all three strategies, and fits the growth;
then records the memory accesses of the original load of 26 URLs. Writes experiment.html, experiment.json, original.log
and every picture as an SVG file, with the same pictures in Portuguese in the folder pt.
`,
    noLog: 'analyze needs a LOG',
    log: 'LOG',
    logIsOutput: (path: string) => `${path} is the log itself; name another output with -o`,
    svgFolder: '--svg takes the name of a folder',
    standardInput: 'standard input',
    reach: 'finding the extent of the log',
    distances: 'measuring stack distances',
    analyzed: (accesses: string, structures: string, seconds: string) =>
      `${accesses} accesses of ${structures} structures analyzed, ${seconds} s`,
    cutOff: (name: string) => `${name} is cut off: its last line, F, is missing`,
    experimentDone: (page: string, seconds: string) => `${page} and its pictures written, ${seconds} s`,
    unknownProcessor: 'unknown processor',
  },
  pt: {
    analyzeHelp: `Exemplos
  escalona coleta1.txt -l access.log                 registra cada acesso à memória
  escalona analyze access.log -o analysis.html       desenha mapas de acesso e distâncias de pilha
  escalona analyze access.log --svg figuras          também como arquivos SVG, para um artigo
  escalona analyze access.log --json                 só os números

Uso: escalona analyze LOG [opções]
  -o, --output F   a página a escrever (padrão analysis.html), ou os números com --json; - é a saída padrão
      --json       escreve os números: histograma, linhas de [fase, id, distância, contagem], e totais
      --svg PASTA  escreve também cada figura como arquivo SVG nessa pasta
  -q, --quiet      sem resumo
  -h, --help       esta página

Códigos de saída: 0 sucesso, 1 erros no LOG, 2 uso errado ou arquivo inutilizável
`,
    experimentHelp: `Exemplos
  escalona experiment                    até um milhão de URLs: alguns minutos
  escalona experiment --quick -o /tmp/x  até 3.000 URLs: alguns segundos
  escalona experiment --full             até dez milhões de URLs: demorado, e alguns GB de memória

Uso: escalona experiment [opções]
  -o, --output PASTA  onde tudo é escrito (padrão experiment)
      --quick         menos tamanhos, e menores
      --full          mais tamanhos, e maiores
  -q, --quiet         sem resumo
  -h, --help          esta página

Mede o tempo de cada comando pelo número de URLs, em três cenários e com as três estratégias, e ajusta o crescimento; e
registra os acessos à memória da carga original de 26 URLs. Escreve experiment.html, experiment.json, original.log
e cada figura como arquivo SVG; na pasta en, as mesmas figuras em inglês.
`,
    noLog: 'analyze precisa de um LOG',
    log: 'LOG',
    logIsOutput: path => `${path} é o próprio registro; indique outra saída com -o`,
    svgFolder: '--svg recebe o nome de uma pasta',
    standardInput: 'entrada padrão',
    reach: 'vendo até onde vai o registro',
    distances: 'medindo distâncias de pilha',
    analyzed: (accesses, structures, seconds) =>
      `${accesses} acessos de ${structures} estruturas analisados, ${seconds} s`,
    cutOff: name => `${name} está cortado: falta a última linha, F`,
    experimentDone: (page, seconds) => `${page} e suas figuras escritas, ${seconds} s`,
    unknownProcessor: 'processador desconhecido',
  },
})
