import { EscalonaError } from '../../base/errors.ts'
import { printable } from '../../base/words/printable.ts'
import { checkUsable, readStructure } from '../../frontier/redis/crawl-structure.ts'
import type { Engine } from '../../frontier/redis/engine/engine.ts'
import { parseWhere, shownWhere, type Where } from '../../frontier/redis/engine/where.ts'

/** Where the frontier of a crawl is, if not in its folder. */
export interface FrontierAddress {
  /** `redis://HOST:PORT/NAME`, given now; it may contain a password. */
  readonly frontier?: string | undefined
  /** For a frontier whose URL has no password. */
  readonly frontierPassword?: string | undefined
}

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
  if (former === undefined)
    throw new EscalonaError('CRAWL_OTHER_FRONTIER/own', { path: name, where: shownWhere(given) })
  if (former.name === given.name) return given
  throw new EscalonaError('CRAWL_OTHER_FRONTIER/other', {
    path: name,
    where: shownWhere(former),
    given: shownWhere(given),
  })
}

/** Checks that a name in the engine can be opened as `where` says. Returns whether there is a crawl of this name; makes none. */
export async function checkStructure(engine: Engine, where: Where): Promise<boolean> {
  const structure = await readStructure(engine, where.name)
  if (structure === undefined) return false
  checkUsable(structure, where)
  return true
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
  return new EscalonaError('CRAWL_FRONTIER_MISSING/lost', { where: shownWhere(where), name: where.name })
}
