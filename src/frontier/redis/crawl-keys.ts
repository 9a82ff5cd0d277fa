/**
 * Every key of what concerns a crawl as a whole, after its tag; those of a shard are in `keys.ts`. The scripts on them
 * (`open`, `permit`, `fence`, `reserve`, `forget`, `lost`, `swap`,
 * `begin-import`) spell the same names.
 *
 * - `m`: the crawl's structure (`format`, `shards`, `seed0`, `seed1`) and counters (`openings`, `revivals`, `clearings`,
 *   `hosts`, `losses`), `lost` (since when calls are gone, in ms since 1970), `seeded` when all seeds of the beginning were offered, and `importing` (when it
 *   began, in ms) while an import, or a removal, has not finished
 * - `w`: crawlers, by their ids; see `permit.lua`
 * - `k`: the last reservation of each client; see `reserve.lua`
 * - `settings`, `seeds`, `tallies`: see `crawl-book.ts`
 */
export const crawlKeys = {
  counters: 'm',
  crawlers: 'w',
  calls: 'k',
  settings: 'settings',
  seeds: 'seeds',
  tallies: 'tallies',
} as const
