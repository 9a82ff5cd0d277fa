import { closeSync, openSync, readSync } from 'node:fs'

/** Opens a file, hands it over, and closes it whatever happens. */
export function withFile<Result>(path: string, flags: string, use: (fd: number) => Result): Result {
  const fd = openSync(path, flags)
  try {
    return use(fd)
  } finally {
    closeSync(fd)
  }
}

/** Bytes of an open file; fewer where it ends. */
export function bytesAt(fd: number, at: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length)
  let got = 0
  for (let read = 1; got < length && read > 0; got += read) read = readSync(fd, bytes, got, length - got, at + got)
  return bytes.subarray(0, got)
}
