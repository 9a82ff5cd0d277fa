// The pages of docs/api/, as texts by file name.

const ABOUT = {
  index: 'Crawls: start, steer and read them.',
  reading: 'What is made from a crawl: tables, reports; the types of the parts of answers.',
  archive: 'WARC files and WACZ packages.',
  frontier:
    'Which URL is next, when its host may be asked again, every URL ever seen. The contract in prose: [frontier.md](../frontier.md).',
  scheduler: "The assignment's scheduler and its URL rules.",
  robots: 'robots.txt by RFC 9309.',
  extract: 'Links, title and text of a page; sitemaps; URLs of the web.',
}
const MADE = '<!-- Made by `npm run docs:api` from the sources: change those. -->'

export function apiPages(entries, tables) {
  const pages = entries.map(entry => [pageName(entry), entryPage(entry, tables)])
  const events = entries.find(({ name }) => name === 'index').exported.find(({ name }) => name === 'CrawlHappening')
  return new Map([
    ['README.md', indexPage(entries)],
    ...pages,
    ['settings.md', settingsPage(tables)],
    ['events.md', eventsPage(events.code)],
    ['reasons.md', reasonsPage(tables)],
    ['errors.md', errorsPage(tables)],
  ])
}

const importName = ({ name }) => (name === 'index' ? 'escalona' : `escalona/${name}`)
const pageName = ({ name }) => (name === 'index' ? 'escalona.md' : `${name}.md`)

function page(title, ...parts) {
  return `${[`# ${title}`, MADE, ...parts].join('\n\n')}\n`
}

function table(heads, rows) {
  const line = cells => `| ${cells.map(cell => cell.replaceAll('|', '\\|').replace(/\s*\n\s*/g, ' ')).join(' | ')} |`
  return [line(heads), `|${'---|'.repeat(heads.length)}`, ...rows.map(line)].join('\n')
}

function indexPage(entries) {
  const rows = entries.map(entry => [
    `[\`${importName(entry)}\`](${pageName(entry)})`,
    ABOUT[entry.name],
    values(entry)
      .map(({ name }) => `\`${name}\``)
      .join(', ') || '–',
  ])
  return page(
    'API reference',
    'Every name that the package exports, as TypeScript declares it, with its doc comments. How to use them: [programs](../library.md), [reading a crawl](../reading.md), [recipes](../recipes.md).',
    table(['import from', 'what is there', 'functions and classes'], rows),
    [
      '- [Settings](settings.md): the options of `crawl()` and of the command line, with their defaults.',
      '- [Events](events.md): what `onEvent` receives.',
      '- [Reasons](reasons.md): why a link has no page, and what to do about it.',
      '- [Errors](errors.md): the codes of `EscalonaError`, and what they say.',
    ].join('\n'),
  )
}

const titleOf = ({ kind, name }) => (kind === 'class' ? `class ${name}` : name)
const isValue = ({ kind }) => kind === 'function' || kind === 'class' || kind === 'const'
const values = ({ exported }) => exported.filter(isValue)

function entryPage(entry, tables) {
  const byName = (a, b) => (a.name < b.name ? -1 : 1)
  const types = entry.exported.filter(one => !isValue(one)).sort(byName)
  const all = [...values(entry).sort(byName), ...types]
  const anchors = anchorsOf(all)
  const list = some => some.map(one => `[${one.name}](${anchors.get(one.name)})`).join(' · ')
  return page(
    importName(entry),
    ABOUT[entry.name],
    list(values(entry)),
    ...(types.length > 0 ? [`Types: ${list(types)}`] : []),
    ...all.map(one => section(one, anchors, tables)),
  )
}

/** As GitHub makes them: the second heading of the same letters has a number. */
function anchorsOf(all) {
  const anchors = new Map()
  for (const one of all) {
    const anchor = `#${titleOf(one).toLowerCase().replace(' ', '-')}`
    const before = [...anchors.values()].filter(other => other.replace(/-\d+$/, '') === anchor).length
    anchors.set(one.name, before === 0 ? anchor : `${anchor}-${before}`)
  }
  return anchors
}

function section(one, anchors, tables) {
  const { name, about, code } = one
  const linked = about.replace(/`(\w+)`/g, (whole, other) =>
    other !== name && anchors.has(other) ? `[${whole}](${anchors.get(other)})` : whole,
  )
  const shown = { CrawlSettings: settingsCode, UrlHistory: historyCode }[name]?.(tables, code) ?? code
  return [`## ${titleOf(one)}`, linked, `\`\`\`ts\n${shown}\n\`\`\``].filter(Boolean).join('\n\n')
}

const TYPES = {
  agent: 'string',
  contact: 'string',
  flag: 'boolean',
  patterns: 'readonly string[]',
  networks: 'readonly string[]',
  servers: 'readonly string[]',
  certificates: 'readonly string[]',
  addresses: 'ReadonlyMap<string, string>',
  hosts: 'readonly HostSettings[]',
  proxy: 'ProxySettings | undefined',
}

/** The type that the table of settings stands for. */
function settingsCode({ ALL_SETTINGS }) {
  const members = ALL_SETTINGS.map(row => {
    const type = row.choices?.map(one => `'${one}'`).join(' | ') ?? TYPES[row.kind] ?? 'number'
    return `  /** ${sentence(row.about.en)} */\n  readonly ${row.name}: ${type};`
  })
  return `interface CrawlSettings {\n${members.join('\n')}\n}`
}

/** The fields of its shape have descriptions instead of comments. */
function historyCode({ ExplainedUrl }, code) {
  const { properties } = ExplainedUrl.properties.history
  return code.replace(/^ {2}readonly (\w+)/gm, (line, name) => {
    const { description } = properties[name]
    return description === undefined ? line : `  /** ${description} */\n${line}`
  })
}

