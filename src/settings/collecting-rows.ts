import type { StrategyName } from '../scheduler/strategy.ts'
import { MONTH_MS, NO_LIMIT, type SettingRow } from './setting-row.ts'

/** What is collected, and how gently, in the groups and the order of the help page. */
export const COLLECTING = {
  what: {
    /** In the life of the folder. */
    limit: {
      option: 'limit',
      short: 'n',
      kind: 'count',
      range: [1, NO_LIMIT],
      default: NO_LIMIT,
      changeable: true,
      about: { en: 'stop after this many archived pages', pt: 'termina após este número de páginas arquivadas' },
      otherwise: { en: 'when nothing is left', pt: 'quando nada mais resta' },
    },
    maxTimeMs: {
      option: 'max-time',
      kind: 'duration',
      range: [1, NO_LIMIT],
      default: NO_LIMIT,
      whose: 'machine',
      about: { en: 'stop this run after this time', pt: 'encerra esta execução após esse tempo' },
    },
    /** Of all WARC files in the folder. */
    maxArchiveBytes: {
      option: 'max-bytes',
      kind: 'size',
      range: [1, NO_LIMIT],
      default: NO_LIMIT,
      whose: 'machine',
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
      kind: 'contact',
      default: '',
      about: {
        en: 'a URL or email address for the people who run the hosts; added to the User-Agent',
        pt: 'uma URL ou e-mail para quem administra os hosts; acrescentado ao User-Agent',
      },
    },
    delayMs: {
      option: 'delay',
      kind: 'duration',
      range: [0, MONTH_MS],
      default: 100,
      changeable: true,
      about: {
        en: 'minimum time between two requests to a host',
        pt: 'tempo mínimo entre duas requisições a um host',
      },
    },
    /** Its first word, up to a slash, is matched against robots.txt. */
    userAgent: {
      option: 'user-agent',
      kind: 'agent',
      default: ({ version, contact }) =>
        `escalona/${version} (+${contact === '' ? 'https://github.com/escalona/escalona' : contact})`,
      holds: 'robots',
      about: {
        en: 'the User-Agent; its first word is matched against robots.txt',
        pt: 'o User-Agent; o robots.txt nos conhece pela primeira palavra',
      },
    },
    serverDelayMs: {
      option: 'server-delay',
      kind: 'duration',
      range: [0, MONTH_MS],
      default: ({ delayMs }) => delayMs / 4,
      changeable: true,
      about: {
        en: 'minimum time between two requests to an IP address, across all its hosts',
        pt: 'tempo mínimo entre duas requisições a um endereço IP, somando seus hosts',
      },
      otherwise: { en: 'a quarter of --delay', pt: 'um quarto de --delay' },
    },
    perServer: {
      option: 'per-server',
      kind: 'count',
      range: [1, 10_000],
      default: 4,
      changeable: true,
      about: {
        en: 'maximum open requests per IP address, across all its hosts',
        pt: 'máximo de requisições abertas por endereço IP, somando seus hosts',
      },
    },
    maxRequestsPerSecond: {
      option: 'max-rate',
      kind: 'rate',
      range: [0.001, NO_LIMIT],
      default: NO_LIMIT,
      whose: 'machine',
      changeable: true,
      about: { en: 'maximum requests in total, such as 200/s', pt: 'máximo de requisições no total, como 200/s' },
    },
    retries: {
      option: 'retries',
      kind: 'count',
      range: [0, 100],
      default: 3,
      about: {
        en: 'how many times to retry a failed request',
        pt: 'quantas vezes uma requisição que falhou é refeita',
      },
    },
  },
  where: {
    scope: {
      option: 'scope',
      kind: 'choice',
      choices: ['any', 'domain', 'host'],
      default: 'any',
      changeable: true,
      holds: 'scope',
      judges: 'found',
      about: {
        en: 'which links to follow: any (default), domain (only the domains of the seeds) or host (only their hosts)',
        pt: 'quais links seguir: any (padrão), domain (só os domínios das sementes) ou host (só os hosts delas)',
      },
    },
    sitemaps: {
      option: 'sitemaps',
      kind: 'switch',
      choices: ['no', 'yes'],
      value: 'yes|no',
      default: ({ scope }) => (scope === 'any' ? 'no' : 'yes'),
      about: { en: 'read the sitemaps that robots.txt names', pt: 'lê os sitemaps que o robots.txt indica' },
      otherwise: { en: 'with --scope host or domain', pt: 'com --scope host ou domain' },
      no: { en: 'do not read them', pt: 'não os lê' },
    },
    maxDepth: {
      option: 'max-depth',
      kind: 'count',
      range: [0, NO_LIMIT],
      default: NO_LIMIT,
      changeable: true,
      holds: 'max-depth',
      judges: 'found',
      about: { en: 'maximum number of links from a seed', pt: 'número máximo de links a partir de uma semente' },
    },
    maxPerHost: {
      option: 'max-per-host',
      kind: 'count',
      range: [1, NO_LIMIT],
      default: NO_LIMIT,
      changeable: true,
      holds: 'max-per-host',
      judges: 'taken',
      about: { en: 'maximum pages per host', pt: 'máximo de páginas por host' },
    },
    maxHosts: {
      option: 'max-hosts',
      kind: 'count',
      range: [1, 2 ** 31 - 1],
      default: 5_000_000,
      about: { en: 'maximum hosts the crawl may know', pt: 'máximo de hosts que a coleta pode conhecer' },
    },
    maxHostsPerDomain: {
      option: 'max-hosts-per-domain',
      kind: 'count',
      range: [1, NO_LIMIT],
      default: 20_000,
      about: { en: 'maximum hosts per registrable domain', pt: 'máximo de hosts por domínio registrável' },
    },
    include: {
      option: 'include',
      kind: 'patterns',
      default: [],
      changeable: true,
      holds: 'include',
      judges: 'found',
      about: {
        en: 'only URLs that match a pattern, where * matches any text',
        pt: 'só URLs que casam com um padrão, em que * é qualquer texto',
      },
    },
    exclude: {
      option: 'exclude',
      kind: 'patterns',
      default: [],
      changeable: true,
      holds: 'exclude',
      judges: 'found',
      about: { en: 'no URLs that match this pattern', pt: 'nenhuma URL que casa com este padrão' },
    },
    maxHeld: {
      option: 'max-held',
      kind: 'count',
      range: [0, NO_LIMIT],
      default: 1_000_000,
      about: {
        en: 'how many links kept out by a setting to remember, in case it changes',
        pt: 'links retidos por uma configuração que são lembrados caso ela mude',
      },
    },
    strategy: {
      option: 'strategy',
      short: 'e',
      kind: 'choice',
      choices: ['explore', 'depth', 'breadth', 'best'] satisfies readonly (StrategyName | 'explore')[],
      default: 'explore',
      changeable: true,
      about: {
        en: 'which host comes next: explore (default), depth, breadth or best',
        pt: 'qual host vem a seguir: explore (padrão), depth, breadth ou best',
      },
    },
    /** With the strategy `explore`. */
    exploreChance: {
      option: 'explore',
      kind: 'chance',
      range: [0, 1],
      default: 0.7,
      changeable: true,
      about: {
        en: 'chance of choosing a domain that was never visited',
        pt: 'probabilidade de escolher um domínio nunca visitado',
      },
    },
    seed: {
      option: 'seed',
      kind: 'count',
      range: [0, Number.MAX_SAFE_INTEGER],
      default: 1,
      about: {
        en: 'for random choices: the same seed makes the same choices',
        pt: 'das escolhas aleatórias: mesma semente, mesmas escolhas',
      },
    },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, SettingRow>>>>
