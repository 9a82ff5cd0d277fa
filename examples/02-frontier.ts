// A frontier: polite by construction, and safe against crashes. In your own project, import from 'escalona'.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLocal } from '../src/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'escalona-frontier-'))
let frontier = await openLocal({ folder, strategy: 'breadth', delayMs: 100 })

const isNew = await frontier.offer([
  { url: 'https://ufmg.br/', depth: 0, hops: 0 },
  { url: 'https://ufmg.br/dcc/pos', depth: 2, hops: 0 },
  { url: 'https://globo.com/', depth: 0, hops: 0 },
  { url: 'https://ufmg.br/', depth: 0, hops: 0 },
])
console.log(`${isNew} of 4 links are new`)

let nowMs = 1_000_000
const tickets = await frontier.take(10, nowMs)
console.log('lent, one a host:', tickets.map(ticket => ticket.url).join(', '))

await frontier.settle(
  tickets.map(ticket => ({
    ticketId: ticket.id,
    outcome: { kind: 'done' },
    links: [{ url: `${ticket.url}news`, depth: 1, hops: ticket.hops + 1 }],
    delayMs: 2_000,
  })),
  nowMs,
)
console.log('too early:', (await frontier.take(10, nowMs + 1_999)).length, 'tickets')

// The process may die at any moment; what was acknowledged is there when the folder is opened again.
await frontier.close()
frontier = await openLocal({ folder, strategy: 'breadth', delayMs: 100 })
nowMs = frontier.nextReadyAtMs() ?? nowMs
console.log('in time:', (await frontier.take(10, nowMs)).map(ticket => ticket.url).join(', '))
console.log(frontier.explain('https://ufmg.br/'), frontier.explain('https://ufmg.br/dcc/pos'))
await frontier.close()
rmSync(folder, { recursive: true })
