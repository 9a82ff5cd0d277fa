import { DAY_MS, type SettingRow } from './setting-row.ts'

const TEN_YEARS_MS = 3653 * DAY_MS
/** A request must end before its lease does. */
const LONGEST_TIMEOUT_MS = 5 * 60_000

/** How pages are fetched, again and at all, in the groups and the order of the help page. */
export const FETCHING = {
  again: {
    /** `yes`: again and again until the crawl is stopped. `due`: until nothing is due any more. */
    recrawl: {
      option: 'recrawl',
      kind: 'switch',
      choices: ['no', 'yes', 'due'],
      value: 'due',
      default: 'no',
      about: {
        en: 'visit pages again, each at its own interval, until stopped; due: until nothing is due any more',
        pt: 'visita as páginas de novo, cada uma no seu intervalo, até ser interrompida; due: até nada mais estar vencido',
      },
      no: { en: 'visit no page again (default)', pt: 'não visita nenhuma página de novo (padrão)' },
    },
    recrawlFirstMs: {
      option: 'recrawl-first',
      kind: 'duration',
      range: [1, TEN_YEARS_MS],
      default: DAY_MS,
      about: {
        en: 'time from the first visit of a page to the second',
        pt: 'tempo entre a primeira e a segunda visita a uma página',
      },
    },
    recrawlMinMs: {
      option: 'recrawl-min',
      kind: 'duration',
      range: [1, TEN_YEARS_MS],
      default: DAY_MS / 24,
      about: {
        en: 'shortest time between two visits of a page',
        pt: 'menor tempo entre duas visitas a uma página',
      },
    },
    recrawlMaxMs: {
      option: 'recrawl-max',
      kind: 'duration',
      range: [1, TEN_YEARS_MS],
      default: 90 * DAY_MS,
      about: {
        en: 'longest time between two visits of a page',
        pt: 'maior tempo entre duas visitas a uma página',
      },
    },
    recrawlFull: {
      option: 'recrawl-full',
      kind: 'count',
      range: [1, 1_000_000],
      default: 10,
      about: {
        en: 'ask for the whole page at every Nth visit, whatever the server says',
        pt: 'pede a página inteira a cada N visitas, não importa o que o servidor diga',
      },
    },
    dedup: {
      option: 'dedup',
      kind: 'count',
      range: [0, 100_000_000],
      default: 0,
      about: {
        en: 'archive equal pages of other URLs once; remembers this many pages',
        pt: 'arquiva uma vez só páginas iguais de outras URLs; lembra-se deste número de páginas',
      },
      otherwise: { en: '0, off', pt: '0, desligado' },
    },
  },
  requests: {
    /** From the connection to the last byte. */
    timeoutMs: {
      option: 'timeout',
      kind: 'duration',
      range: [1, LONGEST_TIMEOUT_MS],
      default: 10_000,
      about: { en: 'timeout of a whole request', pt: 'tempo limite de uma requisição inteira' },
    },
    /** Including TLS. */
    connectTimeoutMs: {
      option: 'connect-timeout',
      kind: 'duration',
      range: [1, LONGEST_TIMEOUT_MS],
      default: ({ timeoutMs }) => Math.min(5000, timeoutMs),
      about: { en: 'timeout for connecting', pt: 'tempo limite para conectar' },
    },
    firstByteTimeoutMs: {
      option: 'first-byte-timeout',
      kind: 'duration',
      range: [1, LONGEST_TIMEOUT_MS],
      default: ({ timeoutMs }) => Math.min(8000, timeoutMs),
      about: {
        en: 'timeout from the request to the first byte of the answer',
        pt: 'tempo limite da requisição ao primeiro byte da resposta',
      },
    },
    /** A page is held in memory. */
    maxBodyBytes: {
      option: 'max-body',
      kind: 'size',
      range: [1, 2 ** 28],
      default: 10 * 2 ** 20,
      about: {
        en: 'maximum bytes of a page after decompression; the rest is cut off',
        pt: 'máximo de bytes de uma página após descompressão; o resto é cortado',
      },
    },
    archive: {
      option: 'archive',
      kind: 'choice',
      choices: ['answers', 'pages'],
      value: 'A',
      default: 'answers',
      about: {
        en: 'what to archive: answers (default: every answer, short if it is not a page) or pages (pages, redirects and robots.txt)',
        pt: 'o que arquivar: answers (padrão: toda resposta, abreviada se não for uma página) ou pages (páginas, redirecionamentos e robots.txt)',
      },
    },
    concurrency: {
      option: 'concurrency',
      kind: 'count',
      range: [1, 10_000],
      default: 48,
      whose: 'machine',
      changeable: true,
      about: { en: 'maximum open requests', pt: 'máximo de requisições abertas' },
    },
    /** At most as many as `concurrency`. */
    workers: {
      option: 'workers',
      kind: 'count',
      range: [1, 256],
      default: ({ cores }) => cores,
      whose: 'machine',
      about: { en: 'worker threads', pt: 'threads de trabalho' },
      otherwise: { en: 'the number of cores', pt: 'o número de núcleos' },
    },
  },
  network: {
    /** An entry for the host itself overrides one for subdomains, and a later entry overrides an earlier one. */
    hostSettings: {
      kind: 'hosts',
      default: [],
      holds: 'max-per-host',
      about: { en: 'settings of single hosts', pt: 'configurações de hosts específicos' },
    },
    archiveSecrets: {
      option: 'archive-secrets',
      kind: 'flag',
      default: false,
      whose: 'machine',
      about: {
        en: 'write these headers to the request records of the archive',
        pt: 'guarda esses cabeçalhos nos registros de requisição do arquivo WARC',
      },
    },
    /** Undefined: hosts are contacted directly. */
    proxy: {
      option: 'proxy',
      kind: 'proxy',
      default: undefined,
      whose: 'machine',
      holds: 'address',
      about: {
        en: 'a proxy, http:// or https://; none ignores HTTP_PROXY, HTTPS_PROXY and NO_PROXY',
        pt: 'um proxy, http:// ou https://; none ignora HTTP_PROXY, HTTPS_PROXY e NO_PROXY',
      },
    },
    allowNetworks: {
      option: 'allow-network',
      kind: 'networks',
      default: [],
      whose: 'machine',
      holds: 'address',
      about: {
        en: 'a network that may be contacted although it is not public',
        pt: 'uma rede que pode ser acessada embora não seja pública',
      },
    },
    hosts: {
      option: 'hosts',
      key: 'addresses',
      kind: 'addresses',
      default: new Map(),
      whose: 'machine',
      about: {
        en: 'a file of addresses and names, consulted before DNS',
        pt: 'um arquivo de endereços e nomes, consultado antes do DNS',
      },
    },
    /** Empty: those of the system. */
    dnsServers: {
      option: 'dns',
      kind: 'servers',
      default: [],
      whose: 'machine',
      about: {
        en: "a DNS server instead of the system's, ADDRESS or ADDRESS:PORT",
        pt: 'um servidor DNS em vez do servidor do sistema, ENDEREÇO ou ENDEREÇO:PORTA',
      },
    },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, SettingRow>>>>
