import { EscalonaError } from '../../base/errors.ts'
import { catalogue } from '../../base/words/language.ts'
import { printable } from '../../base/words/printable.ts'
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

/** The frontier of a folder is gone from where machines shared it. */
export function lost(where: Where): EscalonaError {
  return new EscalonaError('CRAWL_FRONTIER_MISSING', words().lost(shownWhere(where), printable(where.name)))
}
