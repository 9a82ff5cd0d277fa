// A frontier: polite by construction, and safe against crashes. In your own project, import from 'escalona'.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLocal } from '../src/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'escalona-frontier-'))
// Only to show what would happen when: without a clock, it is the machine's.
let nowMs = Date.UTC(2026, 0, 1)
const options = { folder, delayMs: 100, serverGapMs: 50, perServer: 2, clock: () => nowMs }
let frontier = await openLocal(options)

const fresh = await frontier.offer([
  { url: 'https://ufmg.br/', pathDepth: 0, hops: 0 },
  { url: 'https://ufmg.br/dcc/pos', pathDepth: 2, hops: 0 },
  { url: 'https://globo.com/', pathDepth: 0, hops: 0, note: 'from the seeds' },
  { url: 'https://ufmg.br/', pathDepth: 0, hops: 0 },
])
console.log(`${fresh} of 4 links are new`)

const { tickets } = await frontier.take(10)
console.log('leased, one per host:', tickets.map(ticket => ticket.url).join(', '))

// Both hosts turn out to be at the same server: the second has to wait for its gap, and its link keeps its place.
const [first, second] = tickets
console.log('the first may be asked:', await frontier.place(first!.id, '150.164.0.1'))
console.log('the second too:', await frontier.place(second!.id, '150.164.0.1'))

await frontier.settle([
  {
    ticketId: first!.id,
    outcome: { kind: 'done', isPage: true },
    links: [{ url: 'https://ufmg.br/news', pathDepth: 1, hops: 1, note: 'https://ufmg.br/' }],
    shown: 'answer',
    delayMs: 2_000,
  },
])
const early = await frontier.take(10)
console.log(`too early: ${early.tickets.length} tickets; try again in ${early.waitMs} ms`)

// The process may die at any moment; what was acknowledged is there when the folder is opened again.
await frontier.close()
frontier = await openLocal(options)
nowMs += 2_000
console.log('in time:', (await frontier.take(10)).tickets.map(ticket => ticket.url).join(', '))
console.log(await frontier.explain(['https://ufmg.br/', 'https://ufmg.br/dcc/pos']))
await frontier.close()
rmSync(folder, { recursive: true })
