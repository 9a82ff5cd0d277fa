import { closeSync, existsSync, fstatSync, mkdtempSync, readSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { linesOf, mergedLines, sortedText } from '../../archive/index-files.ts'
import { archiveFiles, finishedPath, indexedFiles, PARTS_FOLDER, partPath } from '../../archive/names.ts'
import { openEither } from '../../archive/read.ts'
import { type RecordLocation, scanFile } from '../../archive/scan.ts'
import { damaged } from '../../archive/warc-record.ts'
import { message } from '../../base/messages/message.ts'

const READ_BYTES = 1 << 18
const PLACE = /"length": "(\d+)", "offset": "(\d+)", "filename": "([^"]*)"/

/**
 * The finished WARC files of a crawl as they were at one moment. A crawl that begins again may continue the last of them, so
 * each is taken as far as it went at that moment.
 */
export class PackedFiles {
  /** Name and size, oldest first. */
  readonly sizes: ReadonlyMap<string, number>
  /** Files that the index still names: they were moved away. */
  readonly missing: readonly string[]
  /** Files in progress: not finished, so not packed. */
  readonly inProgress: readonly string[]
  private readonly crawl: string

  constructor(crawl: string) {
    this.crawl = crawl
    const files = archiveFiles(crawl)
    const finished = files.filter(({ isOpen }) => !isOpen).map(({ name }) => name)
    this.sizes = new Map(finished.map(name => [name, statSync(finishedPath(crawl, name)).size]))
    const known = new Set(files.map(({ name }) => name))
    const indexed = existsSync(join(crawl, PARTS_FOLDER)) ? indexedFiles(crawl) : []
    this.missing = indexed.map(({ name }) => name).filter(name => !known.has(name))
    this.inProgress = files.filter(({ isOpen }) => isOpen).map(({ name }) => name)
  }

  get totalBytes(): number {
    return [...this.sizes.values()].reduce((sum, size) => sum + size, 0)
  }

  /** Whether a record is packed. Throws when its file is, and does not reach that far even now: it was cut. */
  holds({ file, offset, length }: RecordLocation): boolean {
    const size = this.sizes.get(file)
    if (size === undefined) return false
    const end = offset + length
    if (end <= size) return true
    // A run that continues a file writes the record first, and then what names it.
    const sizeNow = this.sizeNow(file)
    if (end > sizeNow) throw damaged(finishedPath(this.crawl, file), sizeNow, message('archive/file-ends-early'))
    return false
  }

  /** The bytes of one file. */
  *bytesOf(name: string): Generator<Buffer, void, undefined> {
    const fd = openEither(this.crawl, name)
    try {
      for (let left = this.sizes.get(name)!; left > 0; ) {
        const bytes = Buffer.allocUnsafe(Math.min(READ_BYTES, left))
        const got = readSync(fd, bytes)
        if (got === 0)
          throw damaged(
            finishedPath(this.crawl, name),
            this.sizes.get(name)! - left,
            message('archive/file-ends-early'),
          )
        left -= got
        yield bytes.subarray(0, got)
      }
    } finally {
      closeSync(fd)
    }
  }

  /** The index lines of all files, sorted. Nothing is written into the crawl's folder: another process may be crawling there. */
  *indexLines(): Generator<string, void, undefined> {
    const scratch = mkdtempSync(join(tmpdir(), 'escalona-'))
    try {
      const parts = [...this.sizes.keys()].map(name => {
        const part = partPath(this.crawl, name)
        return existsSync(part) ? part : writtenPart(scratch, name, this.scannedLines(name))
      })
      for (const line of mergedLines(parts, scratch)) {
        const place = placeIn(line)
        if (place !== undefined && this.holds(place)) yield line
      }
    } finally {
      rmSync(scratch, { recursive: true, force: true })
    }
  }

  private sizeNow(name: string): number {
    const fd = openEither(this.crawl, name)
    try {
      return fstatSync(fd).size
    } finally {
      closeSync(fd)
    }
  }

  /** The lines of a file whose part is gone. */
  private scannedLines(name: string): string[] {
    const { archived, cdx } = scanFile(finishedPath(this.crawl, name), name)
    return linesOf(archived, cdx)
  }
}

function writtenPart(folder: string, name: string, lines: readonly string[]): string {
  const path = join(folder, `${name}.cdxj`)
  writeFileSync(path, sortedText(lines), 'latin1')
  return path
}

/** The place that an index line names. */
export function placeIn(line: string): RecordLocation | undefined {
  const [, length, offset, file] = PLACE.exec(line) ?? []
  return file === undefined ? undefined : { file, offset: Number(offset), length: Number(length) }
}
