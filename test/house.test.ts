// The rules of the house: who may import whom, who may touch the world, and how files are called.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

/** A room may import itself and the rooms above it. */
const ROOMS = [
  'base',
  'charts',
  'url',
  'scheduler',
  'script',
  'generate',
  'analysis',
  'frontier',
  'robots',
  'sitemap',
  'fetch',
  'extract',
  'archive',
  'audit',
  'settings',
  'folder',
  'decide',
  'visit',
  'run',
  'search',
  'view',
  'library',
  'export',
  'simulate',
  'report',
  'replay',
  'server',
  'cli',
]
/** Rooms that do no input and output, and the modules of Node that do none either. */
const PURE_ROOMS = ['url', 'scheduler', 'robots', 'sitemap', 'extract', 'settings', 'decide', 'report']
/** Rooms with code in WebAssembly, which they read from beside them. */
const HAVE_KERNELS = ['url', 'scheduler']
const PURE_MODULES = ['buffer', 'module', 'string_decoder', 'timers/promises', 'url', 'util', 'zlib'].map(
  name => `node:${name}`,
)
/** All that the server may know of a crawl, and of the reading room. */
const DOORS: Readonly<Record<string, readonly string[]>> = {
  'server view': [
    'view/crawl-list.ts',
    'view/crawl-view.ts',
    ...['questions', 'shape'].map(name => `view/questions/${name}.ts`),
    ...['action', 'crawl', 'host', 'link', 'page', 'explained'].map(name => `view/questions/${name}-shapes.ts`),
  ],
  'server folder': [],
  'server decide': [],
  'server visit': [],
  'server run': [],
  'server library': [],
  'server replay': ['replay/rewrite/at-path.ts', 'replay/reading-room.ts'],
}
/** Who may have texts in two languages: the messages, and the edges where people read. */
const HAVE_TEXTS = ['base/', 'charts/', 'report/', 'replay/', 'server/', 'cli/']
/** Outside of these, texts that several edges share, each with its reason to be there. */
const SHARED_TEXTS = [
  'analysis/picture-words.ts',
  'folder/config-file.ts',
  ...['setting-row', 'reason-words', 'unfollowed-words'].map(name => `settings/${name}.ts`),
  ...['crawl-view', 'history-lines', 'shown-answers', 'status'].map(name => `view/${name}.ts`),
  ...['indexes/outcome-index', 'process/run-memory', 'process/planned-visits', 'process/waiting-for'].map(
    name => `view/${name}.ts`,
  ),
  ...['questions/frontier-answers', 'questions/questions', 'stores/frontier-store'].map(name => `view/${name}.ts`),
]
const MOST_LINES = 400
const NO_NAMES = ['utils.ts', 'common.ts', 'types.ts', 'helpers.ts']

