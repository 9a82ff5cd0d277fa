// The index is what cdxj-indexer makes of the same files: keys, times, places and all.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { warcFiles } from './support/warc-files.mjs'

export async function check({ python, run, crawl }) {
  const program = await python(['cdxj-indexer'])
  const { folder } = await crawl()
  const printed = await run(program, ['-m', 'cdxj_indexer.main', '-s', ...warcFiles(folder)])
  const theirs = linesOf(printed)
  const ours = linesOf(readFileSync(join(folder, 'index.cdxj'), 'utf8'))
  const [known, made] = [new Set(theirs), new Set(ours)]
  const missing = theirs.filter(line => !made.has(line))
  const extra = ours.filter(line => !known.has(line))
  if (missing.length + extra.length > 0)
    throw new Error(
      `${missing.length} lines are missing, ${extra.length} are too many:\n  ${missing[0]}\n  ${extra[0]}`,
    )
  return `${ours.length} index lines are the same`
}

/** Sorted by us: where two lines have the same key and time, either may come first. A type that is not there may be left out. */
function linesOf(text) {
  return text
    .split('\n')
    .filter(Boolean)
    .map(line => {
      const at = line.indexOf('{"')
      const { url, mime = 'unk', status, digest, length, offset, filename } = JSON.parse(line.slice(at))
      return `${line.slice(0, at)}${JSON.stringify({ url, mime, status, digest: digest.replace('sha1:', ''), length, offset, filename })}`
    })
    .sort()
}
