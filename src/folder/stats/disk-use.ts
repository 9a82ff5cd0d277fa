import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** What takes up space in the folder of a crawl, in bytes. */
export interface DiskUse {
  readonly archive: number
  /** `index.cdxj` and the parts it is merged from. */
  readonly index: number
  /** Everything known about every link. */
  readonly frontier: number
  /** `pages.jsonl`, `failures.jsonl`, `seeds.jsonl` and `actions.jsonl`. */
  readonly lists: number
  readonly other: number
}

const KINDS: Readonly<Record<string, keyof DiskUse>> = {
  archive: 'archive',
  index: 'index',
  'index.cdxj': 'index',
  frontier: 'frontier',
  'pages.jsonl': 'lists',
  'failures.jsonl': 'lists',
  'seeds.jsonl': 'lists',
  'actions.jsonl': 'lists',
}

/** Adds up the sizes of all files. Works while a crawl is writing: files that disappear meanwhile count as empty. */
export async function diskUse(folder: string): Promise<DiskUse> {
  const use = { archive: 0, index: 0, frontier: 0, lists: 0, other: 0 }
  for (const name of await namesIn(folder)) {
    use[KINDS[name] ?? 'other'] += await bytesIn(join(folder, name))
  }
  return use
}

async function bytesIn(path: string): Promise<number> {
  const entry = await stat(path).catch(() => undefined)
  if (entry?.isFile()) return entry.size
  if (!entry?.isDirectory()) return 0
  let bytes = 0
  for (const name of await namesIn(path)) bytes += await bytesIn(join(path, name))
  return bytes
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => [])
}
