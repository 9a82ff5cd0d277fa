// What the pictures and pages of an analysis say, in both languages.
import { catalogue } from '../base/words/language.ts'
import { counted } from '../base/words/quantity.ts'

/** A number with its noun: 1 access, 1,200 accesses. */
const noun = (one: string, many: string) => (n: number) => counted(n, one, many)

export const pictureWords = catalogue({
  en: {
    /** For numbers on axes. */
    locale: 'en-US',
    phase: (phase: number) => `phase ${phase}`,
    ids: {
      hosts: 'hosts',
      hostNames: 'host names',
      structure: (id: number) => `structure ${id}`,
      host: (host: number) => `host ${host}`,
      lastHosts: (host: number) => `hosts ${host} and after`,
      list: (hosts: string) => `list of ${hosts}`,
      texts: (hosts: string) => `texts of ${hosts}`,
    },
    access: noun('access', 'accesses'),
    read: noun('read', 'reads'),
    write: noun('write', 'writes'),
    firstTouch: noun('first touch', 'first touches'),
    structure: noun('structure', 'structures'),
    phases: noun('phase', 'phases'),
    accessNumber: noun('access number', 'access numbers'),
    byte: noun('byte', 'bytes'),
    map: {
      title: (what: string) => `Access map: ${what}`,
      reads: 'reads',
      writes: 'writes',
      address: (name: string) => `${name}: address (bytes)`,
      accessNumber: 'access number',
      tip: '{a}: access number, address, accesses: {c}',
      phases: (list: string) => `phases: ${list}`,
      tooShort: (list: string) => `; too short for a band: ${list}`,
      more: (count: string) => ` and ${count} more`,
      onePoint: 'each point is one access, at its first byte',
      manyPoints: (cell: string) =>
        `too many to draw one by one: each point stands for a cell of ${cell}, stronger the more it holds`,
    },
    histogram: {
      first: 'first',
      distance: 'stack distance (8-byte words)',
      accesses: 'accesses',
      caption: (total: string, mean: string) => `total ${total}, mean ${mean}`,
    },
    page: {
      title: (log: string) => `Memory accesses of ${log}`,
      empty: 'There are no accesses in this log.',
      summary: (accesses: string, structures: string, phases: string, lowest: string, highest: string) =>
        `${accesses} of ${structures} in ${phases}, at addresses from ${lowest} to ${highest}.`,
      cutOff: 'The log is cut off: its last line is missing.',
      totals: 'Totals',
      totalsNote:
        'A stack distance is the number of different 8-byte words that were touched since the last touch of the same one, itself included: a cache of that many words would have kept it. There is one stack per phase and structure. A first touch has no distance and counts as 0. The total is the sum of all distances.',
      allTotals: 'Totals of every phase and structure',
      all: 'all phases',
      maps: 'Access maps',
      mapsNote:
        'When each address was touched; time is the access number. The bands are the phases. Ctrl and the wheel zoom in time, Shift and the wheel in addresses; drag to move.',
      allStructures: 'All structures',
      busiest: (drawn: string, all: string) =>
        `These are the ${drawn} busiest of ${all} structures; escalona analyze --all draws the others, too.`,
      histograms: 'Histograms of stack distances',
      phaseHeading: (phase: number, title: string) => `Phase ${phase}: ${title}`,
      trivial: (count: number, names: string) =>
        `${count === 1 ? '1 histogram' : `${count} histograms`} with a single bar: ${names}`,
      heads: {
        phase: 'phase',
        id: 'id',
        structure: 'structure',
        accesses: 'accesses',
        reads: 'reads',
        writes: 'writes',
        firstTouches: 'first touches',
        total: 'total distance',
        mean: 'mean',
      },
    },
    experiment: {
      title: 'Experiment: time and locality of the scheduler',
      madeBy: (machine: string) => `Made by <code>escalona experiment</code> on ${machine}.`,
      machine: (processor: string, cores: number, gib: number, system: string, node: string) =>
        `${processor}, ${cores} cores, ${gib} GiB, ${system}, Node ${node}`,
      times: 'Time over the number of URLs',
      timesNote:
        'The fastest of several runs in one process; input is in memory, output is discarded. The growth is a straight line fitted to the logarithms by least squares.',
      growth: 'Growth of every command: the exponent e of n^e, with R²',
      locality: 'Locality: the load of 26 URLs in 5 hosts',
      order: 'The order in which the lists’ URLs are written (table 1 of the original)',
      distances: 'Stack distances of every phase and structure',
      list: (list: number) => `list ${list}`,
      command: 'command',
      strategy: (strategy: string) => `${strategy}-first`,
      original: 'ADD_URLS, LISTA_HOSTS, ESCALONA_TUDO and LIMPA_TUDO: 10 hosts',
      everyCommand: (scenario: string) => `Every command, depth-first: ${scenario}`,
      strategies: (scenario: string) => `The three strategies: ${scenario}`,
      logarithmic: 'both axes logarithmic; dashed, and as n^e: the best fit',
      linear: 'dashed, and as n^e: the best fit',
      urls: 'number of URLs, n',
      time: 'time (µs)',
      fitOf: (name: string) => `fit of ${name}`,
      scenarios: {
        'one-host': 'one host with n URLs',
        'a-host-each': 'n hosts with one URL',
        'many-hosts': '√n hosts with √n URLs',
      },
      working: {
        original: (strategy: string) => `the original's figure, ${strategy}`,
        scenario: (title: string, urls: string, strategy: string) => `${title}, n = ${urls}, ${strategy}`,
      },
    },
  },
  pt: {
    locale: 'pt-BR',
    phase: (phase: number) => `fase ${phase}`,
    ids: {
      hosts: 'hosts',
      hostNames: 'nomes dos hosts',
      structure: (id: number) => `estrutura ${id}`,
      host: (host: number) => `host ${host}`,
      lastHosts: (host: number) => `hosts ${host} em diante`,
      list: (hosts: string) => `lista: ${hosts}`,
      texts: (hosts: string) => `textos: ${hosts}`,
    },
    access: noun('acesso', 'acessos'),
    read: noun('leitura', 'leituras'),
    write: noun('escrita', 'escritas'),
    firstTouch: noun('primeiro toque', 'primeiros toques'),
    structure: noun('estrutura', 'estruturas'),
    phases: noun('fase', 'fases'),
    accessNumber: noun('número de acesso', 'números de acesso'),
    byte: noun('byte', 'bytes'),
    map: {
      title: (what: string) => `Mapa de acesso: ${what}`,
      reads: 'leituras',
      writes: 'escritas',
      address: (name: string) => `${name}: endereço (bytes)`,
      accessNumber: 'número do acesso',
      tip: '{a}: número do acesso, endereço, acessos: {c}',
      phases: (list: string) => `fases: ${list}`,
      tooShort: (list: string) => `; curtas demais para uma faixa: ${list}`,
      more: (count: string) => ` e mais ${count}`,
      onePoint: 'cada ponto é um acesso, no primeiro byte dele',
      manyPoints: (cell: string) =>
        `são muitos para desenhar um a um: cada ponto representa uma célula de ${cell}, mais forte quanto mais contém`,
    },
    histogram: {
      first: 'primeiro',
      distance: 'distância de pilha (palavras de 8 bytes)',
      accesses: 'acessos',
      caption: (total: string, mean: string) => `total ${total}, média ${mean}`,
    },
    page: {
      title: (log: string) => `Acessos à memória de ${log}`,
      empty: 'Não há acessos neste registro.',
      summary: (accesses: string, structures: string, phases: string, lowest: string, highest: string) =>
        `${accesses} de ${structures} em ${phases}, nos endereços de ${lowest} a ${highest}.`,
      cutOff: 'O registro está cortado: falta a última linha.',
      totals: 'Totais',
      totalsNote:
        'A distância de pilha é o número de palavras diferentes de 8 bytes tocadas desde o último toque da mesma palavra, contando ela mesma: uma cache com esse número de palavras a teria mantido. Há uma pilha por fase e estrutura. Um primeiro toque não tem distância e conta como 0. O total é a soma de todas as distâncias.',
      allTotals: 'Totais de cada fase e estrutura',
      all: 'todas as fases',
      maps: 'Mapas de acesso',
      mapsNote:
        'Quando cada endereço foi tocado; o tempo é o número do acesso. As faixas são as fases. Ctrl e a roda ampliam no tempo, Shift e a roda nos endereços; arraste para mover.',
      allStructures: 'Todas as estruturas',
      busiest: (drawn: string, all: string) =>
        `Estas são as ${drawn} mais usadas de ${all} estruturas; escalona analyze --all desenha também as outras.`,
      histograms: 'Histogramas das distâncias de pilha',
      phaseHeading: (phase: number, title: string) => `Fase ${phase}: ${title}`,
      trivial: (count: number, names: string) =>
        `${count === 1 ? '1 histograma' : `${count} histogramas`} com uma só barra: ${names}`,
      heads: {
        phase: 'fase',
        id: 'id',
        structure: 'estrutura',
        accesses: 'acessos',
        reads: 'leituras',
        writes: 'escritas',
        firstTouches: 'primeiros toques',
        total: 'distância total',
        mean: 'média',
      },
    },
    experiment: {
      title: 'Experimento: tempo e localidade do escalonador',
      madeBy: (machine: string) => `Feito por <code>escalona experiment</code> em ${machine}.`,
      machine: (processor: string, cores: number, gib: number, system: string, node: string) =>
        `${processor}, ${cores} núcleos, ${gib} GiB, ${system}, Node ${node}`,
      times: 'Tempo em função do número de URLs',
      timesNote:
        'A mais rápida de várias execuções em um processo; a entrada está na memória, e a saída é descartada. O crescimento é uma reta ajustada aos logaritmos por mínimos quadrados.',
      growth: 'Crescimento de cada comando: o expoente e de n^e, com R²',
      locality: 'Localidade: a carga de 26 URLs em 5 hosts',
      order: 'Em que ordem as URLs das listas são escritas (tabela 1 do original)',
      distances: 'Distâncias de pilha de cada fase e estrutura',
      list: (list: number) => `lista ${list}`,
      command: 'comando',
      strategy: (strategy: string) => `${strategy}-first`,
      original: 'ADD_URLS, LISTA_HOSTS, ESCALONA_TUDO e LIMPA_TUDO: 10 hosts',
      everyCommand: (scenario: string) => `Cada comando, depth-first: ${scenario}`,
      strategies: (scenario: string) => `As três estratégias: ${scenario}`,
      logarithmic: 'ambos os eixos logarítmicos; tracejado, e como n^e: o melhor ajuste',
      linear: 'tracejado, e como n^e: o melhor ajuste',
      urls: 'número de URLs, n',
      time: 'tempo (µs)',
      fitOf: (name: string) => `ajuste de ${name}`,
      scenarios: {
        'one-host': 'um host com n URLs',
        'a-host-each': 'n hosts com uma URL',
        'many-hosts': '√n hosts com √n URLs',
      },
      working: {
        original: (strategy: string) => `a figura do original, ${strategy}`,
        scenario: (title: string, urls: string, strategy: string) => `${title}, n = ${urls}, ${strategy}`,
      },
    },
  },
})
