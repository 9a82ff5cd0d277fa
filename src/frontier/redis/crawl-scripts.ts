import { script } from './engine/scripts.ts'

/** The moves on what concerns a crawl as a whole; those of a shard are in `scripts.ts`. Each says what it does at its head. */
export const crawlScripts = {
  open: script('crawl/open'),
  permit: script('crawl/permit'),
  fence: script('crawl/fence'),
  reserve: script('crawl/reserve'),
  forget: script('crawl/forget'),
  lost: script('crawl/lost'),
  swap: script('crawl/swap'),
} as const
