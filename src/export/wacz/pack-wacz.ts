import { createHash } from 'node:crypto'
import { basename, posix, resolve } from 'node:path'
import { unixClock } from '../../base/clock.ts'
import { EscalonaError } from '../../base/errors.ts'
import { lockHolder } from '../../base/files/folder-lock.ts'
import { version } from '../../base/version.ts'
import { checkCrawlFolder } from '../../view/files/check-crawl-folder.ts'
import { PackedFiles } from './packed-files.ts'
import { INDEX_NAME, IndexBlocks, PackedAnswers } from './packed-index.ts'
import { WaczPages } from './page-list.ts'
import { type Written, writeZip, type ZipPart } from './zip-parts.ts'

/** How a WACZ is made. */
export interface WaczOptions {
  /** Whether the page list has the visible text of every page, so that players can search it. Default: false. */
  readonly text?: boolean
  /** Called with the share that is written, from 0 to 1. */
  readonly onProgress?: (share: number) => void
}

/** What a WACZ holds. */
export interface WaczSummary {
  /** WARC files. */
  readonly files: number
  /** Lines of the page list: visits of pages. */
  readonly pages: number
  /** Lines of the index: answers of any kind. */
  readonly answers: number
  /** Size of the WACZ. */
  readonly bytes: number
  /** WARC files that are left out since they are still being written. */
  readonly inProgress: readonly string[]
  /** WARC files that are left out since they were moved away. */
  readonly missing: readonly string[]
  /** Those of them that hold the bodies of pages that are in the WACZ as revisits; `datapackage.json` names them too. */
  readonly originalsElsewhere: readonly string[]
  /** Lines of `pages.jsonl`, and records that had to be looked at, that could not be read: pages are not listed, or without text. */
  readonly unread: number
  /** Why the first of them could not be read. */
  readonly firstUnread?: string
}

/**
 * Packs the finished WARC files of a crawl into one WACZ file, for replayweb.page and other players: archive, index, page list,
 * and the SHA-256 of each. Every WARC file is read once, and memory does not grow with the archive. Works while the crawl runs,
 * and changes nothing in its folder. `write` is given the bytes of the ZIP in order.
 */
export async function packWacz(
  folder: string,
  write: (bytes: Uint8Array) => void,
  { text = false, onProgress }: WaczOptions = {},
): Promise<WaczSummary> {
  checkCrawlFolder(folder)
  const files = new PackedFiles(folder)
  if (files.sizes.size === 0) throw nothingToPack(folder, files)
  const createdMs = unixClock()
  const index = new IndexBlocks()
  let unread = 0
  let firstUnread: string | undefined
  const onUnread = (why: string) => {
    unread++
    firstUnread ??= why
  }
  const pages = new WaczPages(folder, files, text, onUnread)
  const answers = new PackedAnswers(folder, files, onUnread)
  const written: Written[] = []
  let description: Uint8Array = Buffer.alloc(0)
  const parts: ZipPart[] = [
    ...[...files.sizes].map(([name, size]) => ({
      path: `archive/${name}`,
      size,
      isDeflated: false,
      content: () => files.bytesOf(name),
    })),
    {
      path: `indexes/${INDEX_NAME}`,
      isDeflated: false,
      content: () => index.blocks(answers.lines()),
    },
    { path: 'indexes/index.idx', isDeflated: true, content: () => [index.idx()] },
    { path: 'pages/pages.jsonl', isDeflated: true, content: () => pages.bytes() },
    {
      path: 'datapackage.json',
      isDeflated: true,
      content: () => {
        const { originalsElsewhere } = answers
        const title = basename(resolve(folder))
        const software = `Escalona ${version()}`
        description = datapackage(written, { title, software, createdMs, originalsElsewhere })
        return [description]
      },
    },
    { path: 'datapackage-digest.json', isDeflated: true, content: () => [datapackageDigest(description)] },
  ]
  const total = files.totalBytes
  let done = 0
  const counted = (bytes: Uint8Array) => {
    write(bytes)
    done += bytes.length
    onProgress?.(Math.min(1, done / total))
  }
  const bytes = await writeZip(parts, new Date(createdMs), counted, part => written.push(part))
  const { missing, inProgress } = files
  const { originalsElsewhere } = answers
  return {
    files: files.sizes.size,
    pages: pages.pages,
    answers: answers.count,
    bytes,
    inProgress,
    missing,
    originalsElsewhere,
    unread,
    ...(firstUnread !== undefined && { firstUnread }),
  }
}

function nothingToPack(path: string, { missing, inProgress }: PackedFiles): EscalonaError {
  const count = missing.length
  if (count > 0)
    return count === 1
      ? new EscalonaError('WACZ_NOTHING/moved', { path })
      : new EscalonaError('WACZ_NOTHING/all-moved', { path, count })
  // A process that holds the folder, seen from here or not, is at work on it.
  const isInUse = ['runs', 'unseen'].includes(lockHolder(path).state)
  if (isInUse) return new EscalonaError('WACZ_NOTHING/running', { path })
  return new EscalonaError(inProgress.length > 0 ? 'WACZ_NOTHING/interrupted' : 'WACZ_NOTHING/empty', { path })
}

/** In the form of 1.2.0, replayweb.page found none of the pages: it looks for the index where 1.1.1 puts it. */
const WACZ_VERSION = '1.1.1'

interface PackageFacts {
  readonly title: string
  readonly software: string
  readonly createdMs: number
  /** WARC files that are not packed and hold the bodies of revisits that are. */
  readonly originalsElsewhere: readonly string[]
}

/** `datapackage.json`: what a WACZ consists of, with the SHA-256 of every file. */
function datapackage(resources: readonly Written[], facts: PackageFacts): Buffer {
  const { title, software, createdMs, originalsElsewhere } = facts
  return json({
    profile: 'data-package',
    title,
    created: new Date(createdMs).toISOString().replace(/\.\d+Z$/, 'Z'),
    wacz_version: WACZ_VERSION,
    software,
    ...(originalsElsewhere.length > 0 && { originalsElsewhere }),
    resources: resources.map(({ path, bytes, sha256 }) => ({
      // The schema of data packages allows lower case only.
      name: posix.basename(path).toLowerCase(),
      path,
      hash: `sha256:${sha256}`,
      bytes,
    })),
  })
}

/** `datapackage-digest.json`: the SHA-256 of `datapackage.json`. */
function datapackageDigest(datapackage: Uint8Array): Buffer {
  const hash = `sha256:${createHash('sha256').update(datapackage).digest('hex')}`
  return json({ path: 'datapackage.json', hash })
}

function json(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value, undefined, 2)}\n`)
}
