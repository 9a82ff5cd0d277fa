import { catalogue } from '../../base/words/language.ts'
import { counted, shownCount } from '../../base/words/quantity.ts'
import type { Counts } from '../../scheduler/core.ts'

/** The help page and the messages of `escalona FILE`. */
export const runWords = catalogue({
  en: {
    head: `Examples
  escalona coleta1.txt              run the commands, write coleta1-out.txt
  escalona coleta1.txt -e best      the host with the most URLs comes first
  escalona coleta1.txt -o -         write to standard output
  cat coleta1.txt | escalona -      read standard input, write standard output

Usage: escalona [run] FILE [options]
  -e, --strategy S  which host comes next: depth (default), breadth or best;
                    also profundidade, largura, melhor
  -b                same as -e breadth
  -o, --output F    write to F instead of FILE-out; - is standard output
  -l, --log F       record every access to memory in F, for escalona analyze
  -q, --quiet       no summary
      --strict      stop at the first mistake in FILE and write nothing
  -h, --help        this page
  -V, --version     the version

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
    read: (megabytes: string) => `${megabytes} MB read`,
    summary: {
      read: (n: number) => `${counted(n, 'URL', 'URLs')} read`,
      accepted: (n: number) => `${shownCount(n)} accepted`,
      duplicates: (n: number) => counted(n, 'duplicate', 'duplicates'),
      refused: (n: number, { protocol, malformed, extension }: Counts['refused']) =>
        `${shownCount(n)} refused (protocol ${shownCount(protocol)}, malformed ${shownCount(malformed)}, extension ${shownCount(extension)})`,
      scheduled: (n: number) => `${shownCount(n)} scheduled`,
      hosts: (n: number) => counted(n, 'host', 'hosts'),
      mistakes: (n: number) => `${counted(n, 'mistake', 'mistakes')} in the input`,
    },
  },
  pt: {
    head: `Exemplos
  escalona coleta1.txt              executa os comandos, escreve coleta1-out.txt
  escalona coleta1.txt -e best      o host com mais URLs vem primeiro
  escalona coleta1.txt -o -         escreve na saída padrão
  cat coleta1.txt | escalona -      lê a entrada padrão, escreve na saída padrão

Uso: escalona [run] ARQUIVO [opções]
  -e, --strategy S  qual host vem a seguir: depth (padrão), breadth ou best;
                    também profundidade, largura, melhor
  -b                o mesmo que -e breadth
  -o, --output F    escreve em F e não em ARQUIVO-out; - é a saída padrão
  -l, --log F       registra em F cada acesso à memória, para escalona analyze
  -q, --quiet       sem resumo
      --strict      para no primeiro erro do ARQUIVO e não escreve nada
  -h, --help        esta página
  -V, --version     a versão

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
    read: megabytes => `${megabytes} MB lidos`,
    summary: {
      read: n => counted(n, 'URL lida', 'URLs lidas'),
      accepted: n => counted(n, 'aceita', 'aceitas'),
      duplicates: n => counted(n, 'repetida', 'repetidas'),
      refused: (n, { protocol, malformed, extension }) =>
        `${shownCount(n)} ${n === 1 ? 'recusada' : 'recusadas'} (protocolo ${shownCount(protocol)}, malformadas ${shownCount(malformed)}, extensão ${shownCount(extension)})`,
      scheduled: n => counted(n, 'escalonada', 'escalonadas'),
      hosts: n => counted(n, 'host', 'hosts'),
      mistakes: n => `${counted(n, 'erro', 'erros')} na entrada`,
    },
  },
})
