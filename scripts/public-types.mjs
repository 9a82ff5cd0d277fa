// The declaration files for users of the package: only those that the entry points, directly in the folder, lead to, and readable by TypeScript 5.4 and newer.
import { readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

const RELATIVE_IMPORT = /(\bfrom\s*|\bimport\s*\(?\s*)(['"])(\.{1,2}\/[^'"]+)\.ts\2/g

/** Rewrites the declarations under `dist` that users can reach, and deletes the others. */
export function keepPublicTypes(dist) {
  const reached = new Set()
  const waiting = readdirSync(dist).flatMap(name => (name.endsWith('.d.ts') ? join(dist, name) : []))
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (reached.has(file)) continue
    reached.add(file)
    const text = readFileSync(file, 'utf8')
    for (const [, , , path] of text.matchAll(RELATIVE_IMPORT)) waiting.push(resolve(dirname(file), `${path}.d.ts`))
    writeFileSync(file, forOlderCompilers(text))
  }
  for (const name of readdirSync(dist, { recursive: true }).map(String)) {
    if (name.endsWith('.d.ts') && !reached.has(join(dist, name))) rmSync(join(dist, name))
  }
  removeEmptyFolders(dist)
}

/** Typed arrays have had a type parameter only since TypeScript 5.7. */
function forOlderCompilers(text) {
  return text.replace(RELATIVE_IMPORT, '$1$2$3.js$2').replace(/\b(\w+Array|Buffer)<ArrayBuffer(?:Like)?>/g, '$1')
}

function removeEmptyFolders(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue
    const inner = join(folder, entry.name)
    removeEmptyFolders(inner)
    if (readdirSync(inner).length === 0) rmdirSync(inner)
  }
}
