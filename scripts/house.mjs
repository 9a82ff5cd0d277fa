// Counts the shape of the source, as a table in JSON: npm run house [-- FOLDER], the clone that is counted (default: this one).
// docs/architecture.md says what each figure means and what it was before.
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { foldersInCircles, importsIn, sourcesIn } from './import-graph.mjs'

const root = process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url))
const sources = sourcesIn(join(root, 'src'))
const tests = sourcesIn(join(root, 'test'))
const imports = importsIn(sources)
const typescript = [...sources].filter(([path]) => /\.tsx?$/.test(path))

const importersOf = new Map()
for (const { from, to } of imports) importersOf.set(to, (importersOf.get(to) ?? new Set()).add(from))

console.log(
  JSON.stringify(
    {
      files: typescript.length,
      lines: linesOf(typescript),
      luaLines: linesOf([...sources].filter(([path]) => path.endsWith('.lua'))),
      circles: foldersInCircles(imports),
      largestFolders: largestFolders(),
      smallFilesWithOneImporter: typescript.filter(
        ([path, text]) => importersOf.get(path)?.size === 1 && text.split('\n').length <= 25,
      ).length,
      filesWithOneImporter: typescript.filter(([path]) => importersOf.get(path)?.size === 1).length,
      settingMaxPerHost: placesOf(/\bmaxPerHost\b/),
      reasonMaxPerHost: placesOf(/\bmax-per-host\b/),
      questionExplain: placesOf(/\bexplain\b/),
      typesOfTheState: exportedTypes().filter(({ name }) => /(?:Now|Status|Progress|Standing|State)$/.test(name))
        .length,
      typeNamesWithTwoMeanings: twice(exportedTypes()),
      frontierMethods: {
        core: methodsOf('frontier/frontier.ts', 'Frontier'),
        hostControl: methodsOf('frontier/frontier.ts', 'HostControl'),
        hostNotes: methodsOf('frontier/frontier.ts', 'HostNotes'),
        linkControl: methodsOf('frontier/frontier.ts', 'LinkControl'),
        views: methodsOf('frontier/views.ts', 'FrontierViews'),
        optional: methodsOf('frontier/frontier.ts', 'FrontierRules') + methodsOf('frontier/visits.ts', 'VisitPlans'),
      },
      namesByEntryPoint: namesByEntryPoint(),
      filesWithTexts: [...(importersOf.get('base/words/language.ts') ?? [])].length,
      prose: {
        'so many': inComments(/\bso many\b/gi),
        'is no': inComments(/\bis no\b(?! longer| more)/gi),
        'whoever, nobody, somebody': inComments(/\b(?:whoever|nobody|somebody)\b/gi),
        'stands, lies': inComments(/\b(?:stands|lies)\b/gi),
        'hears of': inComments(/\bhears? of\b/gi),
      },
      testNames: { issue: testNames(/issue \d/), SPEC: testNames(/SPEC/) },
    },
    null,
    2,
  ),
)

function linesOf(files) {
  return files.reduce((sum, [, text]) => sum + text.split('\n').length - 1, 0)
}

function largestFolders() {
  const counts = new Map()
  for (const [path] of sources) counts.set(posix.dirname(path), (counts.get(posix.dirname(path)) ?? 0) + 1)
  return Object.fromEntries([...counts].sort(([, a], [, b]) => b - a).slice(0, 6))
}

/** In how many files, and on how many lines that are not comments, something is spelled. */
function placesOf(pattern) {
  const places = typescript.flatMap(([path, text]) =>
    withoutComments(text)
      .split('\n')
      .filter(line => pattern.test(line))
      .map(() => path),
  )
  return { files: new Set(places).size, places: places.length }
}

function exportedTypes() {
  return typescript.flatMap(([path, text]) =>
    [...text.matchAll(/^export (?:declare )?(?:abstract )?(?:interface|class|type) (\w+)/gm)].map(([, name]) => ({
      path,
      name,
    })),
  )
}

function twice(types) {
  const paths = new Map()
  for (const { name, path } of types) paths.set(name, (paths.get(name) ?? new Set()).add(path))
  return [...paths].filter(([, some]) => some.size > 1).length
}

/** The members that an implementer of an interface must write. */
function methodsOf(path, name) {
  const text = withoutComments(sources.get(path) ?? '')
  const body = new RegExp(`^export interface ${name}\\b[^{]*\\{\\n([\\s\\S]*?)^\\}`, 'm').exec(text)?.[1] ?? ''
  return [...body.matchAll(/^ {2}(?:readonly )?\w+\??[(<:]/gm)].filter(([member]) => !member.includes('?')).length
}

/** How many names each entry point of the library exports: the files of src/ that are in no folder. */
function namesByEntryPoint() {
  const counted = typescript
    .filter(([path]) => !path.includes('/'))
    .map(([path, text]) => [
      path,
      [...withoutComments(text).matchAll(/\{([^}]*)\}/g)].flatMap(([, names]) =>
        names.split(',').filter(name => name.trim() !== ''),
      ).length,
    ])
  return Object.fromEntries(counted)
}

function inComments(pattern) {
  return typescript.reduce((sum, [, text]) => {
    const comments = (text.match(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/g) ?? []).join('\n')
    return sum + (comments.match(pattern)?.length ?? 0)
  }, 0)
}

function testNames(pattern) {
  return [...tests.values()].reduce(
    (sum, text) => sum + (text.match(new RegExp(`['\`](?:${pattern.source})[^\\n]*:`, 'g'))?.length ?? 0),
    0,
  )
}

function withoutComments(text) {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(?<=^|\s)\/\/[^\n]*/g, '')
}
