import { catalogue } from '../../base/words/language.ts'
import { shownCount } from '../../base/words/quantity.ts'
import type { Counts } from '../../scheduler/counts.ts'

/** The texts of `escalona FILE`. */
export const runWords = catalogue({
  en: {
    examples: `Examples
  escalona coleta1.txt              run the commands, write coleta1-out.txt
  escalona coleta1.txt -e best      the host with the most URLs comes first
  escalona coleta1.txt -o -         write to standard output
  cat coleta1.txt | escalona -      read standard input, write standard output

Usage: escalona [run] FILE [options]
`,
    options: `  -e, --strategy S  which host comes next: depth (default), breadth or best;
                    also profundidade, largura, melhor
  -b                same as -e breadth
  -o, --output F    write to F instead of FILE-out; - is standard output
  -l, --log F       record every access to memory in F, for escalona analyze
  -q, --quiet       no summary
      --strict      stop at the first mistake in FILE and write nothing
  -h, --help        this page
  -V, --version     the version
`,
    rest: `
Commands in FILE, one per line
  ADD_URLS n  (then n URLs)    ESCALONA_TUDO    ESCALONA n    LISTA_HOSTS
  ESCALONA_HOST host n    VER_HOST host    LIMPA_HOST host    LIMPA_TUDO

Exit codes: 0 success, 1 mistakes in FILE, 2 wrong usage or unusable file
`,
    noFile: 'no FILE given',
    file: 'FILE',
    outputIsInput: (name: string) => `${name} is the input itself; name another output with -o`,
    standardOutput: 'standard output',
    logHasNoName: 'the access log has no name',
    logIsOther: (name: string) => `${name} is the input or the output; name another access log with -l`,
    noStrategy: (name: string, known: string, meant: string | undefined) =>
      `there is no strategy ${name}; ${meant === undefined ? `choose ${known}` : `did you mean ${meant}?`}`,
    read: (megabytes: string, seconds: string) => `${megabytes} MB read, ${seconds} s`,
    summary: {
      read: (n: number) => `${shownCount(n)} ${n === 1 ? 'URL' : 'URLs'} read`,
      accepted: (n: number) => `${shownCount(n)} accepted`,
      duplicates: (n: number) => `${shownCount(n)} ${n === 1 ? 'duplicate' : 'duplicates'}`,
      refused: (n: number, { protocol, malformed, extension }: Counts['refused']) =>
        `${shownCount(n)} refused (protocol ${shownCount(protocol)}, malformed ${shownCount(malformed)}, extension ${shownCount(extension)})`,
      scheduled: (n: number) => `${shownCount(n)} scheduled`,
      hosts: (n: number) => `${shownCount(n)} ${n === 1 ? 'host' : 'hosts'}`,
      mistakes: (n: number) => `${shownCount(n)} ${n === 1 ? 'mistake' : 'mistakes'} in the input`,
    },
  },
  pt: {
    examples: `Exemplos
  escalona coleta1.txt              executa os comandos, escreve coleta1-out.txt
  escalona coleta1.txt -e best      o host com mais URLs vem primeiro
  escalona coleta1.txt -o -         escreve na saída padrão
  cat coleta1.txt | escalona -      lê a entrada padrão, escreve na saída padrão

Uso: escalona [run] ARQUIVO [opções]
`,
    options: `  -e, --strategy S  qual host vem a seguir: depth (padrão), breadth ou best;
                    também profundidade, largura, melhor
  -b                o mesmo que -e breadth
  -o, --output F    escreve em F e não em ARQUIVO-out; - é a saída padrão
  -l, --log F       registra em F cada acesso à memória, para escalona analyze
  -q, --quiet       sem resumo
      --strict      para no primeiro erro do ARQUIVO e não escreve nada
  -h, --help        esta página
  -V, --version     a versão
`,
    rest: `
Comandos no ARQUIVO, um por linha
  ADD_URLS n  (e n URLs)    ESCALONA_TUDO    ESCALONA n    LISTA_HOSTS
  ESCALONA_HOST host n    VER_HOST host    LIMPA_HOST host    LIMPA_TUDO

Códigos de saída: 0 sucesso, 1 erros no ARQUIVO, 2 uso errado ou arquivo inutilizável
`,
    noFile: 'falta o ARQUIVO',
    file: 'ARQUIVO',
    outputIsInput: name => `${name} é a própria entrada; indique outra saída com -o`,
    standardOutput: 'a saída padrão',
    logHasNoName: 'o registro de acessos não tem nome',
    logIsOther: name => `${name} é a entrada ou a saída; indique outro registro de acessos com -l`,
    noStrategy: (name, known, meant) =>
      `não existe a estratégia ${name}; ${meant === undefined ? `escolha ${known}` : `você quis dizer ${meant}?`}`,
    read: (megabytes, seconds) => `${megabytes} MB lidos, ${seconds} s`,
    summary: {
      read: n => `${shownCount(n)} ${n === 1 ? 'URL lida' : 'URLs lidas'}`,
      accepted: n => `${shownCount(n)} ${n === 1 ? 'aceita' : 'aceitas'}`,
      duplicates: n => `${shownCount(n)} ${n === 1 ? 'repetida' : 'repetidas'}`,
      refused: (n, { protocol, malformed, extension }) =>
        `${shownCount(n)} ${n === 1 ? 'recusada' : 'recusadas'} (protocolo ${shownCount(protocol)}, malformadas ${shownCount(malformed)}, extensão ${shownCount(extension)})`,
      scheduled: n => `${shownCount(n)} ${n === 1 ? 'escalonada' : 'escalonadas'}`,
      hosts: n => `${shownCount(n)} ${n === 1 ? 'host' : 'hosts'}`,
      mistakes: n => `${shownCount(n)} ${n === 1 ? 'erro' : 'erros'} na entrada`,
    },
  },
})
