import { statSync } from 'node:fs'
import { join } from 'node:path'
import { EscalonaError } from '../base/errors.ts'
import { type HiddenBits, readHidden } from './hidden.ts'
import { type Manifest, readManifest, searchFolder } from './manifest.ts'
import { Segment } from './segment.ts'

export interface OpenSegment {
  readonly segment: Segment
  readonly hidden: HiddenBits
}

/** How often an index is opened again whose segments were merged in that moment. */
const TRIES = 20

/** An index as it is at one moment. Segments that are merged meanwhile can still be read. */
export class OpenIndex {
  readonly manifest: Manifest | undefined
  readonly segments: readonly OpenSegment[]
  /** Documents that are shown, and words of all. */
  readonly documents: number
  readonly tokens: number

  private constructor(manifest: Manifest | undefined, segments: readonly OpenSegment[]) {
    this.manifest = manifest
    this.segments = segments
    let [documents, tokens] = [0, 0]
    for (const line of manifest?.segments ?? []) {
      documents += line.documents
      tokens += line.tokens
    }
    this.documents = documents
    this.tokens = tokens
  }

  static open(crawl: string): OpenIndex {
    for (let tried = 1; ; tried++) {
      const manifest = readManifest(crawl)
      const segments: OpenSegment[] = []
      try {
        for (const line of manifest?.segments ?? []) {
          const segment = new Segment(join(searchFolder(crawl), line.file), line.crc)
          segments.push({ segment, hidden: new Uint8Array(0) })
          if (segment.documents !== line.documents) throw new EscalonaError('SEARCH_DAMAGED')
          segments[segments.length - 1] = { segment, hidden: readHidden(crawl, line) }
        }
        return new OpenIndex(manifest, segments)
      } catch (error) {
        for (const { segment } of segments) segment.close()
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
        if (tried === TRIES) throw new EscalonaError('SEARCH_DAMAGED')
      }
    }
  }

  close(): void {
    for (const { segment } of this.segments) segment.close()
  }
}

/** Changes whenever the index does. */
export function indexStamp(crawl: string): string {
  const found = statSync(join(searchFolder(crawl), 'index.json'), { throwIfNoEntry: false })
  return found === undefined ? '' : `${found.ino} ${found.mtimeMs} ${found.size}`
}
