import { catalogue } from '../../base/words/language.ts'

/** The texts of `escalona generate`. */
export const generateWords = catalogue({
  en: {
    help: `Examples
  escalona generate -o carga.txt                     10 hosts with about 3 URLs each
  escalona generate -o big.txt -s 100000 -u 10       about a million URLs
  escalona generate -o - --seed 7 | escalona -       straight into the scheduler

Usage: escalona generate -o FILE [options]
  -o, --output F   the command file to write; - for standard output
  -s N             hosts (default 10)
  -u N             URLs per host, on average (default 3)
  -v N             the standard deviation of that number (default 1)
  -p N             depth of a URL (slashes in its path), on average (default 3)
  -q N             the standard deviation of the depth (default 1)
      --seed N     for random choices: the same seed gives the same file on every machine (default 1)
      --quiet      no summary
  -h, --help       this page

The file adds all URLs, with the hosts interleaved, then runs LISTA_HOSTS, ESCALONA_TUDO and LIMPA_TUDO. All URLs are
distinct.
`,
    noOutput: 'generate needs -o FILE',
    notNumber: (option: string, text: string) => `${option} takes a number from 0 up, not ${text}`,
    written: (megabytes: string) => `${megabytes} MB written`,
    summary: (urls: string, hosts: string, seconds: string) => `${urls} URLs of ${hosts} hosts generated, ${seconds} s`,
    urlsPerHost: 'URLs per host',
    depth: 'depth',
    noSpread: (mean: string, asked: string, what: string, spread: string) =>
      `whole numbers from 1 up with a mean of ${mean} cannot have a standard deviation of ${asked}; for ${what} it is ${spread}`,
  },
  pt: {
    help: `Exemplos
  escalona generate -o carga.txt                     10 hosts com umas 3 URLs cada
  escalona generate -o grande.txt -s 100000 -u 10    cerca de um milhão de URLs
  escalona generate -o - --seed 7 | escalona -       direto para o escalonador

Uso: escalona generate -o ARQUIVO [opções]
  -o, --output F   o arquivo de comandos a escrever; - é a saída padrão
  -s N             hosts (padrão 10)
  -u N             URLs por host, em média (padrão 3)
  -v N             o desvio padrão desse número (padrão 1)
  -p N             profundidade de uma URL (barras no caminho), em média (padrão 3)
  -q N             o desvio padrão da profundidade (padrão 1)
      --seed N     para escolhas aleatórias: a mesma semente gera o mesmo arquivo em qualquer máquina (padrão 1)
      --quiet      sem resumo
  -h, --help       esta página

O arquivo adiciona todas as URLs, com os hosts misturados, e executa LISTA_HOSTS, ESCALONA_TUDO e LIMPA_TUDO.
As URLs são todas diferentes.
`,
    noOutput: 'generate precisa de -o ARQUIVO',
    notNumber: (option, text) => `${option} recebe um número a partir de 0, não ${text}`,
    written: megabytes => `${megabytes} MB escritos`,
    summary: (urls, hosts, seconds) => `${urls} URLs de ${hosts} hosts geradas, ${seconds} s`,
    urlsPerHost: 'URLs por host',
    depth: 'profundidade',
    noSpread: (mean, asked, what, spread) =>
      `números inteiros a partir de 1 com média ${mean} não podem ter desvio padrão ${asked}; para ${what} ele é ${spread}`,
  },
})
