import { EscalonaError } from '../../../base/errors.ts'
import { catalogue } from '../../../base/words/language.ts'
import { printable } from '../../../base/words/printable.ts'

/** The messages of a frontier in a folder. */
export const words = catalogue({
  en: {
    damaged: (path: string, at: number, what: string) => `${path} is damaged at ${at}: ${what}; restore it from a copy`,
    otherFormat: (path: string, format: number, ours: number) =>
      `${path} has format ${format}, and this version of Escalona reads format ${ours}; nothing was changed; use the version that wrote it`,
    fileMissing: 'the file is missing',
    anotherFrontier: 'this is the frontier of another crawl',
    endMissing: 'the end is missing',
    wrongChecksum: 'the checksum is wrong',
    notASnapshot: 'it is not a snapshot',
    notAJournal: 'it is not a journal',
    newerVersion: 'it was written by a newer version',
    tooShort: 'it is too short',
    linkDiffers: 'a link is not what was offered',
    auxiliaryDiffers: 'an auxiliary link is not what was offered',
    linkTwice: 'a link was added twice',
    misfit: 'it does not follow from what came before',
    acknowledgedMissing: (bytes: number) => `less is left than was acknowledged, which is ${bytes} bytes`,
    alike:
      'more fingerprints begin alike than chance allows; make the frontier again from what was crawled, or an older export',

    stopped: (why: string) =>
      `the frontier has stopped: ${why}; nothing acknowledged is lost; open it again once that is fixed`,
    cannotOpen: (folder: string, why: string) =>
      `cannot open the frontier in ${folder}: ${why}; fix that, or choose another folder`,
    cannotRead: (folder: string, why: string) => `cannot read the frontier in ${folder}: ${why}; try again`,
    noFrontier: (folder: string) => `there is no frontier in ${folder}; give the folder of a crawl`,
    clockWentBack: (by: string) =>
      `the clock is ${by} behind the clock of the last run; all times were moved back by the difference`,
    headerWritten: (path: string) => `${path}: the header was cut off; it was written again`,
    tailCutOff: (path: string, bytes: number, at: number) =>
      `${path}: ${bytes} bytes of a torn tail were cut off at ${at}`,
  },
  pt: {
    damaged: (path, at, what) => `${path} está danificado na posição ${at}: ${what}; restaure-o de uma cópia`,
    otherFormat: (path, format, ours) =>
      `${path} tem o formato ${format}, e esta versão do Escalona lê o formato ${ours}; nada foi alterado; use a versão que o escreveu`,
    fileMissing: 'o arquivo não existe',
    anotherFrontier: 'esta é a fronteira de outra coleta',
    endMissing: 'falta o fim',
    wrongChecksum: 'a soma de verificação está errada',
    notASnapshot: 'não é um snapshot',
    notAJournal: 'não é um diário',
    newerVersion: 'foi escrito por uma versão mais nova',
    tooShort: 'é curto demais',
    linkDiffers: 'um link não é o que foi oferecido',
    auxiliaryDiffers: 'um link auxiliar não é o que foi oferecido',
    linkTwice: 'um link foi acrescentado duas vezes',
    misfit: 'não condiz com o que veio antes',
    acknowledgedMissing: bytes => `resta menos do que foi confirmado, que são ${bytes} bytes`,
    alike:
      'mais impressões digitais começam iguais do que o acaso permite; refaça a fronteira a partir do que foi coletado ou de uma exportação anterior',

    stopped: why =>
      `a fronteira parou: ${why}; nada do que foi confirmado se perdeu; abra-a de novo depois de corrigir isso`,
    cannotOpen: (folder, why) =>
      `não foi possível abrir a fronteira em ${folder}: ${why}; corrija isso ou escolha outra pasta`,
    cannotRead: (folder, why) => `não foi possível ler a fronteira em ${folder}: ${why}; tente de novo`,
    noFrontier: folder => `não há fronteira em ${folder}; indique a pasta de uma coleta`,
    clockWentBack: by =>
      `o relógio está atrasado ${by} em relação ao da última execução; todos os horários foram recuados por essa diferença`,
    headerWritten: path => `${path}: o cabeçalho estava cortado; foi escrito de novo`,
    tailCutOff: (path, bytes, at) => `${path}: ${bytes} bytes de um fim incompleto foram cortados na posição ${at}`,
  },
})

/** A file of the frontier does not hold what was written to it. `what`: one of the texts about damage in `words.ts`. */
export function damaged(path: string, at: number, what: string): EscalonaError {
  return new EscalonaError('FRONTIER_DAMAGED', words().damaged(path, at, what))
}

/** A file of the frontier is sound, but in a format that this version does not read. */
export function otherFormat(path: string, format: number, ours: number): EscalonaError {
  return new EscalonaError('FRONTIER_OTHER_FORMAT', words().otherFormat(printable(path), format, ours))
}
