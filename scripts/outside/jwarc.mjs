// jwarc, of the International Internet Preservation Consortium: validates every file.
import { warcFiles } from './support/warc-files.mjs'

export async function check({ mavenJars, run, crawl }) {
  const jar = await mavenJars(['org.netpreserve:jwarc:0.36.0'])
  const { folder } = await crawl()
  const files = warcFiles(folder)
  const said = await run('java', ['-jar', jar, 'validate', ...files])
  if (said.trim() !== '') throw new Error(said.slice(0, 1500))
  const records = (await run('java', ['-jar', jar, 'ls', ...files])).trim().split('\n').length
  return `${files.length} files, ${records} records are valid`
}
