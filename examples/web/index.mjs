// The synthetic web: made, known, served.
export { expected, forbids } from './expected.mjs'
export { hostsFile, makeWeb, pageAt, seedsFile, urlOf } from './make-web.mjs'
export { serveWeb } from './serve-web.mjs'
export { sitemapFiles } from './sitemap-files.mjs'
