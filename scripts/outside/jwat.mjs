// JWAT in its strictest mode: see JwatStrict.java.
import { join } from 'node:path'
import { warcFiles } from './support/warc-files.mjs'

const PARTS = ['jwat-common', 'jwat-gzip', 'jwat-archive-common', 'jwat-warc']

export async function check({ root, mavenJars, run, crawl }) {
  const jars = await mavenJars(PARTS.map(name => `org.jwat:${name}:1.2.1`))
  const { folder } = await crawl()
  const files = warcFiles(folder)
  const said = await run('java', ['-cp', jars, join(root, 'scripts', 'outside', 'JwatStrict.java'), ...files])
  return `${files.length} files, ${said.trim()}`
}
