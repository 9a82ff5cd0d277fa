import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ITEMS_FILE } from '../archive/names.ts'
import { EscalonaError } from '../base/errors.ts'
import { jsonOf } from '../decide/link-note.ts'
import { JsonLinesFile } from '../folder/json-lines-file.ts'

const MOST_ITEM_BYTES = 1 << 20

/** `items.jsonl`, created by the first item. */
export class ItemsFile {
  private readonly path: string
  private readonly onRepair: (message: string) => void
  private file: JsonLinesFile<object> | undefined
  private isSafe = true

  /** `confirmedBytes`: what comes after is of pages that are handed out again, and is cut off; undefined: it is not known. */
  constructor(folder: string, confirmedBytes: number | undefined, onRepair: (message: string) => void) {
    this.path = join(folder, ITEMS_FILE)
    this.onRepair = onRepair
    if (!existsSync(this.path)) return
    const file = this.opened()
    if (confirmedBytes !== undefined && confirmedBytes < file.bytes) file.cut(confirmedBytes)
  }

  get bytes(): number {
    return this.file?.bytes ?? 0
  }

  append(items: readonly object[]): void {
    const texts = items.map(item => {
      const text = jsonOf(item)
      if (text === undefined || !text.startsWith('{') || Buffer.byteLength(text) > MOST_ITEM_BYTES)
        throw new EscalonaError('CRAWL_BAD_ITEM', { most: MOST_ITEM_BYTES })
      return JSON.parse(text) as object
    })
    this.opened().append(texts)
    this.isSafe = false
  }

  async sync(): Promise<void> {
    if (this.isSafe) return
    this.isSafe = true
    await this.file?.sync()
  }

  async close(): Promise<void> {
    await this.file?.close()
    this.file = undefined
  }

  private opened(): JsonLinesFile<object> {
    this.file ??= new JsonLinesFile<object>(this.path, {}, { onRepair: this.onRepair })
    return this.file
  }
}
