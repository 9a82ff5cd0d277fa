// The synthetic web is plain JavaScript, since `npm start` and the benchmarks use it as it is; this file is compiled to
// build/test/web/, from where the repository is three folders up.
const FRONT_DOOR = new URL('../../../examples/web/index.mjs', import.meta.url)

export const { expected, forbids, hostsFile, makeWeb, pageAt, seedsFile, serveWeb, sitemapFiles, urlOf } =
  (await import(FRONT_DOOR.href)) as typeof import('../../examples/web/index.mjs')
export type { Page, Place, Request, Served, Site, Web } from '../../examples/web/index.mjs'
