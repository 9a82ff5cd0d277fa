import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Script } from './engine.ts'

/** The moves on what concerns a crawl as a whole; those of a shard are in `scripts.ts`. Each says what it does at its head. */
export const crawlScripts = {
  open: scriptOf('open'),
  permit: scriptOf('permit'),
  bury: scriptOf('bury'),
  reserve: scriptOf('reserve'),
  forget: scriptOf('forget'),
  swap: scriptOf('swap'),
} as const

function scriptOf(name: string): Script {
  const text = readFileSync(new URL(`./lua/${name}.lua`, import.meta.url), 'utf8')
  return { name, text, sha: createHash('sha1').update(text).digest('hex'), isWrite: true }
}
