/** The list of the crawls that a server shows. The pages of one of several are under `/crawls/NAME`. */
export const CRAWLS_PATH = '/crawls'

/** The paths under which the live page is served; what each shows is chosen in the browser. */
export const PAGE_PATHS = [
  '/',
  '/hosts',
  '/host',
  '/links',
  '/pages',
  '/page',
  '/visit',
  '/compare',
  '/changes',
  '/why',
  '/settings',
  CRAWLS_PATH,
] as const

export type PagePath = (typeof PAGE_PATHS)[number]
