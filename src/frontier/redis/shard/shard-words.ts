import { EscalonaError } from '../../../base/errors.ts'
import { catalogue } from '../../../base/words/language.ts'

const words = catalogue({
  en: {
    strange: (what: string) =>
      `Redis holds something under this name that is not a crawl of escalona, or it is damaged (${what}); choose another name, or clear this one`,
    fenced: 'this crawler was away for so long that the others took over its work; start it again',
    lost: 'the engine has forgotten what it had acknowledged: it was restarted with an older file, or an older copy took over; run the same command again',
  },
  pt: {
    strange: (what: string) =>
      `o Redis guarda sob este nome algo que não é uma coleta do escalona, ou está danificado (${what}); escolha outro nome, ou limpe este`,
    fenced: 'este coletor ficou fora por tanto tempo que os outros assumiram o seu trabalho; inicie-o de novo',
    lost: 'o servidor esqueceu o que tinha confirmado: reiniciou com um arquivo mais antigo, ou uma cópia mais antiga assumiu; execute o mesmo comando de novo',
  },
})

/** What lies in Redis, or what it answered, is not what a shard writes. */
export function strange(what: string, cause?: unknown): EscalonaError {
  return new EscalonaError('FRONTIER_DAMAGED', words().strange(what), { cause })
}

/** What the calls of a crawler meet after others have fenced it. */
export const FENCED = 'FRONTIER_FENCED'

export function fenced(): EscalonaError {
  return new EscalonaError(FENCED, words().fenced)
}

/** The engine has forgotten calls of one who cannot recover them. */
export function lost(): EscalonaError {
  return new EscalonaError('FRONTIER_LOST', words().lost)
}

/** Reads what came from Redis; what can't be read is strange. */
export function reading<Value>(what: string, read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) throw strange(what, error)
    throw error
  }
}
