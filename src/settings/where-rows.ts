import { chance, choice, count, list, NO_LIMIT, type SettingRow } from './setting-row.ts'

/** Which links are followed, and in which order. */
export const WHERE_ROWS = {
  scope: {
    ...choice('scope', 'S', ['any', 'domain', 'host']),
    changeable: true,
    holds: ['scope'],
    judges: 'found',
    label: { en: 'Scope', pt: 'Escopo' },
    about: {
      en: 'which links to follow: any (default), domain (only the domains of the seeds) or host (only their hosts)',
      pt: 'quais links seguir: any (padrão), domain (só os domínios das sementes) ou host (só os hosts delas)',
    },
  },
  /** Links on pages that are not followed are not remembered either. */
  follow: {
    ...choice('follow', 'F', ['links', 'nothing']),
    label: { en: 'What to follow', pt: 'O que seguir' },
    about: {
      en: 'what to follow: links on pages (default), or nothing but seeds, redirects, sitemaps and what a program enqueues',
      pt: 'o que seguir: links nas páginas (links, o padrão), ou nada além de sementes, redirecionamentos, sitemaps e o que um programa enfileira (nothing)',
    },
  },
  sitemaps: {
    option: 'sitemaps',
    kind: 'switch',
    choices: ['no', 'yes'],
    value: 'yes|no',
    default: ({ scope }) => (scope === 'any' ? 'no' : 'yes'),
    label: { en: 'Sitemaps', pt: 'Sitemaps' },
    about: { en: 'read the sitemaps that robots.txt names', pt: 'lê os sitemaps que o robots.txt indica' },
    otherwise: { en: 'with --scope host or domain', pt: 'com --scope host ou domain' },
    no: { en: 'do not read them', pt: 'não os lê' },
  },
  maxDepth: {
    ...count('max-depth', [0, NO_LIMIT], NO_LIMIT),
    changeable: true,
    holds: ['max-depth'],
    judges: 'found',
    label: { en: 'Link depth', pt: 'Profundidade de links' },
    about: { en: 'maximum number of links from a seed', pt: 'número máximo de links a partir de uma semente' },
  },
  maxPerHost: {
    ...count('max-per-host', [1, NO_LIMIT], NO_LIMIT),
    changeable: true,
    holds: ['max-per-host'],
    judges: 'taken',
    label: { en: 'Pages per host', pt: 'Páginas por host' },
    about: { en: 'maximum pages per host', pt: 'máximo de páginas por host' },
  },
  maxHosts: {
    ...count('max-hosts', [1, 2 ** 31 - 1], 5_000_000),
    label: { en: 'Host limit', pt: 'Limite de hosts' },
    about: { en: 'maximum hosts the crawl may know', pt: 'máximo de hosts que a coleta pode conhecer' },
  },
  maxHostsPerDomain: {
    ...count('max-hosts-per-domain', [1, NO_LIMIT], 20_000),
    label: { en: 'Hosts per domain', pt: 'Hosts por domínio' },
    about: { en: 'maximum hosts per registrable domain', pt: 'máximo de hosts por domínio registrável' },
  },
  include: {
    ...list('patterns', 'include', 'P'),
    changeable: true,
    holds: ['include'],
    judges: 'found',
    label: { en: 'Only these URLs', pt: 'Só estas URLs' },
    about: {
      en: 'only URLs that match a pattern, where * matches any text; @NAME: escalona help patterns',
      pt: 'só URLs que casam com um padrão, em que * é qualquer texto; @NOME: escalona help patterns',
    },
  },
  exclude: {
    ...list('patterns', 'exclude', 'P'),
    changeable: true,
    holds: ['exclude'],
    judges: 'found',
    label: { en: 'Not these URLs', pt: 'Exceto estas URLs' },
    about: {
      en: 'no URLs that match this pattern, or a set: @calendars, @sessions, @forums',
      pt: 'nenhuma URL que casa com este padrão, ou conjunto: @calendars, @sessions, @forums',
    },
  },
  loops: {
    option: 'loops',
    kind: 'switch',
    choices: ['no', 'yes'],
    value: 'yes|no',
    default: 'no',
    changeable: true,
    holds: ['host-in-path', 'repeated-pair'],
    judges: 'found',
    label: { en: 'URLs that repeat themselves', pt: 'URLs que se repetem' },
    about: {
      en: 'also URLs whose path repeats their host, or whose query repeats a pair',
      pt: 'também URLs cujo caminho repete o host, ou cuja consulta repete um par',
    },
    otherwise: { en: 'they are kept out', pt: 'ficam de fora' },
    no: { en: 'keep them out', pt: 'deixa-as de fora' },
  },
  language: {
    ...list('languages', 'language', 'L,…'),
    changeable: true,
    judges: 'found',
    label: { en: 'Languages first', pt: 'Idiomas primeiro' },
    about: {
      en: 'links on pages in other languages than these come last: pt,en',
      pt: 'links em páginas em outros idiomas vêm por último: pt,en',
    },
  },
  onlyLanguage: {
    ...list('languages', 'only-language', 'L,…'),
    changeable: true,
    holds: ['language', 'page-language'],
    judges: 'found',
    label: { en: 'Only these languages', pt: 'Só estes idiomas' },
    about: {
      en: 'do not archive pages in other languages than these, nor follow their links',
      pt: 'não arquiva páginas em outros idiomas, nem segue os links delas',
    },
  },
  /** Links of pages that nearly repeat an earlier page of their host: docs/near-duplicates.md. */
  nearDuplicates: {
    ...choice('near-duplicates', 'D', ['hold', 'follow']),
    changeable: true,
    holds: ['near-duplicate'],
    judges: 'found',
    label: { en: 'Links of repeated pages', pt: 'Links de páginas repetidas' },
    about: {
      en: 'links of pages that nearly repeat an earlier page of their host: hold (default) or follow',
      pt: 'links de páginas que quase repetem uma página anterior do host: hold (retém, o padrão) ou follow (segue)',
    },
  },
  /** Hosts with endless new links and few new words: docs/decisions/0033-mazes.md. */
  mazes: {
    ...choice('mazes', 'M', ['slow', 'follow']),
    changeable: true,
    label: { en: 'Mazes', pt: 'Labirintos' },
    about: {
      en: 'hosts with endless new links whose pages bring little that is new: slow (default, up to a minute between requests) or follow',
      pt: 'hosts com links novos sem fim cujas páginas trazem pouco de novo: slow (devagar, o padrão, até um minuto entre requisições) ou follow (segue)',
    },
  },
  maxHeld: {
    ...count('max-held', [0, NO_LIMIT], 1_000_000),
    label: { en: 'Remembered links kept out', pt: 'Links retidos lembrados' },
    about: {
      en: 'how many links kept out by a setting to remember, in case it changes',
      pt: 'links retidos por uma configuração que são lembrados caso ela mude',
    },
  },
  strategy: {
    ...choice('strategy', 'S', ['explore', 'depth', 'breadth', 'best', 'important']),
    short: 'e',
    changeable: true,
    label: { en: 'Strategy', pt: 'Estratégia' },
    about: {
      en: 'which host comes next: explore (default), depth, breadth, best or important',
      pt: 'qual host vem a seguir: explore (padrão), depth, breadth, best ou important',
    },
  },
  /** Of links that are found from now on. */
  rank: {
    ...choice('rank', 'R', ['depth', 'inherited']),
    changeable: true,
    label: { en: 'Order within a host', pt: 'Ordem dentro do host' },
    about: {
      en: 'which link of a host comes next: depth (default: short paths first) or inherited (links of important pages first)',
      pt: 'qual link de um host vem a seguir: depth (padrão: caminhos curtos primeiro) ou inherited (links de páginas importantes primeiro)',
    },
  },
  prefer: {
    ...list('patterns', 'prefer', 'P'),
    changeable: true,
    label: { en: 'These URLs first', pt: 'Estas URLs primeiro' },
    about: {
      en: 'URLs that match this pattern come before all others of their host',
      pt: 'URLs que casam com este padrão vêm antes de todas as outras do host',
    },
  },
  defer: {
    ...list('patterns', 'defer', 'P'),
    changeable: true,
    label: { en: 'These URLs last', pt: 'Estas URLs por último' },
    about: {
      en: 'URLs that match this pattern come after all others of their host',
      pt: 'URLs que casam com este padrão vêm depois de todas as outras do host',
    },
  },
  /** With the strategy `explore`. */
  exploreChance: {
    ...chance('explore', [0, 1], 0.7),
    changeable: true,
    label: { en: 'Chance of a new domain', pt: 'Chance de um domínio novo' },
    about: {
      en: 'chance of choosing a domain that was never visited',
      pt: 'probabilidade de escolher um domínio nunca visitado',
    },
  },
  seed: {
    ...count('seed', [0, Number.MAX_SAFE_INTEGER], 1),
    label: { en: 'Random seed', pt: 'Semente aleatória' },
    about: {
      en: 'for random choices: the same seed makes the same choices',
      pt: 'das escolhas aleatórias: mesma semente, mesmas escolhas',
    },
  },
} as const satisfies Readonly<Record<string, SettingRow>>
