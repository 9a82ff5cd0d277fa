// warcio reads every record, and recomputes every digest.
import { warcFiles } from './support/warc-files.mjs'

export async function check({ python, run, crawl }) {
  const program = await python(['warcio'])
  const { folder } = await crawl()
  const files = warcFiles(folder)
  const printed = await run(program, ['-m', 'warcio.cli', 'check', '--verbose', ...files])
  const digests = printed.match(/digest pass/g)?.length ?? 0
  const index = await run(program, ['-m', 'warcio.cli', 'index', '-f', 'warc-type', ...files])
  const records = index.trim().split('\n').length
  if (digests < records / 2) throw new Error(`of ${records} records only ${digests} had a digest that was checked`)
  return `${files.length} files, ${records} records, ${digests} with sound digests`
}
