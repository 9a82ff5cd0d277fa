import { EscalonaError } from '../base/errors.ts'
import { catalogue } from '../base/words/language.ts'
import { printable } from '../base/words/printable.ts'

export const words = catalogue({
  en: {
    damaged: (path: string, offset: number, what: string, orElse: string) =>
      `${path} is damaged at byte ${offset}: ${what}; put a good copy in its place, or ${orElse}`,
    orMoveAway: 'move it away',
    orRemoveMark: (mark: string) => `remove ${mark} beside it to have it cut there`,
    orAccept: (mark: string) => `remove ${mark} beside it to use it as it is`,
    thereTwice: 'it is there twice, once as .open',
    notSyncedWhole: (bytes: number) => `it was synced up to byte ${bytes}, and is not whole up to there`,
    notAsSynced: (bytes: number) => `its first ${bytes} bytes are not those that were synced: their checksum is wrong`,
    lineWithoutEnd: 'a line has no end',
    fileEnds: 'the file ends here',
    fileEndsEarly: 'the file ends here, and it was longer',
    fileEndsInside: 'the file ends in this record',
    foreignRequest: 'a request belongs to another response',
    noRecord: 'this is no record',
    noWarcRecord: 'this is no WARC record',
    outOfPlace: (type: string) => `a ${type} record is out of place`,
    indexGoesFurther: (end: number) => `the file ends there, and its part of the index goes on to byte ${end} at least`,
    cannotWriteIndex: (path: string, why: string) => `cannot write ${path}: ${why}; the archive itself is whole`,
    cannotOpen: (folder: string, why: string) => `cannot open the archive in ${folder}: ${why}`,
    cannotRead: (path: string, why: string) => `cannot read ${path}: ${why}`,
    cannotUsePages: (path: string, why: string) => `cannot use ${path}: ${why}; nothing that was synced is lost`,
    stopped: (why: string) =>
      `the archive has stopped: ${why}; nothing that was synced is lost, start again after that`,
    noKernel:
      'deflate.wasm is missing beside the code of escalona; a bundler has to leave the package out: esbuild --external:escalona',
    recordTooLarge: (bytes: number) =>
      `a record of ${bytes} bytes is more than an archive takes; set a smaller --max-body`,
    missing: (files: number, first: string, folder: string) =>
      files === 1
        ? `${first} is not in ${folder} any more; the index keeps its lines`
        : `${files} files, ${first} the first of them, are not in ${folder} any more; the index keeps their lines`,
    cutTail: (path: string, bytes: number) => `${path}: cut off ${bytes} bytes that had not been synced`,
    cutLines: (path: string, bytes: number) => `${path}: cut off ${bytes} bytes of lines that had not been synced`,
    pagesGone: (path: string) => `${path} is gone; it begins again with the newest pages`,
  },
  pt: {
    damaged: (path, offset, what, orElse) =>
      `${path} está danificado no byte ${offset}: ${what}; ponha uma cópia boa no lugar, ou ${orElse}`,
    orMoveAway: 'mova-o para outro lugar',
    orRemoveMark: mark => `remova ${mark}, ao lado dele, para que seja cortado ali`,
    orAccept: mark => `remova ${mark}, ao lado dele, para usá-lo como está`,
    thereTwice: 'ele existe duas vezes, uma delas como .open',
    notSyncedWhole: bytes => `foi sincronizado até o byte ${bytes}, e não está inteiro até ali`,
    notAsSynced: bytes =>
      `seus primeiros ${bytes} bytes não são os que foram sincronizados: a soma de verificação está errada`,
    lineWithoutEnd: 'uma linha não tem fim',
    fileEnds: 'o arquivo termina aqui',
    fileEndsEarly: 'o arquivo termina aqui, e era mais longo',
    fileEndsInside: 'o arquivo termina dentro deste registro',
    foreignRequest: 'uma requisição pertence a outra resposta',
    noRecord: 'isto não é um registro',
    noWarcRecord: 'isto não é um registro WARC',
    outOfPlace: type => `um registro ${type} está fora do lugar`,
    indexGoesFurther: end => `o arquivo termina ali, e sua parte do índice vai pelo menos até o byte ${end}`,
    cannotWriteIndex: (path, why) => `não foi possível escrever ${path}: ${why}; o acervo em si está inteiro`,
    cannotOpen: (folder, why) => `não foi possível abrir o acervo em ${folder}: ${why}`,
    cannotRead: (path, why) => `não foi possível ler ${path}: ${why}`,
    cannotUsePages: (path, why) => `não foi possível usar ${path}: ${why}; nada do que foi sincronizado se perdeu`,
    stopped: why => `o acervo parou: ${why}; nada do que foi sincronizado se perdeu, inicie de novo depois disso`,
    noKernel:
      'falta deflate.wasm ao lado do código do escalona; um empacotador deve deixar o pacote de fora: esbuild --external:escalona',
    recordTooLarge: bytes => `um registro de ${bytes} bytes é mais do que o acervo aceita; use um --max-body menor`,
    missing: (files, first, folder) =>
      files === 1
        ? `${first} não está mais em ${folder}; o índice mantém suas linhas`
        : `${files} arquivos, o primeiro deles ${first}, não estão mais em ${folder}; o índice mantém suas linhas`,
    cutTail: (path, bytes) => `${path}: cortados ${bytes} bytes que não haviam sido sincronizados`,
    cutLines: (path, bytes) => `${path}: cortados ${bytes} bytes de linhas que não haviam sido sincronizadas`,
    pagesGone: path => `${path} não existe mais; recomeça com as páginas mais novas`,
  },
})

export function damaged(path: string, offset: number, what: string, orElse = words().orMoveAway): EscalonaError {
  return new EscalonaError('ARCHIVE_DAMAGED', words().damaged(printable(path), offset, what, orElse))
}
