// Which test files run at the same time, and which share a process. A name is a path below test/ without its ending.

/** Rooms with many short test files that leave nothing behind: the files of each share one process, since starting one takes longer. */
const TOGETHER = [
  'analysis',
  'archive',
  'audit',
  'base',
  'crawl',
  'extract',
  'replay',
  'report',
  'robots',
  'scheduler',
  'sitemap',
  'url',
  'view',
]

/** Files of these rooms that need a process in which nothing was loaded before. */
const ALONE = new Set(['extract/legacy-encodings'])

/** Whole crawls and others that sleep most of the time, and judge no request by its time: they run beside the rest. */
const SLEEPY = new Set([
  ...['crawl/slow-disk', 'frontier/taken-over', 'journey/network-away', 'journey/shared-folder'],
  'simulate/true-to-life',
])

/** Whole crawls that judge what comes and not when: they run like any other test. */
const UNTIMED = new Set(
  [
    ...['damaged-folder', 'debug-output', 'view', 'limits', 'live-page', 'look', 'machines-joining'],
    ...[
      'machines-together',
      'real-proxy',
      'rebuild',
      'resume',
      'scope',
      'secrets-and-proxies',
      'sitemaps',
      'strategies',
    ],
  ].map(name => `journey/${name}`),
)

/** Other whole crawls are judged by the times at which their requests come, and these by short leases. */
const TIMED = new Set(['redis/crawler-cut-off', 'redis/faults'])

/** The rows that `names` run in: together they keep two cores busy. */
export function rowsOf(names) {
  const isTimed = name => TIMED.has(name) || (name.startsWith('journey/') && !SLEEPY.has(name) && !UNTIMED.has(name))
  return {
    usual: names.filter(name => !SLEEPY.has(name) && !isTimed(name)),
    sleepy: names.filter(name => SLEEPY.has(name)),
    timed: names.filter(isTimed),
  }
}

/** The names that share a process, by room, and the others. */
export function groupsOf(names) {
  const roomOf = name => name.slice(0, name.indexOf('/'))
  const groups = TOGETHER.map(room => [room, names.filter(name => roomOf(name) === room && !ALONE.has(name))])
  const shared = groups.filter(([, some]) => some.length > 1)
  const isShared = new Set(shared.flatMap(([, some]) => some))
  return { shared, alone: names.filter(name => !isShared.has(name)) }
}
