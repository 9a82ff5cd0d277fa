/** What a file operation's error means, and what to do about it, in words. */
const REASONS: Readonly<Record<string, string>> = {
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
}

export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  return (code !== undefined && REASONS[code]) || message
}
