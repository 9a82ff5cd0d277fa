import { catalogue } from './words/language.ts'

const reasons = catalogue({
  en: {
    EEXIST: 'something else of that name is there; choose another name',
    ENOENT: 'there is no such file or folder; check the path',
    EISDIR: 'it is a folder; name a file',
    ENOTDIR: 'a part of the path is not a folder; check the path',
    EACCES: 'permission denied; check who may use it',
    EPERM: 'permission denied; check who may use it',
    EROFS: 'the disk is read-only; choose another place',
    ENOSPC: 'the disk is full; make room or choose another place',
    EDQUOT: 'the disk quota is used up; make room or choose another place',
    EFBIG: 'the file would grow larger than is allowed; choose another place',
    EMFILE: 'too many open files; raise the limit with ulimit -n',
    ENAMETOOLONG: 'the name is too long; choose a shorter one',
    ELOOP: 'its symbolic links run in a circle; check the path',
  },
  pt: {
    EEXIST: 'já existe outra coisa com esse nome; escolha outro nome',
    ENOENT: 'esse arquivo ou pasta não existe; confira o caminho',
    EISDIR: 'é uma pasta; indique um arquivo',
    ENOTDIR: 'uma parte do caminho não é uma pasta; confira o caminho',
    EACCES: 'permissão negada; confira quem pode usá-lo',
    EPERM: 'permissão negada; confira quem pode usá-lo',
    EROFS: 'o disco é somente de leitura; escolha outro lugar',
    ENOSPC: 'o disco está cheio; libere espaço ou escolha outro lugar',
    EDQUOT: 'a cota de disco acabou; libere espaço ou escolha outro lugar',
    EFBIG: 'o arquivo ficaria maior do que o permitido; escolha outro lugar',
    EMFILE: 'há arquivos abertos demais; aumente o limite com ulimit -n',
    ENAMETOOLONG: 'o nome é longo demais; escolha um mais curto',
    ELOOP: 'os links simbólicos formam um ciclo; confira o caminho',
  },
})

/** Whether the operating system refused something: a file operation or the like. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && typeof (error as NodeJS.ErrnoException).errno === 'number'
}

/** What a file operation's error means, and what to do about it, in words. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  const known: Readonly<Record<string, string>> = reasons()
  return (code !== undefined && known[code]) || message
}
