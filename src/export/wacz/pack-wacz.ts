import { basename, resolve } from 'node:path'
import { unixClock } from '../../base/clock.ts'
import { EscalonaError } from '../../base/errors.ts'
import { lockHolder } from '../../base/files/folder-lock.ts'
import { version } from '../../base/version.ts'
import { catalogue } from '../../base/words/language.ts'
import { printable } from '../../base/words/printable.ts'
import { shownCount } from '../../base/words/quantity.ts'
import { checkCrawlFolder } from '../../view/files/check-crawl-folder.ts'
import { datapackage, datapackageDigest } from './datapackage.ts'
import { INDEX_NAME, IndexBlocks } from './index-blocks.ts'
import { PackedAnswers } from './packed-answers.ts'
import { PackedFiles } from './packed-files.ts'
import { PageList } from './page-list.ts'
import { type Written, writeZip, type ZipPart } from './zip-parts.ts'

const words = catalogue({
  en: {
    running: (path: string) =>
      `${path} has no finished WARC file yet; stop the crawl, or wait until it has archived 1,000 pages`,
    allMoved: (path: string, count: number) =>
      count === 1
        ? `the only WARC file of ${path} was moved away; put it back into its folder archive`
        : `all ${shownCount(count)} WARC files of ${path} were moved away; put them back into its folder archive`,
    interrupted: (path: string) =>
      `${path} has no finished WARC file, only one that was interrupted; escalona resume ${path} finishes it`,
    empty: (path: string) =>
      `nothing is archived in ${path}, so there is nothing to pack; escalona status ${path} says what became of its links`,
  },
  pt: {
    running: path =>
      `${path} ainda não tem arquivo WARC pronto; pare a coleta, ou espere até que ela tenha arquivado 1.000 páginas`,
    allMoved: (path, count) =>
      count === 1
        ? `o único arquivo WARC de ${path} foi levado para outro lugar; ponha-o de volta na pasta archive`
        : `todos os ${shownCount(count)} arquivos WARC de ${path} foram levados para outro lugar; ponha-os de volta na pasta archive`,
    interrupted: path =>
      `${path} não tem arquivo WARC pronto, só um que foi interrompido; escalona resume ${path} o termina`,
    empty: path =>
      `nada está arquivado em ${path}, então não há o que empacotar; escalona status ${path} diz o que foi feito dos links`,
  },
})

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
  const pages = new PageList(folder, files, text, onUnread)
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

function nothingToPack(folder: string, { missing, inProgress }: PackedFiles): EscalonaError {
  const shown = printable(folder)
  const { running, allMoved, interrupted, empty } = words()
  if (missing.length > 0) return new EscalonaError('WACZ_NOTHING', allMoved(shown, missing.length))
  // Whoever holds the folder, seen from here or not, is at work on it.
  const isInUse = ['runs', 'unseen'].includes(lockHolder(folder).state)
  return new EscalonaError('WACZ_NOTHING', (isInUse ? running : inProgress.length > 0 ? interrupted : empty)(shown))
}
