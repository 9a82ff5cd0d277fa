import { catalogue } from '../../base/words/language.ts'
import { SIMULATED_RANKS, SIMULATED_STRATEGIES } from '../../simulate/simulate.ts'

/** The texts of `escalona simulate`. */
export const simulateWords = catalogue({
  en: {
    head: `Examples
  escalona simulate synthetic --strategy breadth,best,explore
  escalona simulate cnr-2000.graph-txt.gz --strategy breadth,random,depth --rank depth,pagerank --starts 10
  escalona simulate crawl --strategy breadth,best --delay 100ms,1s
  escalona simulate web.graph-txt --urls web.urls --delay 100ms,1s -n 32k -o simulation
  escalona simulate synthetic --pages 400 --hosts 20 --changes 4h,600h --recrawl --max-time 730d

Usage: escalona simulate WORLD [options]
WORLD is a graph file (.graph-txt of WebGraph, or a list of links: two page numbers per line; packed
with gzip or not; - is standard input), the folder of a crawl (its archived pages and their links; it
starts from its seeds, with its settings), or the word synthetic: a web made up by the seed. The
crawler that runs is the real one, in virtual time; no request is made. Every combination of the
strategies, ranks and delays is simulated from every set of start pages. PageRank shares are of the
pages that can be reached.

`,
    options: {
      strategy: `which host comes next, several with commas: ${SIMULATED_STRATEGIES.join(', ')} (default breadth); here depth takes the newest link first, and random any; host-by-host is what a crawl calls depth`,
      rank: `which link of a host comes first: ${SIMULATED_RANKS.join(', ')} (default depth); pagerank knows the whole graph`,
      delay: 'minimum time between two requests to a host (default 1s)',
      limit: 'stop each crawl after N pages (default: all that can be reached)',
      starts: 'sets of start pages (default 3)',
      'start-pages': 'start pages per set (default 10)',
      'start-links': 'start only from pages with more than N links (default 0)',
      urls: 'a file with the URL of each page of the graph, one per line',
      hosts: 'without URLs: deal the pages to N hosts by Zipf’s law (default: the square root of the pages)',
      pages: 'pages of the synthetic web (default 10000)',
      latency: 'median time of an answer, at most 2s (default 200ms)',
      errors: 'share of requests that fail, from 0 to 1 (default 0)',
      'crawl-delays': 'share of hosts that ask for a Crawl-delay of 10 s (default 0)',
      changes: 'pages change by a Poisson law with mean times between these two, as 4h,600h',
      never: 'share of pages that never change (default 0.2)',
      seed: 'the same seed gives the same result (default 1)',
      workers: 'threads (default: the cores)',
      output: 'write simulation.html and simulation.json to this folder',
      json: 'one JSON object: {"rows": […]}',
      quiet: 'no progress and no summary',
    } as Readonly<Record<string, string>>,
    asCrawl: 'as in escalona crawl',
    page: {
      title: 'Simulation',
      measures: { pageRank: 'PageRank gathered', hosts: 'Hosts reached', domains: 'Domains reached' },
      overPages: 'over the pages archived, of those that can be reached',
      overTime: 'over virtual time',
      note: 'Means over the sets of start pages. PR@5%: share of the PageRank of all pages that can be reached, when 5 % of them are archived. τ: Kendall’s τ of the ranking so far.',
    },
    noWorld: 'no world given; name a graph file or the folder of a crawl, or write synthetic',
    ofCrawl: 'a crawl has its own URLs; leave --urls and --hosts out',
    reading: 'reading',
    onlySynthetic: '--pages is for the synthetic web only; -n limits the pages of a crawl',
    needsTime: '--recrawl has no end; say how long with --max-time, such as --max-time 30d',
    badChanges: (text: string) => `--changes takes two durations, the shorter one first, as 4h,600h; not ${text}`,
    badCount: (option: string, least: number, text: string) =>
      `${option} takes a whole number from ${least} up, not ${text}`,
    badLatency: (most: string, text: string) => `--latency takes a duration of at most ${most}, not ${text}`,
    badChance: (option: string, text: string) => `${option} takes a number from 0 to 1, not ${text}`,
    progress: (left: string | undefined) => (left === undefined ? 'simulating' : `simulating, ${left} left`),
    done: (pages: string, seconds: string) => `${pages} pages simulated, ${seconds} s`,
    heads: {
      strategy: 'strategy',
      rank: 'rank',
      delay: 'delay',
      pages: 'pages',
      time: 'time',
      rankAt: (percent: number) => `PR@${percent}%`,
      tauAt: (percent: number) => `τ@${percent}%`,
      hostsAt: (percent: number) => `hosts@${percent}%`,
      idle: 'idle',
      gap: 'least gap',
      fresh: 'fresh',
      uniform: 'uniform',
      optimum: 'optimum',
      visits: 'visits',
      captured: 'captured',
      age: 'age',
    },
  },
  pt: {
    head: `Exemplos
  escalona simulate synthetic --strategy breadth,best,explore
  escalona simulate cnr-2000.graph-txt.gz --strategy breadth,random,depth --rank depth,pagerank --starts 10
  escalona simulate crawl --strategy breadth,best --delay 100ms,1s
  escalona simulate web.graph-txt --urls web.urls --delay 100ms,1s -n 32k -o simulacao
  escalona simulate synthetic --pages 400 --hosts 20 --changes 4h,600h --recrawl --max-time 730d

Uso: escalona simulate MUNDO [opções]
MUNDO é um arquivo de grafo (.graph-txt do WebGraph, ou uma lista de links: dois números de página
por linha; compactado com gzip ou não; - é a entrada padrão), a pasta de uma coleta (as páginas
arquivadas e seus links; começa das suas sementes, com suas configurações), ou a palavra synthetic:
uma web inventada pela semente. O coletor que roda é o de verdade, em tempo virtual; nenhuma
requisição é feita. Cada combinação de
estratégias, postos e intervalos é simulada a partir de cada conjunto de páginas iniciais. As
parcelas de PageRank são das páginas que podem ser alcançadas.

`,
    options: {
      strategy: `qual host vem a seguir, várias com vírgulas: ${SIMULATED_STRATEGIES.join(', ')} (padrão breadth); aqui depth pega primeiro o link mais novo, e random qualquer um; host-by-host é o que uma coleta chama de depth`,
      rank: `qual link de um host vem primeiro: ${SIMULATED_RANKS.join(', ')} (padrão depth); pagerank conhece o grafo inteiro`,
      delay: 'tempo mínimo entre duas requisições a um host (padrão 1s)',
      limit: 'encerra cada coleta após N páginas (padrão: todas as que podem ser alcançadas)',
      starts: 'conjuntos de páginas iniciais (padrão 3)',
      'start-pages': 'páginas iniciais por conjunto (padrão 10)',
      'start-links': 'começa só de páginas com mais de N links (padrão 0)',
      urls: 'um arquivo com a URL de cada página do grafo, uma por linha',
      hosts: 'sem URLs: distribui as páginas por N hosts pela lei de Zipf (padrão: a raiz quadrada das páginas)',
      pages: 'páginas da web sintética (padrão 10000)',
      latency: 'tempo mediano de uma resposta, no máximo 2s (padrão 200ms)',
      errors: 'parcela das requisições que falham, de 0 a 1 (padrão 0)',
      'crawl-delays': 'parcela dos hosts que pedem um Crawl-delay de 10 s (padrão 0)',
      changes: 'as páginas mudam por uma lei de Poisson com tempos médios entre estes dois, como 4h,600h',
      never: 'parcela das páginas que nunca mudam (padrão 0.2)',
      seed: 'a mesma semente dá o mesmo resultado (padrão 1)',
      workers: 'threads (padrão: os núcleos)',
      output: 'escreve simulation.html e simulation.json nesta pasta',
      json: 'um objeto JSON: {"rows": […]}',
      quiet: 'sem progresso e sem resumo',
    },
    asCrawl: 'como em escalona crawl',
    page: {
      title: 'Simulação',
      measures: { pageRank: 'PageRank reunido', hosts: 'Hosts alcançados', domains: 'Domínios alcançados' },
      overPages: 'pelas páginas arquivadas, das que podem ser alcançadas',
      overTime: 'pelo tempo virtual',
      note: 'Médias sobre os conjuntos de páginas iniciais. PR@5%: parcela do PageRank de todas as páginas que podem ser alcançadas, quando 5 % delas estão arquivadas. τ: τ de Kendall da classificação até ali.',
    },
    noWorld: 'falta o mundo; indique um arquivo de grafo ou a pasta de uma coleta, ou escreva synthetic',
    ofCrawl: 'uma coleta tem suas próprias URLs; retire --urls e --hosts',
    reading: 'lendo',
    onlySynthetic: '--pages vale só para a web sintética; -n limita as páginas de uma coleta',
    needsTime: '--recrawl não tem fim; diga por quanto tempo com --max-time, por exemplo --max-time 30d',
    badChanges: text => `--changes recebe duas durações, a menor primeiro, como 4h,600h; não ${text}`,
    badCount: (option, least, text) => `${option} recebe um número inteiro a partir de ${least}, não ${text}`,
    badLatency: (most, text) => `--latency recebe uma duração de no máximo ${most}, não ${text}`,
    badChance: (option, text) => `${option} recebe um número de 0 a 1, não ${text}`,
    progress: left => (left === undefined ? 'simulando' : `simulando, faltam ${left}`),
    done: (pages, seconds) => `${pages} páginas simuladas, ${seconds} s`,
    heads: {
      strategy: 'estratégia',
      rank: 'posto',
      delay: 'intervalo',
      pages: 'páginas',
      time: 'tempo',
      rankAt: percent => `PR@${percent}%`,
      tauAt: percent => `τ@${percent}%`,
      hostsAt: percent => `hosts@${percent}%`,
      idle: 'ocioso',
      gap: 'menor intervalo',
      fresh: 'atual',
      uniform: 'uniforme',
      optimum: 'ótimo',
      visits: 'visitas',
      captured: 'captadas',
      age: 'idade',
    },
  },
})
