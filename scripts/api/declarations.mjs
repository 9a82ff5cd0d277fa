// What the entry points of the library declare, read from the declaration files that TypeScript writes: their form is regular enough to be
// read line by line. TypeScript 7 has no interface for programs yet, which typedoc and the like need.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const EXPORTS = /^export (type )?\{([^}]*)\} from '([^']+)\.ts';$/gm
const WHOLE_FILES = /^export (?:type )?\* from '([^']+)\.ts';$/gm
const DECLARATION = /^(?:export )?(?:declare )?(?:abstract )?(interface|type|class|function|const) (\w+)/

/** What the entry points export: `{ name, kind, about, code }` of each name by entry point; code without the comment that `about` is. */
export function exportedBy(folder, entries) {
  const lists = entries.map(entry => ({ entry, exports: exportsOf(join(folder, `${entry}.d.ts`)) }))
  const all = lists.flatMap(({ exports }) => exports)
  const renamed = all.filter(({ name, shown }) => name !== shown && !all.some(one => one.shown === name))
  return lists.map(({ entry, exports }) => ({
    name: entry,
    exported: exports.map(({ name, shown, isType, from }) => {
      const { kind, about, code } = declarationOf(from, name)
      const names = [...renamed, ...exports.filter(one => one.name !== one.shown)]
      const told = names.reduce((text, one) => text.replace(new RegExp(`\\b${one.name}\\b`, 'g'), one.shown), code)
      return isType && kind === 'class'
        ? { name: shown, kind: 'type', about, code: told.replace(/^ {2}constructor\(.*\n/gm, '') }
        : { name: shown, kind, about, code: told }
    }),
  }))
}

function exportsOf(file) {
  return [...readFileSync(file, 'utf8').matchAll(EXPORTS)].flatMap(([, areTypes, list, path]) => {
    const names = list.split(',').map(one => one.trim())
    return names.filter(Boolean).map(one => {
      const [name, shown = name] = one.replace(/^type /, '').split(' as ')
      const isType = areTypes !== undefined || one.startsWith('type ')
      return { name, shown, isType, from: join(dirname(file), `${path}.d.ts`) }
    })
  })
}

function declarationOf(file, name) {
  const text = readFileSync(file, 'utf8')
  const all = statementsOf(text).filter(one => one.name === name)
  const found = all.find(({ kind }) => kind !== 'const') ?? all[0]
  if (found === undefined) {
    const named = exportsOf(file).find(({ shown }) => shown === name)
    if (named !== undefined) return declarationOf(named.from, named.name)
    const others = [...text.matchAll(WHOLE_FILES)].map(([, path]) => join(dirname(file), `${path}.d.ts`))
    return others.map(other => declarationOf(other, name)).find(one => one !== undefined)
  }
  // A class of ours may get its fields from a constructor that is declared as a constant.
  const [, fields] = /^class \w+ extends (\w+)/.exec(found.code) ?? []
  const [, parent] = new RegExp(`^declare const ${fields}: new .* => (\\w+);$`, 'm').exec(text) ?? []
  if (parent !== undefined) return { ...found, code: found.code.replace(`extends ${fields}`, `extends ${parent}`) }
  const shape = /^type \w+ = TypeOf<typeof \w+>;$/.test(found.code) && all.find(({ kind }) => kind === 'const')
  return shape ? { ...found, code: `type ${name} = ${describedType(shape.code)};` } : found
}

/** The type that a shape stands for: a shape's declaration carries it as its first member. */
function describedType(code) {
  const lines = code.split('\n')
  const end = lines.findIndex((line, n) => n > 1 && /^ {2}\}/.test(line))
  const value = lines.slice(1, end + 1).map(line => line.slice(2))
  return value
    .join('\n')
    .replace(/^'~value'\?: /, '')
    .replace(/\} \| undefined;$/, '}')
    .replace(/;$/, '')
}

function statementsOf(text) {
  const statements = []
  let comment = []
  let lines = []
  let depth = 0
  let isComment = false
  for (const line of text.split('\n')) {
    const isInside = isComment || /^\s*\/\*\*/.test(line)
    if (isInside) isComment = !line.includes('*/')
    if (isInside && lines.length === 0) {
      if (/^\/\*\*/.test(line)) comment = []
      comment.push(line)
      continue
    }
    if (line === '') continue
    lines.push(line)
    if (isInside) continue
    depth += depthOf(line)
    const isEnd = depth === 0 && /[;}]$/.test(line) && !/=\s*$/.test(line)
    // A comment between the variants of a union comes after a closing brace: the union ends with a semicolon.
    if (!isEnd || (/^(?:export )?(?:declare )?type /.test(lines[0]) && !line.endsWith(';'))) continue
    const [, kind, name] = DECLARATION.exec(lines[0]) ?? []
    if (kind !== undefined) statements.push({ kind, name, about: aboutOf(comment), code: codeOf(lines) })
    comment = []
    lines = []
  }
  return statements
}

function depthOf(line) {
  const bare = line.replace(/\/\*.*?\*\//g, '').replace(/'[^']*'|"[^"]*"|`[^`]*`|=>/g, '')
  return (bare.match(/[{([<]/g)?.length ?? 0) - (bare.match(/[})\]>]/g)?.length ?? 0)
}

/** The text of a comment, `{@link Name}` as `Name` in code. */
function aboutOf(comment) {
  return comment
    .map(line => line.replace(/^\s*\/\*\* ?|\s*\*\/$/g, '').replace(/^\s*\* ?/, ''))
    .join('\n')
    .trim()
    .replace(/\{@link (\w+)\}/g, '`$1`')
}

/** As users write against it: nothing private, two blanks instead of four, no paths of our files. */
function codeOf(lines) {
  const kept = []
  for (const line of lines) {
    if (!/^ {4}(?:private|protected|#private|constructor\(\) *;)/.test(line)) kept.push(line)
    else while (/^ {4}(?:\/\*\*| \*)/.test(kept.at(-1))) kept.pop()
  }
  return kept
    .join('\n')
    .replace(/^export (?:declare )?|^declare /, '')
    .replace(/import\("[^"]+"\)\./g, '')
    .replace(/\{@link (\w+)\}/g, '`$1`')
    .replace(/^( {4})+/gm, blanks => blanks.slice(blanks.length / 2))
    .replace(/ = \n/, ' =\n')
}
