// Who imports whom in src/, and which folders do so in a circle. Read from the text: imports here have one form.
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, sep } from 'node:path'

/** The source files below `folder` with their texts, by path. */
export function sourcesIn(folder) {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && /\.(?:tsx?|lua)$/.test(entry.name))
    .map(entry =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .split(sep)
        .join('/'),
    )
  return new Map(names.sort().map(name => [name, readFileSync(join(folder, name), 'utf8')]))
}

/** Each import between these files. `isType`: it leaves nothing in the compiled code. */
export function importsIn(sources) {
  const found = []
  for (const [from, text] of sources) {
    const add = (target, isType) => {
      const to = posix.join(posix.dirname(from), target)
      if (sources.has(to)) found.push({ from, to, isType })
    }
    for (const [, , type, names, target] of text.matchAll(/^(import|export) (type )?([^'";=]*?) from '(\.[^']+)'/gm))
      add(target, type !== undefined || areTypes(names))
    for (const [, later, only] of text.matchAll(/\bimport\(\s*'(\.[^']+)'\s*\)|^import '(\.[^']+)'/gm))
      add(later ?? only, false)
  }
  return found
}

function areTypes(names) {
  const inner = /^\{(.*)\}$/s.exec(names.trim())?.[1]
  return inner?.split(',').every(name => name.trim() === '' || name.trim().startsWith('type ')) ?? false
}

/** Groups of folders that import each other's values in a circle. Files of a folder itself are apart from those of folders inside it. */
export function foldersInCircles(imports) {
  const targets = new Map()
  for (const { from, to, isType } of imports) {
    const [a, b] = [posix.dirname(from), posix.dirname(to)]
    if (isType || a === b) continue
    targets.set(a, (targets.get(a) ?? new Set()).add(b))
  }
  return circles(targets)
}

/** Tarjan's strongly connected components that have more than one member. */
function circles(targets) {
  const [number, lowest, stack, found] = [new Map(), new Map(), [], []]
  const visit = node => {
    number.set(node, number.size)
    lowest.set(node, number.get(node))
    stack.push(node)
    for (const next of targets.get(node) ?? []) {
      if (!number.has(next)) visit(next)
      if (stack.includes(next)) lowest.set(node, Math.min(lowest.get(node), lowest.get(next)))
    }
    if (lowest.get(node) !== number.get(node)) return
    const members = stack.splice(stack.indexOf(node))
    if (members.length > 1) found.push(members.sort())
  }
  for (const node of targets.keys()) if (!number.has(node)) visit(node)
  return found
}
