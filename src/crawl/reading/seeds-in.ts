import { join } from 'node:path'
import { linesFrom } from '../../base/files/line-file.ts'

/** The seeds of a crawl and what they redirected to, as its folder keeps them. */
export function seedsIn(folder: string): string[] {
  const seeds: string[] = []
  for (const { text } of linesFrom(join(folder, 'seeds.jsonl'))) {
    const { url } = JSON.parse(text) as { readonly url?: unknown }
    if (typeof url === 'string') seeds.push(url)
  }
  return seeds
}
