// A frontier: polite by construction, and safe against crashes.
// @ts-check
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLocal } from 'escalona/frontier'

// Time is handed in here so that the example never waits. Without `clock`, it is the machine's.
let nowMs = 1_000_000
const folder = mkdtempSync(join(tmpdir(), 'escalona-frontier-'))
/** @type {import('escalona/frontier').LocalOptions} */
const options = { folder, delayMs: 2_000, serverGapMs: 500, perServer: 1, clock: () => nowMs }
/** @param {readonly import('escalona/frontier').Ticket[]} tickets */
const urls = tickets => tickets.map(ticket => ticket.url).join(', ')
let frontier = await openLocal(options)

const fresh = await frontier.offer([
  { url: 'https://ufmg.br/', rank: 0, hops: 0 },
  { url: 'https://ufmg.br/dcc/pos', rank: 2, hops: 0 },
  { url: 'https://globo.com/', rank: 0, hops: 0 },
  { url: 'https://g1.globo.com/', rank: 0, hops: 0 },
  { url: 'https://ufmg.br/', rank: 0, hops: 0 },
])
console.log(`${fresh} of 5 links are new`)

const { tickets } = await frontier.take(10)
console.log(`leased, one per host: ${urls(tickets)}`)

// Before a host is asked, the frontier learns at which server it is. Two of these share one, which admits one at a time.
const servers = new Map([['ufmg.br', '150.164.0.1']])
/** @type {import('escalona/frontier').Ticket[]} */
const placed = []
for (const ticket of tickets) {
  if (await frontier.place(ticket.id, servers.get(ticket.host) ?? '186.192.0.1')) placed.push(ticket)
  else console.log(`no room at the server of ${ticket.host}: its link waits again`)
}

// What became of each visit, and the links that were found there, in one step.
await frontier.settle(
  placed.map(ticket => ({
    ticketId: ticket.id,
    outcome: { kind: 'done', isPage: true },
    links: [{ url: `${ticket.url}news`, rank: 1, hops: ticket.hops + 1 }],
    shown: 'answer',
    delayMs: 0,
  })),
)
const early = await frontier.take(10)
console.log(`at once: ${early.tickets.length} tickets; the next one in ${early.waitMs} ms`)

// The process may die at any moment: what was acknowledged is there when the folder is opened again.
await frontier.close()
frontier = await openLocal(options)
nowMs += 500
console.log(`after half a second: ${urls((await frontier.take(10)).tickets)}`)
nowMs += 1_500 // globo.com is ready as well, but its server is busy with g1.globo.com
console.log(`after two seconds: ${urls((await frontier.take(10)).tickets)}`)

const asked = ['https://ufmg.br/', 'https://ufmg.br/dcc/pos', 'https://g1.globo.com/', 'https://uol.com.br/']
const explained = await frontier.explain(asked)
for (const [n, url] of asked.entries()) console.log(`${url} is ${explained[n]?.state}`)
const { known, done, leased, waiting } = await frontier.counts()
console.log(`${known} known: ${done} done, ${leased} leased, ${waiting} waiting`)
await frontier.close()
rmSync(folder, { recursive: true })
