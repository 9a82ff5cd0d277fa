import {
  choice,
  count,
  DAY_MS,
  duration,
  list,
  MONTH_MS,
  NO_LIMIT,
  rate,
  type SettingRow,
  size,
} from './setting-row.ts'
import { WHERE_ROWS } from './where-rows.ts'

const TEN_YEARS_MS = 3653 * DAY_MS
/** A request must end before its lease does. */
const LONGEST_TIMEOUT_MS = 5 * 60_000

/** The rows in the groups of the help page, in the order in which they are shown. */
export const SETTING_GROUPS = {
  what: {
    /** In the life of the folder. */
    limit: {
      ...count('limit', [1, NO_LIMIT], NO_LIMIT),
      short: 'n',
      changeable: true,
      label: { en: 'Page limit', pt: 'Limite de páginas' },
      about: { en: 'stop after this many archived pages', pt: 'termina após este número de páginas arquivadas' },
      otherwise: { en: 'when nothing is left', pt: 'quando nada mais resta' },
    },
    maxTimeMs: {
      ...duration('max-time', [1, NO_LIMIT], NO_LIMIT),
      whose: 'machine',
      isOfRun: true,
      label: { en: 'Time limit', pt: 'Limite de tempo' },
      about: { en: 'stop this run after this time', pt: 'encerra esta execução após esse tempo' },
    },
    /** Of all WARC files in the folder. */
    maxArchiveBytes: {
      ...size('max-bytes', [1, NO_LIMIT], NO_LIMIT),
      whose: 'machine',
      label: { en: 'Archive size limit', pt: 'Limite de tamanho do arquivo' },
      about: {
        en: 'stop when the archive reaches this size',
        pt: 'encerra quando o arquivo WARC chega a esse tamanho',
      },
    },
  },
  politeness: {
    /** Empty: none. */
    contact: {
      option: 'contact',
      value: 'C',
      kind: 'contact',
      default: '',
      label: { en: 'Contact', pt: 'Contato' },
      about: {
        en: 'a URL or email address for the people who run the hosts; added to the User-Agent',
        pt: 'uma URL ou e-mail para quem administra os hosts; acrescentado ao User-Agent',
      },
    },
    delayMs: {
      ...duration('delay', [0, MONTH_MS], 1000),
      changeable: true,
      label: { en: 'Delay per host', pt: 'Intervalo por host' },
      about: {
        en: 'minimum time between two requests to a host; the assignment asks for 100ms',
        pt: 'tempo mínimo entre duas requisições a um host; o trabalho pede 100ms',
      },
    },
    /** Its first word, up to a slash, is matched against robots.txt. */
    userAgent: {
      option: 'user-agent',
      value: 'U',
      kind: 'agent',
      default: ({ version, contact }) =>
        `escalona/${version} (+${contact === '' ? 'https://github.com/escalona/escalona' : contact})`,
      holds: ['robots'],
      label: { en: 'User-Agent', pt: 'User-Agent' },
      about: {
        en: 'the User-Agent; its first word is matched against robots.txt',
        pt: 'o User-Agent; o robots.txt nos conhece pela primeira palavra',
      },
    },
    serverDelayMs: {
      ...duration('server-delay', [0, MONTH_MS], ({ delayMs }) => delayMs / 4),
      changeable: true,
      label: { en: 'Delay per server', pt: 'Intervalo por servidor' },
      about: {
        en: 'minimum time between two requests to an IP address, across all its hosts',
        pt: 'tempo mínimo entre duas requisições a um endereço IP, somando seus hosts',
      },
      otherwise: { en: 'a quarter of --delay', pt: 'um quarto de --delay' },
    },
    perServer: {
      ...count('per-server', [1, 10_000], 4),
      changeable: true,
      label: { en: 'Open requests per server', pt: 'Requisições abertas por servidor' },
      about: {
        en: 'maximum open requests per IP address, across all its hosts',
        pt: 'máximo de requisições abertas por endereço IP, somando seus hosts',
      },
    },
    maxRequestsPerSecond: {
      ...rate('max-rate', [0.001, NO_LIMIT], NO_LIMIT),
      whose: 'machine',
      changeable: true,
      label: { en: 'Request rate limit', pt: 'Limite de requisições por segundo' },
      about: { en: 'maximum requests in total, such as 200/s', pt: 'máximo de requisições no total, como 200/s' },
    },
    retries: {
      ...count('retries', [0, 100], 3),
      label: { en: 'Retries', pt: 'Novas tentativas' },
      about: {
        en: 'how many times to retry a failed request',
        pt: 'quantas vezes uma requisição que falhou é refeita',
      },
    },
  },
  where: WHERE_ROWS,
  again: {
    /** `yes`: again and again until the crawl is stopped. `due`: until nothing is due any more. `now`: all are due, then `due` in later runs. */
    recrawl: {
      option: 'recrawl',
      kind: 'switch',
      choices: ['no', 'yes', 'due', 'now'],
      value: 'due|now',
      default: 'no',
      label: { en: 'Visit pages again', pt: 'Visitar páginas de novo' },
      about: {
        en: 'visit pages again, each at its own interval, until stopped; due: until nothing is due any more; now: all pages once, due or not',
        pt: 'visita as páginas de novo, cada uma no seu intervalo, até ser interrompida; due: até nada mais estar vencido; now: todas uma vez, vencidas ou não',
      },
      no: { en: 'visit no page again (default)', pt: 'não visita nenhuma página de novo (padrão)' },
    },
    recrawlFor: {
      ...choice('recrawl-for', 'freshness|changes', ['freshness', 'changes']),
      changeable: true,
      label: { en: 'Visit again for', pt: 'Visitar de novo para' },
      about: {
        en: 'freshness: the archive equals the web as far as possible; changes: it has as many versions as possible',
        pt: 'freshness: o acervo fica tão igual à Web quanto possível; changes: fica com tantas versões quanto possível',
      },
    },
    recrawlOnly: {
      ...list('patterns', 'recrawl-only', 'P'),
      isOfRun: true,
      label: { en: 'Visit only these again', pt: 'Visitar de novo só estas' },
      about: {
        en: 'in this run, visit only these pages again: a host, or a pattern of URLs; repeatable',
        pt: 'nesta execução, visita de novo só estas páginas: um host, ou um padrão de URLs; pode ser repetida',
      },
    },
    recrawlFirstMs: {
      ...duration('recrawl-first', [1, TEN_YEARS_MS], DAY_MS),
      changeable: true,
      label: { en: 'Time to the second visit', pt: 'Tempo até a segunda visita' },
      about: {
        en: 'time from the first visit of a page to the second',
        pt: 'tempo entre a primeira e a segunda visita a uma página',
      },
    },
    recrawlMinMs: {
      ...duration('recrawl-min', [1, TEN_YEARS_MS], DAY_MS / 24),
      changeable: true,
      label: { en: 'Shortest time between visits', pt: 'Menor tempo entre visitas' },
      about: { en: 'shortest time between two visits of a page', pt: 'menor tempo entre duas visitas a uma página' },
    },
    recrawlMaxMs: {
      ...duration('recrawl-max', [1, TEN_YEARS_MS], 90 * DAY_MS),
      changeable: true,
      label: { en: 'Longest time between visits', pt: 'Maior tempo entre visitas' },
      about: { en: 'longest time between two visits of a page', pt: 'maior tempo entre duas visitas a uma página' },
    },
    recrawlFull: {
      ...count('recrawl-full', [1, 1_000_000], 10),
      changeable: true,
      label: { en: 'Whole page every Nth visit', pt: 'Página inteira a cada N visitas' },
      about: {
        en: 'ask for the whole page at every Nth visit, whatever the server says',
        pt: 'pede a página inteira a cada N visitas, não importa o que o servidor diga',
      },
    },
    dedup: {
      ...count('dedup', [0, 100_000_000], 0),
      label: { en: 'Duplicate bodies', pt: 'Corpos repetidos' },
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
      ...duration('timeout', [1, LONGEST_TIMEOUT_MS], 10_000),
      label: { en: 'Request timeout', pt: 'Tempo limite da requisição' },
      about: { en: 'timeout of a whole request', pt: 'tempo limite de uma requisição inteira' },
    },
    /** Including TLS. */
    connectTimeoutMs: {
      ...duration('connect-timeout', [1, LONGEST_TIMEOUT_MS], ({ timeoutMs }) => Math.min(5000, timeoutMs)),
      label: { en: 'Connection timeout', pt: 'Tempo limite da conexão' },
      about: { en: 'timeout for connecting', pt: 'tempo limite para conectar' },
    },
    firstByteTimeoutMs: {
      ...duration('first-byte-timeout', [1, LONGEST_TIMEOUT_MS], ({ timeoutMs }) => Math.min(8000, timeoutMs)),
      label: { en: 'First byte timeout', pt: 'Tempo limite do primeiro byte' },
      about: {
        en: 'timeout from the request to the first byte of the answer',
        pt: 'tempo limite da requisição ao primeiro byte da resposta',
      },
    },
    /** A page is held in memory. */
    maxBodyBytes: {
      ...size('max-body', [1, 2 ** 28], 10 * 2 ** 20),
      label: { en: 'Page size limit', pt: 'Limite de tamanho da página' },
      about: {
        en: 'maximum bytes of a page after decompression; the rest is cut off',
        pt: 'máximo de bytes de uma página após descompressão; o resto é cortado',
      },
    },
    archive: {
      ...choice('archive', 'A', ['answers', 'pages']),
      label: { en: 'What is archived', pt: 'O que é arquivado' },
      about: {
        en: 'what to archive: answers (default: every answer, short if it is not a page) or pages (pages, redirects and robots.txt)',
        pt: 'o que arquivar: answers (padrão: toda resposta, abreviada se não for uma página) ou pages (páginas, redirecionamentos e robots.txt)',
      },
    },
    concurrency: {
      ...count('concurrency', [1, 10_000], 48),
      whose: 'machine',
      changeable: true,
      label: { en: 'Open requests', pt: 'Requisições abertas' },
      about: { en: 'maximum open requests', pt: 'máximo de requisições abertas' },
    },
    /** At most as many as `concurrency`. */
    workers: {
      ...count('workers', [1, 256], ({ cores }) => cores),
      whose: 'machine',
      label: { en: 'Worker threads', pt: 'Threads de trabalho' },
      about: { en: 'worker threads', pt: 'threads de trabalho' },
      otherwise: { en: 'the number of cores', pt: 'o número de núcleos' },
    },
  },
  network: {
    /** An entry for the host itself overrides one for subdomains, and a later entry overrides an earlier one. */
    hostSettings: {
      kind: 'hosts',
      default: [],
      holds: ['max-per-host'],
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
      value: 'URL',
      kind: 'proxy',
      default: undefined,
      whose: 'machine',
      holds: ['address'],
      about: {
        en: 'a proxy, http:// or https://; none ignores HTTP_PROXY, HTTPS_PROXY and NO_PROXY',
        pt: 'um proxy, http:// ou https://; none ignora HTTP_PROXY, HTTPS_PROXY e NO_PROXY',
      },
    },
    allowNetworks: {
      ...list('networks', 'allow-network', 'CIDR'),
      whose: 'machine',
      holds: ['address'],
      label: { en: 'Allowed networks', pt: 'Redes permitidas' },
      about: {
        en: 'a network that may be contacted although it is not public',
        pt: 'uma rede que pode ser acessada embora não seja pública',
      },
    },
    hosts: {
      option: 'hosts',
      value: 'F',
      key: 'addresses',
      kind: 'addresses',
      default: new Map(),
      whose: 'machine',
      label: { en: 'Addresses of hosts', pt: 'Endereços de hosts' },
      about: {
        en: 'a file of addresses and names, consulted before DNS',
        pt: 'um arquivo de endereços e nomes, consultado antes do DNS',
      },
    },
    /** Empty: those of the system. */
    dnsServers: {
      ...list('servers', 'dns', 'A'),
      whose: 'machine',
      label: { en: 'DNS servers', pt: 'Servidores DNS' },
      about: {
        en: "a DNS server instead of the system's, ADDRESS or ADDRESS:PORT",
        pt: 'um servidor DNS em vez do servidor do sistema, ENDEREÇO ou ENDEREÇO:PORTA',
      },
    },
    /** Trusted besides those that Node trusts; of hosts and of proxies. */
    ca: {
      option: 'ca',
      value: 'F',
      key: 'certificates',
      kind: 'certificates',
      default: [],
      whose: 'machine',
      holds: ['tls-self-signed', 'tls-unknown-issuer'],
      label: { en: 'Certificate authorities', pt: 'Autoridades certificadoras' },
      about: {
        en: 'a file of certificates (PEM) that are trusted besides the usual ones; none: no more',
        pt: 'um arquivo de certificados (PEM) aceitos além dos usuais; none: nenhum mais',
      },
    },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, SettingRow>>>>
