import { closeSync, existsSync, fdatasyncSync, ftruncateSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { EscalonaError } from '../base/errors.ts'
import { ITEMS_FILE } from '../archive/names.ts'
import { JsonLinesFile } from '../folder/json-lines-file.ts'
import { jsonOf } from '../decide/link-note.ts'

/** An item as JSON has at most this many bytes. */
const MOST_ITEM_BYTES = 1 << 20
