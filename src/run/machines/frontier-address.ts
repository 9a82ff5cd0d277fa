import { EscalonaError } from '../../base/errors.ts'
import { catalogue } from '../../base/words/language.ts'
import { printable } from '../../base/words/printable.ts'
import { unfinished } from '../../frontier/dump-words.ts'
import { readStructure } from '../../frontier/redis/crawl-structure.ts'
import { words as nameWords } from '../../frontier/redis/engine/crawl-words.ts'
import type { Engine } from '../../frontier/redis/engine/engine.ts'
import { parseWhere, shownWhere, type Where } from '../../frontier/redis/engine/where.ts'

/** Where the frontier of a crawl is, if not in its folder. */
export interface FrontierAddress {
  /** `redis://HOST:PORT/NAME`, given now; it may contain a password. */
  readonly frontier?: string | undefined
  /** For a frontier whose URL has no password. */
  readonly frontierPassword?: string | undefined
}

const words = catalogue({
  en: {
    own: (path: string, where: string) =>
      `the crawl in ${path} has its own frontier, not ${where}; name a new folder with -o, and take the frontier along with escalona frontier ${where} import ${path}`,
    other: (path: string, where: string, given: string) =>
      `the crawl in ${path} belongs to ${where}, not to ${given}; leave --frontier out, or name another folder with -o`,
    lost: (where: string, name: string) =>
      `${where} has no crawl called ${name} any more, so all pages would be collected again; restore it, or start another crawl in another folder`,
  },
  pt: {
    own: (path: string, where: string) =>
      `a coleta em ${path} tem a sua própria fronteira, não ${where}; dê uma pasta nova com -o, e leve a fronteira junto com escalona frontier ${where} import ${path}`,
    other: (path: string, where: string, given: string) =>
      `a coleta em ${path} pertence a ${where}, não a ${given}; retire --frontier, ou dê outra pasta com -o`,
    lost: (where: string, name: string) =>
      `${where} não tem mais uma coleta chamada ${name}, e todas as páginas seriam coletadas de novo; restaure-a, ou comece outra coleta em outra pasta`,
  },
})

/**
 * Where the frontier of a folder is; undefined: in the folder itself. The servers may have moved since the last run, but a
 * folder never changes from one crawl to another. `kept`: what the folder says, if it holds a crawl.
 */
export function frontierAddress(
  { frontier, frontierPassword }: FrontierAddress,
  path: string,
  kept: { readonly where: string | undefined } | undefined,
): Where | undefined {
  const given = frontier === undefined ? undefined : parseWhere(frontier, frontierPassword)
  const former = kept?.where === undefined ? undefined : parseWhere(kept.where, frontierPassword)
  if (kept === undefined || given === undefined) return given ?? former
  const name = printable(path)
  if (former === undefined) throw new EscalonaError('CRAWL_OTHER_FRONTIER', words().own(name, shownWhere(given)))
  if (former.name === given.name) return given
  throw new EscalonaError('CRAWL_OTHER_FRONTIER', words().other(name, shownWhere(former), shownWhere(given)))
}

/** Checks that a name in the engine can be opened as `where` says. Returns whether there is a crawl of this name; makes none. */
export async function checkStructure(engine: Engine, where: Where): Promise<boolean> {
  const structure = await readStructure(engine, where.name)
  if (structure === undefined) return false
  const { shards, isUnfinished } = structure
  if (isUnfinished) throw unfinished(shownWhere(where))
  if (where.shards === undefined || where.shards === shards) return true
  throw new EscalonaError('FRONTIER_OTHER_SHARDS', nameWords().otherShards(where.name, shards, where.shards))
}

/** The same, for a reader: without a crawl there is nothing to read, and opening it would make one. */
export async function checkExists(where: Where): Promise<void> {
  // Loaded on demand: most crawls have their frontier in their folder.
  const { Engine } = await import('../../frontier/redis/engine/engine.ts')
  const engine = await Engine.open({ where })
  try {
    if (!(await checkStructure(engine, where))) throw frontierMissing(where)
  } finally {
    await engine.close()
  }
}

/** The frontier of a folder is gone from where machines shared it. */
export function frontierMissing(where: Where): EscalonaError {
  return new EscalonaError('CRAWL_FRONTIER_MISSING', words().lost(shownWhere(where), printable(where.name)))
}