const sentence = text => `${text[0].toUpperCase()}${text.slice(1)}.`

function settingsPage(tables) {
  const defaults = tables.completeSettings({}, 1, 'VERSION')
  const rows = tables.ALL_SETTINGS.map(row => [
    `\`${row.name}\``,
    row.option === undefined ? '–' : `\`--${row.option}\``,
    sentence(row.about.en),
    valuesOf(row, tables),
    defaultOf(row, defaults[row.name], tables),
    row.changeable ? 'yes' : '',
  ])
  return page(
    'Settings',
    'The settings of a crawl: options of [`crawl()`](escalona.md#crawloptions) by their names, and of the command line and its configuration files by their options. In the library, durations are in milliseconds, sizes in bytes, rates per second, and `Infinity` is no limit; on the command line they have units, and `none` is no limit ([values](../command-line.md#values)).',
    'Those that can be changed while a crawl runs (`change()`, the live page, `escalona change`) are marked in the last column. The others can be changed when it is resumed.',
    table(['name', 'option', 'what it does', 'values', 'default', 'while it runs'], rows),
  )
}

function defaultOf(row, value, tables) {
  if (row.otherwise === undefined) return amount(row, value, tables)
  return value === Infinity ? `no limit: ${row.otherwise.en}` : row.otherwise.en
}

function valuesOf(row, tables) {
  if (row.choices !== undefined) return row.choices.map(one => `\`${one}\``).join(', ')
  if (row.range === undefined) return `\`${TYPES[row.kind]}\``
  const [least, most] = row.range.map(bound => amount(row, bound, tables))
  return most === 'no limit' ? `${row.kind} from ${least}` : `${row.kind}, ${least} to ${most}`
}

function amount({ kind, range }, value, { exactDuration, exactSize, shownCount }) {
  if (value === Infinity) return 'no limit'
  if (kind === 'duration') return exactDuration(value)
  if (kind === 'size') return exactSize(value)
  if (range !== undefined) return value < 1000 ? String(value) : shownCount(value)
  const isNothing = value === undefined || value === '' || value.length === 0 || value.size === 0
  return isNothing ? 'none' : `\`${value}\``
}

/** The variants of the type, each with its comment before it. */
function eventsPage(code) {
  const variants = code.matchAll(
    /\/\*\*(?<about>(?:(?!\*\/)[\s\S])*)\*\/\n(?: \| )?\{\n(?<fields>(?: {2}[^\n]*\n)+)\}/g,
  )
  const sections = [...variants].map(({ groups: { about, fields } }) => {
    const [, kind] = /readonly kind: ([^;]+);/.exec(fields)
    const text = about.replace(/^\s*\* ?/gm, '').trim()
    return [`## ${kind.replaceAll("'", '').replaceAll(' | ', ', ')}`, text, `\`\`\`ts\n{\n${fields}}\n\`\`\``].join(
      '\n\n',
    )
  })
  return page(
    'Events',
    'What `onEvent` of [`crawl()`](escalona.md#crawl) receives, by `kind`; each also has `atMs`, in milliseconds since 1970. The crawl does not wait for its listeners.',
    ...sections,
  )
}

function reasonsPage({ KNOWN_REASONS, aboutReason, aboutUnfollowed, reasonWords }) {
  const known = KNOWN_REASONS.map(name => [name, aboutReason(name)])
  const statuses = ['status-404', 'status-403', 'status-429', 'status-500', 'robots-timeout'].map(name => [
    name,
    aboutReason(name),
  ])
  const unfollowed = Object.keys(reasonWords().unfollowed).map(name => [name, aboutUnfollowed(name)])
  const rows = some =>
    table(
      ['reason', 'class', 'what happened', 'what to do'],
      some.map(([name, one]) => [`\`${name}\``, one.class, one.sentence, one.advice]),
    )
  return page(
    'Reasons',
    'Why a link has no page: what `list`, `explain`, `failures.jsonl` and the report name. `aboutReason(reason)` of [`escalona/reading`](reading.md#aboutreason) returns the same sentences, in the current language.',
    '**held**: a setting of this crawl keeps it out. **refused**: the answer of its host, or its robots.txt. **failed**: an error, after all retries. **not followed**: the link never became known.',
    rows(known),
    'Every status has a reason of its own, and so has every failure of robots.txt; for example:',
    rows(statuses),
    'Links that were not followed are only counted:',
    rows(unfollowed),
  )
}

function errorsPage({ messages }) {
  const byCode = new Map()
  for (const [key, texts] of Object.entries(messages())) {
    const code = key.split('/', 1)[0]
    if (code === code.toUpperCase()) byCode.set(code, [...(byCode.get(code) ?? []), texts])
  }
  const sections = [...byCode]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, all]) => {
      const lines = all.map(([en, pt]) => `- ${plain(en)}\\\n  *${plain(pt)}*`)
      return `## ${code}\n\n${lines.join('\n')}`
    })
  return page(
    'Errors',
    '`EscalonaError` has a `code`, which stays the same in every language, and a `message`, which ends with what to do next. `{…}` is filled in. What a web server or a page did wrong is not an error: it is counted, by its [reason](reasons.md).',
    ...sections,
  )
}

/** A sentence of the table without the forms of its places: `{bytes:count}` as `{bytes}`, `{n?1 line|# lines}` as its plural. */
function plain(text) {
  return text
    .replace(/\{(\w+)\?[^|}]*\|([^}]*)\}/g, (_, name, many) => many.replace('#', `{${name}}`))
    .replace(/\{(\w+):\w+\}/g, '{$1}')
    .replace(/[*_<]/g, '\\$&')
    .replace(/\n/g, ' ')
}
