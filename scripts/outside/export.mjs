// DuckDB, pyarrow and Python's csv read what the export wrote, row for row; its counts are those of report.json; warcio reads the WET.
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export async function check({ python, run, crawl, escalona, scratch }) {
  const program = await python(['duckdb', 'pyarrow', 'pytz', 'warcio'])
  const { folder } = await crawl()
  const out = join(scratch, 'export')
  mkdirSync(out, { recursive: true })
  for (const table of ['pages', 'links', 'hosts']) {
    const text = table === 'pages' ? ['--text'] : []
    for (const format of ['jsonl', 'csv', 'parquet'])
      await escalona(['export', folder, '--table', table, ...text, '-q', '-o', join(out, `${table}.${format}`)])
  }
  await escalona(['export', folder, '-q', '-o', join(out, 'text.wet.gz')])
  const seen = JSON.parse(await run(program, [fileURLToPath(new URL('export.py', import.meta.url)), out]))
  const { totals, pagesByHost } = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'))
  expect('pages', seen.pages, totals.pages)
  expect('first visits', seen.new, totals.pages)
  for (const { name, count } of pagesByHost.top) expect(`pages of ${name}`, seen.byHost[name], count)
  expect('the type of fetch_time', seen.types.pages.fetch_time, 'TIMESTAMP WITH TIME ZONE')
  expect('the type of internal', seen.types.links.internal, 'BOOLEAN')
  const { pages, links, hosts } = seen.counts
  return `${pages} visits of ${seen.pages} pages, ${links} links and ${hosts} hosts in Parquet and CSV, ${seen.wet} texts in WET`
}

function expect(what, found, expected) {
  if (found !== expected) throw new Error(`${what}: ${found}, where report.json says ${expected}`)
}
