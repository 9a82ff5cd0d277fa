// Opens a frontier's folder at a given time, says how it went, and keeps it until its input ends.
import { openLocal } from '../../src/frontier/local/open.ts'

const [, , folder = '', atMs = '0'] = process.argv
await new Promise(resolve => setTimeout(resolve, Math.max(0, Number(atMs) - Date.now() - 20)))
while (Date.now() < Number(atMs)) {
  // The last milliseconds are waited for in a circle, so that all come at the same time.
}
try {
  const frontier = await openLocal({ folder })
  process.stdout.write('open\n')
  process.stdin.resume().once('end', () => void frontier.close())
} catch (error) {
  process.stdout.write(`${(error as { code?: string }).code ?? error}\n`)
}
