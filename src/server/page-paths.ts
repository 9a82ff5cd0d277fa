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
] as const

export type PagePath = (typeof PAGE_PATHS)[number]
