// A program that extracts, to be killed: page n enqueues page n + 1 and pushes two items.
import { crawl } from '../../src/library/crawl.ts'

const [home, folder, last] = process.argv.slice(2) as [string, string, string]
const common = { delayMs: 1, workers: 1, allowNetworks: ['127.0.0.0/8'] }
const pages = crawl({ seeds: [home], folder, follow: 'nothing', ...common })
for await (const page of pages) {
  const n = (page.data as number | undefined) ?? 0
  pages.items.push({ n, part: 1 })
  if (n < Number(last)) void pages.enqueue(`/p${n + 1}`, { label: 'next', data: n + 1 })
  pages.items.push({ n, part: 2 })
  console.log(n)
}