/** What only one room may do. */
const PRIVILEGES: readonly { readonly room: string; readonly what: string; readonly pattern: RegExp }[] = [
  { room: 'base', what: 'asks for the time', pattern: /\bDate\.now\b|\bperformance\.|\bhrtime\b/ },
  { room: 'base', what: 'asks for the date', pattern: /\bnew\s+Date\b(?!\s*\(\s*[^)\s])|(?<!new\s+)\bDate\(/ },
  { room: 'base', what: 'leaves something to chance', pattern: /\bMath\.random\b|\brandom(?:Bytes|Int|UUID)\b/ },
  { room: 'cli', what: 'reads arguments or environment', pattern: /\bprocess\.(?:argv|env)\b/ },
  { room: 'cli', what: 'prints', pattern: /\bprocess\.(?:stdout|stderr)\b|\bconsole\./ },
]

/** What is wrong with a file of src/; `path` begins behind `src/`. */
function complaints(path: string, text: string): string[] {
  const code = withoutComments(text)
  const isEntryPoint = !path.includes('/')
  const found = [...namingComplaints(path), ...(isEntryPoint ? entryComplaints(code) : [])]
  if (text.split('\n').length - 1 >= MOST_LINES) found.push(`has ${MOST_LINES} lines or more`)
  const [room = ''] = path.split('/')
  if (!isEntryPoint) {
    if (!ROOMS.includes(room)) return [...found, `is in a room that nobody knows: ${room}`]
    found.push(...importsOf(code).flatMap(target => importComplaint(path, target, code) ?? []))
    if (PURE_ROOMS.includes(room) && /(?<![.\w])(?:fetch|WebSocket)\s*\(/.test(code)) found.push('asks the web')
  }
  for (const { room: privileged, what, pattern } of PRIVILEGES) {
    if (room !== privileged && pattern.test(code)) found.push(`${what}; only ${privileged} may`)
  }
  return found
}

function namingComplaints(path: string): string[] {
  return NO_NAMES.includes(posix.basename(path)) ? ['has a name that says nothing'] : []
}

/** The entry points of the library, the files outside of all rooms, hand out what the rooms make, and do nothing themselves. */
function entryComplaints(code: string): string[] {
  const rest = code.replace(/\bexport\s+(?:type\s+)?(?:\{[^}]*\}|\*(?:\s+as\s+\w+)?)\s+from\s+'[^']+'\s*;?/g, '')
  return rest.trim() === '' ? [] : [`does more than export from rooms: ${rest.trim().slice(0, 40)}`]
}

function importComplaint(path: string, target: string, code: string): string | undefined {
  const [room = ''] = path.split('/')
  if (!target.startsWith('.')) {
    if (!PURE_ROOMS.includes(room) || PURE_MODULES.includes(target)) return undefined
    if (HAVE_KERNELS.includes(room) && target === 'node:fs' && readsOnlyItsKernel(code)) return undefined
    return target.startsWith('node:') || NODE_MODULES.test(target) ? `is pure and imports ${target}` : undefined
  }
  const resolved = posix.join(posix.dirname(path), target)
  if (resolved.startsWith('..')) return `imports ${target}, which is not in src`
  const other = resolved.split('/')[0]!
  if (!ROOMS.includes(other)) return `imports ${target}, which is in no room`
  if (ROOMS.indexOf(other) > ROOMS.indexOf(room)) return `is in ${room} and imports ${other}, further down`
  if (resolved === 'base/words/language.ts' && !mayHaveTexts(path)) return 'has texts; use a message of base/messages/'
  const doors = DOORS[`${room} ${other}`]
  return doors === undefined || doors.includes(resolved) ? undefined : `is in ${room} and imports ${resolved}`
}

function mayHaveTexts(path: string): boolean {
  return HAVE_TEXTS.some(folder => path.startsWith(folder)) || SHARED_TEXTS.includes(path)
}

/** Modules of Node under their old names. */
const NODE_MODULES = /^(?:fs|net|tls|http|https|http2|dns|dgram|child_process|worker_threads|cluster|os)(?:\/|$)/

/** True when of all that node:fs offers only readFileSync is used, and only for a .wasm beside the file. */
function readsOnlyItsKernel(code: string): boolean {
  const names = [...code.matchAll(/import\s+([^;]*?)\s+from\s+'node:fs'/g)].map(match => match[1])
  const reads = code.match(/\breadFileSync\s*\(/g)?.length ?? 0
  const kernels = code.match(/\breadFileSync\s*\(\s*new URL\('\.\/[\w-]+\.wasm', import\.meta\.url\)/g)?.length ?? 0
  return names.every(name => name === '{ readFileSync }') && reads === kernels
}

/** What a file imports or exports from, statically or not. */
function importsOf(code: string): string[] {
  const pattern = /\bfrom\s*(['"])(.+?)\1|\bimport\s*\(?\s*(['"])(.+?)\3|\brequire\s*\(\s*(['"])(.+?)\5/g
  return [...code.matchAll(pattern)].map(match => match[2] ?? match[4] ?? match[6]!)
}

/** Strings stay: a call inside a template is a call. */
function withoutComments(text: string): string {
  const pattern = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g
  return text.replace(pattern, part => (part.startsWith('/*') || part.startsWith('//') ? ' ' : part))
}

/** What nobody else's machine has: our shared folder (not a room of this name), and absolute paths. */
function strangePaths(text: string): string[] {
  const pattern = /(?<!from ')\.\.\/shared\b|(?<![\w.)-])\/(?:work|root)\//g
  return text.match(pattern) ?? []
}

/** The repository; this file is compiled to build/test/. */
const ROOT = fileURLToPath(new URL('../..', import.meta.url))

function filesUnder(folder: string): string[] {
  if (!existsSync(join(ROOT, folder))) return []
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(ROOT.length))
    .map(path => path.replaceAll('\\', '/'))
}

function textOf(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

test('ours: every file of src keeps the rules of the house', () => {
  const files = filesUnder('src').filter(path => /\.tsx?$/.test(path))
  assert.ok(files.length > 30, `only ${files.length} files were found`)
  const found = files.flatMap(path =>
    complaints(path.slice('src/'.length), textOf(path)).map(what => `${path} ${what}`),
  )
  assert.deepEqual(found, [])
})

test('ours: no folders import each other in a circle, at any depth', () => {
  const printed = execFileSync(process.execPath, ['scripts/house.mjs'], { cwd: ROOT, encoding: 'utf8' })
  const { circles, files } = JSON.parse(printed) as { circles: string[][]; files: number }
  assert.ok(files > 300, `only ${files} files were found`)
  assert.deepEqual(circles, [])
})

test('ours: no file reads what only our machine has', () => {
  const folders = ['src', 'test', 'bench', 'scripts', 'examples', 'docs', '.ci'].flatMap(filesUnder)
  const beside = readdirSync(ROOT).filter(name => /\.(?:md|json)$/.test(name))
  const files = [...folders, ...beside].filter(path => /\.(?:ts|mjs|js|json|md|cpp|txt|html)$|\/run$/.test(path))
  assert.ok(files.length > 60, `only ${files.length} files were found`)
  const found = files.flatMap(path => strangePaths(textOf(path)).map(what => `${path}: ${what}`))
  assert.deepEqual(found, [])
})

test('ours: the lock file names no place to download from', () => {
  const { packages } = JSON.parse(textOf('package-lock.json')) as { packages: Record<string, { resolved?: string }> }
  assert.ok(Object.keys(packages).length > 3)
  assert.deepEqual(
    Object.entries(packages).filter(([, one]) => one.resolved !== undefined),
    [],
  )
})

test('ours: names that say nothing are in no folder', () => {
  const files = ['src', 'test', 'bench', 'scripts', 'examples'].flatMap(filesUnder)
  assert.deepEqual(
    files.filter(path => namingComplaints(path.replace(/\.m?js$/, '.ts')).length > 0),
    [],
  )
})

function accepts(path: string, text: string): void {
  assert.deepEqual(complaints(path, text), [], `${path}: ${text}`)
}

function objects(path: string, text: string, to: RegExp): void {
  const found = complaints(path, text)
  assert.ok(found.length === 1 && to.test(found[0]!), `${path}: ${text.slice(0, 80)}: ${JSON.stringify(found)}`)
}

test('house: a room imports itself and the rooms above it', () => {
  accepts('scheduler/core.ts', "import { a } from '../url/classic.ts'\nimport type { b } from './hosts.ts'")
  accepts('cli/main.ts', "import { a } from '../server/api.ts'\nexport * from '../base/errors.ts'")
  accepts('frontier/redis/queue.ts', "import { a } from '../local/log.ts'\nimport { b } from '../../base/heap.ts'")
  objects('url/classic.ts', "import { a } from '../scheduler/core.ts'", /is in url and imports scheduler/)
  objects('base/errors.ts', "import type { a } from '../url/classic.ts'", /is in base and imports url/)
  objects('scheduler/core.ts', "const a = await import('../script/run.ts')", /imports script/)
  objects('scheduler/core.ts', "import '../cli/main.ts'", /imports cli/)
  objects('robots/match.ts', "export { a } from '../fetch/client.ts'", /imports fetch/)
  objects('frontier/redis/queue.ts', "import {\n  a,\n  b,\n} from '../../visit/visit.ts'", /imports visit/)
  objects('frontier/redis/queue.ts', 'import { a } from "../../visit/visit.ts"', /imports visit/)
})

test('house: the server knows of a crawl what its view says, and nothing else', () => {
  accepts('server/api/app.ts', "import type { View } from '../../view/questions/questions.ts'")
  accepts('server/ui-thread.ts', "import { CrawlView } from '../view/crawl-view.ts'")
  objects('server/app.ts', "import type { a } from '../view/listed.ts'", /is in server and imports view\/listed/)
  objects('server/app.ts', "const a = await import('../run/session.ts')", /is in server and imports run\/session/)
})

test('house: only messages and edges have texts', () => {
  const text = "import { catalogue } from '../base/words/language.ts'"
  accepts('cli/words.ts', text)
  objects('fetch/words.ts', text, /has texts; use a message/)
  objects('settings/words.ts', text, /has texts; use a message/)
})

test('house: rooms have known names, and nothing lies beside them or is fetched from outside', () => {
  objects('attic/old.ts', '', /a room that nobody knows: attic/)
  objects('main.ts', 'start()', /does more than export/)
  for (const entry of ['index', 'frontier'])
    objects('cli/main.ts', `import { a } from '../${entry}.ts'`, /is in no room/)
  objects('cli/main.ts', "import { a } from '../../test/model/oracle.ts'", /is not in src/)
})

test('house: pure rooms do no input and output', () => {
  for (const name of [
    'fs',
    'fs/promises',
    'net',
    'http',
    'https',
    'child_process',
    'worker_threads',
    'process',
    'os',
  ]) {
    for (const room of PURE_ROOMS) objects(`${room}/a.ts`, `import { a } from 'node:${name}'`, /is pure and imports/)
    accepts('cli/a.ts', `import { a } from 'node:${name}'`)
  }
  objects('extract/a.ts', "import fs from 'fs'", /is pure and imports fs/)
  objects('extract/a.ts', "const fs = require('fs')", /is pure and imports fs/)
  objects('extract/a.ts', "await fetch('http://a.com')", /asks the web/)
  accepts('extract/a.ts', "import { StringDecoder } from 'node:string_decoder'\nimport { parse } from 'parse5'")
  accepts('fetch/client.ts', "import { request } from 'node:http'")
})

test('house: url and scheduler read their own kernels and nothing else', () => {
  const kernel = "import { readFileSync } from 'node:fs'\nreadFileSync(new URL('./classic.wasm', import.meta.url))"
  accepts('url/classic-kernel.ts', kernel)
  accepts('scheduler/core.ts', kernel)
  objects('robots/match.ts', kernel, /is pure and imports node:fs/)
  objects('url/a.ts', `${kernel}\nreadFileSync(path)`, /is pure/)
  objects('url/a.ts', kernel.replace('./classic.wasm', '../a.txt'), /is pure/)
  objects('url/a.ts', kernel.replace('{ readFileSync }', '{ readFileSync, writeFileSync }'), /is pure/)
})

test('house: only cli reads arguments and environment, and prints', () => {
  for (const text of ['process.argv.slice(2)', 'process.env.TERM', 'const { TERM } = process.env']) {
    accepts('cli/main.ts', text)
    objects('base/clock.ts', text, /reads arguments or environment/)
  }
  for (const text of ["process.stdout.write('x')", 'process.stderr.isTTY', "console.log('x')"]) {
    accepts('cli/main.ts', text)
    objects('script/run-script.ts', text, /prints; only cli may/)
  }
})

test('house: time and chance are handed in', () => {
  const calls = [
    'Date.now()',
    'performance.now()',
    'process.hrtime.bigint()',
    'new Date()',
    'new Date',
    'Math.random()',
  ]
  for (const call of [...calls, 'new Date( )', 'Date()', 'randomInt(5)', 'randomUUID()']) {
    const text = `const a = ${call}`
    accepts('base/clock.ts', text)
    objects('cli/main.ts', text, /only base may/)
    objects('visit/visit.ts', `const a = \`at \${${call}}\``, /only base may/)
  }
  accepts('archive/warc.ts', 'const text = new Date(nowMs).toISOString()\nconst a = Date.parse(text)')
  accepts('archive/warc.ts', 'const updated = lastDate(x)')
})

test('house: a comment is no call', () => {
  accepts(
    'visit/visit.ts',
    "// never Date.now()\n/** nor Math.random(), import('../cli/main.ts') */\nconst a = 'http://x.com'",
  )
  objects('visit/visit.ts', "const a = 'http://x.com' + Date.now() // why", /only base may/)
  objects('visit/visit.ts', "const a = '/*' + Date.now() + '*/'", /only base may/)
})

test('house: files are short, and have names', () => {
  accepts('base/heap.ts', 'a\n'.repeat(MOST_LINES - 1))
  objects('base/heap.ts', 'a\n'.repeat(MOST_LINES), /400 lines or more/)
  for (const name of NO_NAMES) objects(`frontier/local/${name}`, '', /a name that says nothing/)
  accepts('base/byte-types.ts', '')
})

test('house: the entry points of the library only hand out', () => {
  accepts(
    'index.ts',
    "export { type A, b } from './base/b.ts'\nexport type {\n  C,\n} from './url/c.ts'\nexport * from './a.ts'",
  )
  accepts('index.ts', "/** All of it. */\nexport * as url from './url/classic.ts'")
  for (const text of ['export const a = 1', "import './cli/main.ts'", "import { a } from './url/a.ts'\nexport { a }"]) {
    for (const entry of ['index.ts', 'frontier.ts']) objects(entry, text, /does more than export/)
  }
})

test('house: paths of our machine are noticed, paths of URLs are not', () => {
  const shared = ['..', 'shared', 'cases'].join('/')
  const absolute = ['', 'work', 'main', 'x.txt'].join('/')
  for (const text of [`read('${shared}')`, `See ${shared}.`, `cd ${absolute}`, `'${absolute}'`, `(${absolute})`]) {
    assert.equal(strangePaths(text).length, 1, text)
  }
  for (const text of ['http://a.com/work/x', './work/x', "from './shared.ts'", "from '../shared/x.ts'"]) {
    assert.deepEqual(strangePaths(text), [], text)
  }
})
