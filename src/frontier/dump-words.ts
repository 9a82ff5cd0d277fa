import { EscalonaError } from '../base/errors.ts'
import { catalogue } from '../base/words/language.ts'
import { printable } from '../base/words/printable.ts'

/** What is said about exports and imports. */
export const dumpWords = catalogue({
  en: {
    unfinished: (where: string) =>
      `an import into ${where} has not finished; wait for it, or, if it was interrupted, remove what it left with clear --yes and import again`,
    notEmpty: (where: string) => `${where} is not empty; import into a new or empty place, or clear it first`,
    damaged: (path: string, what: string) => `${path} is damaged: ${what}; restore it from a copy, or export again`,
    noDump: (path: string) => `${path} holds no finished export; name a folder that export has written`,
    otherFormat: (path: string, found: number, known: number) =>
      `${path} is an export of format ${found}, and this version of Escalona reads format ${known}; use the version that wrote it`,
    taken: (path: string) => `${path} is not empty; name a new or empty folder for the export`,
    unwritable: (path: string, why: string) =>
      `cannot write the export to ${path}: ${why}; fix that, or choose another folder`,
    unreadable: (path: string, why: string) => `cannot read ${path}: ${why}; fix that, and try again`,
    fileMissing: 'the file is missing',
    wrongChecksum: 'the checksum is wrong',
    wrongCount: 'it does not hold as many links, hosts or auxiliary links as it should',
    lineTooLong: 'a line is too long',
    wrongRecord: (line: number) => `record ${line} is not one of an export`,
    wrongOrder: 'a record is out of place',
    noHostOf: 'it holds links of a part without hosts',
    parts: (parts: number, shards: number) =>
      `this export tells the hosts of done links apart only by ${parts} shards, so it cannot be imported into ${shards}; use ?shards=${parts}, or a divisor of that`,
  },
  pt: {
    unfinished: where =>
      `uma importação em ${where} não terminou; espere por ela ou, se foi interrompida, remova o que ela deixou com clear --yes e importe de novo`,
    notEmpty: where => `${where} não está vazia; importe para um lugar novo ou vazio, ou esvazie-a antes com clear`,
    damaged: (path, what) => `${path} está danificado: ${what}; restaure-o de uma cópia, ou exporte de novo`,
    noDump: path => `${path} não contém uma exportação terminada; indique uma pasta gravada por export`,
    otherFormat: (path, found, known) =>
      `${path} é uma exportação do formato ${found}, e esta versão do Escalona lê o formato ${known}; use a versão que a gravou`,
    taken: path => `${path} não está vazia; indique uma pasta nova ou vazia para a exportação`,
    unwritable: (path, why) =>
      `não é possível gravar a exportação em ${path}: ${why}; corrija isso, ou escolha outra pasta`,
    unreadable: (path, why) => `não é possível ler ${path}: ${why}; corrija isso e tente de novo`,
    fileMissing: 'o arquivo não existe',
    wrongChecksum: 'a soma de verificação está errada',
    wrongCount: 'não contém tantos links, hosts ou links auxiliares quanto deveria',
    lineTooLong: 'uma linha é longa demais',
    wrongRecord: line => `o registro ${line} não é de uma exportação`,
    wrongOrder: 'um registro está fora de lugar',
    noHostOf: 'contém links de uma parte sem hosts',
    parts: (parts, shards) =>
      `esta exportação distingue os hosts de links prontos só por ${parts} partes (shards) e não pode ser importada em ${shards}; use ?shards=${parts}, ou um divisor desse número`,
  },
})

/** An import into this place has not finished, or was interrupted. */
export function unfinished(where: string): EscalonaError {
  return new EscalonaError('FRONTIER_UNFINISHED', dumpWords().unfinished(printable(where)))
}

/** A frontier that something is to be imported into is in use. */
export function notEmpty(where: string): EscalonaError {
  return new EscalonaError('FRONTIER_NOT_EMPTY', dumpWords().notEmpty(printable(where)))
}

/** An export does not hold what was written to it. */
export function damagedDump(path: string, what: string): EscalonaError {
  return new EscalonaError('DUMP_DAMAGED', dumpWords().damaged(printable(path), what))
}
