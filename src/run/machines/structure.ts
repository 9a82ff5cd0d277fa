import { EscalonaError } from '../../base/errors.ts'
import { catalogue } from '../../base/words/language.ts'
import { printable } from '../../base/words/printable.ts'
import { unfinished } from '../../frontier/dump-words.ts'
import { readStructure } from '../../frontier/redis/crawl-structure.ts'
import { words as nameWords } from '../../frontier/redis/engine/crawl-words.ts'
import type { Engine } from '../../frontier/redis/engine/engine.ts'
import { shownWhere, type Where } from '../../frontier/redis/engine/where.ts'

const words = catalogue({
  en: {
    lost: (where: string, name: string) =>
      `${where} has no crawl called ${name} any more, so all pages would be collected again; restore it, or start another crawl in another folder`,
  },
  pt: {
    lost: (where: string, name: string) =>
      `${where} não tem mais uma coleta chamada ${name}, e todas as páginas seriam coletadas de novo; restaure-a, ou comece outra coleta em outra pasta`,
  },
})

/** Makes sure that a name in the engine can be opened as `where` says. Returns whether there is a crawl of this name; makes none. */
export async function checkStructure(engine: Engine, where: Where): Promise<boolean> {
  const structure = await readStructure(engine, where.name)
  if (structure === undefined) return false
  const { shards, isUnfinished } = structure
  if (isUnfinished) throw unfinished(shownWhere(where))
  if (where.shards === undefined || where.shards === shards) return true
  throw new EscalonaError('FRONTIER_OTHER_SHARDS', nameWords().otherShards(where.name, shards, where.shards))
}

/** The same, for one who only looks: without a crawl there is nothing to look at, and opening it would make one. */
export async function checkExists(where: Where): Promise<void> {
  // Loaded on demand: most crawls have their frontier in their folder.
  const { Engine } = await import('../../frontier/redis/engine/engine.ts')
  const engine = await Engine.open({ where })
  try {
    if (!(await checkStructure(engine, where))) throw lost(where)
  } finally {
    await engine.close()
  }
}

/** The frontier of a folder is gone from where machines shared it. */
export function lost(where: Where): EscalonaError {
  return new EscalonaError('CRAWL_FRONTIER_MISSING', words().lost(shownWhere(where), printable(where.name)))
}
