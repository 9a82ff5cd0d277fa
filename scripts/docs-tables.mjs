// Whole tables of the report, made from the experiment: each is a function from facts and language to Markdown.
import { numberText } from './docs-chapters.mjs'

const SCENARIOS = ['one-host', 'a-host-each', 'many-hosts']
const STRATEGIES = ['depth', 'breadth', 'best']
/** Below this the line through the points explains too little: mostly the time hardly depends on n. */
const GOOD_FIT = 0.9
/** The phases of the 26-URL load, in the order of its file. */
const PHASES = [
  [0, 'ADD_URLS'],
  [5, 'LISTA_HOSTS'],
  [1, 'ESCALONA_TUDO'],
  [7, 'LIMPA_TUDO'],
]

const WORDS = {
  en: {
    command: 'command',
    scenario: 'scenario',
    strategy: 'strategy',
    structure: 'structure',
    list: 'list',
    smallest: 'smallest',
    largest: 'largest',
    accesses: 'accesses',
    distance: 'distance',
  },
  'pt-BR': {
    command: 'comando',
    scenario: 'cenário',
    strategy: 'estratégia',
    structure: 'estrutura',
    list: 'lista',
    smallest: 'menor',
    largest: 'maior',
    accesses: 'acessos',
    distance: 'distância',
  },
}

export const TABLES = {
  /** Every command's exponent, in each scenario with each strategy. */
  growth({ growth }, language) {
    const commands = Object.keys(growth[SCENARIOS[0]][STRATEGIES[0]])
    const pairs = SCENARIOS.flatMap((scenario, i) =>
      STRATEGIES.map(strategy => ({ scenario, strategy, number: i + 1 })),
    )
    const heads = [WORDS[language].command, ...pairs.map(({ strategy, number }) => `${number}, ${strategy}`)]
    const rows = commands.map(command => [
      `\`${command}\``,
      ...pairs.map(({ scenario, strategy }) => {
        const { exponent, r2 } = growth[scenario][strategy][command]
        if (exponent === undefined) return '–'
        const text = numberText(exponent, language, 2)
        return r2 < GOOD_FIT ? `(${text})` : text
      }),
    ])
    return markdownTable(heads, rows)
  },

  /** Nanoseconds for each URL at both ends of the sizes. */
  'per-url'({ growth, sizes }, language) {
    const words = WORDS[language]
    const ends = ['smallest', 'largest']
    const heads = ['ADD_URLS', 'ESCALONA_TUDO'].flatMap(command =>
      ends.map(end => `\`${command}\`, *n* = ${numberText(sizes[end], language)}`),
    )
    const rows = SCENARIOS.flatMap((scenario, i) =>
      STRATEGIES.map(strategy => [
        String(i + 1),
        firstName(strategy),
        ...['ADD_URLS', 'ESCALONA_TUDO'].flatMap(command =>
          ends.map(end => numberText(growth[scenario][strategy][command].nsPerUrl[end], language, 0)),
        ),
      ]),
    )
    return markdownTable([words.scenario, words.strategy, ...heads], rows, 2)
  },

  /** The original's five sizes, in microseconds. */
  'original-times'({ originalFigure }, language) {
    const sizes = originalFigure.depth.points.map(([urls]) => `*n* = ${urls}`)
    const rows = STRATEGIES.map(strategy => [
      firstName(strategy),
      ...originalFigure[strategy].points.map(([, seconds]) => numberText(seconds * 1e6, language, 0)),
    ])
    return markdownTable([WORDS[language].strategy, ...sizes], rows)
  },

  /** Which list each URL of the small load goes to. */
  order({ original: { hostOfEachUrl } }, language) {
    const lists = [...new Set(hostOfEachUrl)].sort((a, b) => a - b)
    const rows = lists.map(list => [
      `${WORDS[language].list} ${list}`,
      ...hostOfEachUrl.map(host => (host === list ? '×' : '')),
    ])
    return markdownTable(['', ...hostOfEachUrl.map((_, i) => String(i + 1))], rows, 1, ':-:')
  },

  /** Accesses and total stack distance of every structure in every phase. */
  distances({ original }, language) {
    const words = WORDS[language]
    const ids = [...new Set(original.totals.map(({ id }) => id))].sort((a, b) => a - b)
    const heads = PHASES.flatMap(([, name]) => [`\`${name}\` ${words.accesses}`, words.distance])
    const rows = ids.map(id => [
      String(id),
      ...PHASES.flatMap(([phase]) => {
        const total = original[`phase${phase}`]?.[`id${id}`]
        return total === undefined
          ? ['', '']
          : [`${total.accesses} (${total.reads}\u00a0+\u00a0${total.writes})`, numberText(total.total, language, 0)]
      }),
    ])
    return markdownTable(['id', ...heads], rows)
  },
}

/** With a hyphen at which no line ends. */
function firstName(strategy) {
  return `${strategy}\u2011first`
}

function markdownTable(heads, rows, words = 1, align = '--:') {
  const line = cells => `| ${cells.join(' | ')} |`
  return [line(heads), line(heads.map((_, i) => (i < words ? '---' : align))), ...rows.map(line)].join('\n')
}
