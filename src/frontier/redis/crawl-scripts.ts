import { script } from './engine/scripts.ts'

/** The moves on what concerns a crawl as a whole; those of a shard are in `scripts.ts`. Each says what it does at its head. */
export const crawlScripts = {
  open: script('open'),
  permit: script('permit'),
  bury: script('bury'),
  reserve: script('reserve'),
  forget: script('forget'),
  lost: script('lost'),
  swap: script('swap'),
} as const
