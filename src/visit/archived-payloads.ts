import { join } from 'node:path'
import { PAGES_FILE } from '../archive/names.ts'
import { parsePageLine } from '../archive/pages-file.ts'
import { linesFrom } from '../base/files/line-file.ts'
import { KnownPayloads, LEAST_PAYLOAD_BYTES } from './known-payloads.ts'

/** A table of the payloads that earlier runs archived, as far as it holds them: the newest are not forgotten. */
export function archivedPayloads(crawl: string, payloads: number): KnownPayloads {
  const table = new KnownPayloads(crawl, payloads)
  for (const { text } of linesFrom(join(crawl, PAGES_FILE))) {
    const line = parsePageLine(text)
    if (line?.digest === undefined || line.original !== undefined || line.change === 'gone') continue
    if (line.bytes >= LEAST_PAYLOAD_BYTES) table.add(line.digest, line)
  }
  return table
}
