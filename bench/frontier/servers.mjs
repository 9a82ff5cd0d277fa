// Does it cost more when many hosts share a server? Take and settle with 10,000 hosts at one server, and with a server for
// each, in turn; a server admits as many as are taken at once. Itself is the peer.
//   npm run bench:frontier-servers -- [--hosts 10000] [--runs 5]
import { library } from '../measured.mjs'
import { finish, median, option } from '../tools.mjs'

const { openLocal } = await library()
const AT_ONCE = 1000
const VISITS = 200_000

const hosts = Number(option('hosts', 10_000))
const runs = Number(option('runs', 5))
const WORDS = { one: `${hosts} hosts at one server`, each: `${hosts} hosts at a server each` }
let nowMs = 1_700_000_000_000

const frontiers = { one: await placed(() => '192.0.2.1'), each: await placed(n => `server ${n}`) }
const rates = { one: [], each: [] }
for (let run = 0; run <= runs; run++) {
  for (const [name, frontier] of Object.entries(frontiers)) {
    await fill(frontier, run)
    const start = cpuSeconds()
    const visits = await visit(frontier, VISITS)
    // The first time warms up.
    if (run > 0) rates[name].push(visits / (cpuSeconds() - start))
  }
}
for (const [name, list] of Object.entries(rates)) {
  console.log(`${median(list).toFixed(0).padStart(9)} take+settle a second of the processor, ${WORDS[name]}`)
}
const ratio = median(rates.one.map((rate, run) => rate / rates.each[run]))
console.log(`${ratio.toFixed(2).padStart(9)} of the one to the other`)
finish({ bench: 'frontier-servers', hosts, one: median(rates.one), each: median(rates.each), ratio })

/** A frontier whose hosts have been placed. */
async function placed(serverOf) {
  const frontier = await openLocal({ perServer: AT_ONCE, clock: () => nowMs })
  await frontier.offer(Array.from({ length: hosts }, (_, n) => linkOf(n, 'first')))
  for (let n = 0; n < hosts; ) {
    nowMs++
    const { tickets } = await frontier.take(AT_ONCE)
    for (const { id } of tickets) await frontier.place(id, serverOf(n++))
    await settle(frontier, tickets)
  }
  return frontier
}

async function fill(frontier, run) {
  const pages = Math.ceil(VISITS / hosts) + 1
  for (let page = 0; page < pages; page++) {
    await frontier.offer(Array.from({ length: hosts }, (_, n) => linkOf(n, `${run}/${page}`)))
  }
}

async function visit(frontier, wanted) {
  let visits = 0
  while (visits < wanted) {
    nowMs++
    const { tickets } = await frontier.take(AT_ONCE)
    if (tickets.length !== AT_ONCE) throw new Error(`took ${tickets.length} instead of ${AT_ONCE}`)
    await settle(frontier, tickets)
    visits += tickets.length
  }
  return visits
}

function settle(frontier, tickets) {
  const rest = { outcome: { kind: 'done', isPage: true }, links: [], shown: 'answer', delayMs: 0 }
  return frontier.settle(tickets.map(({ id }) => ({ ticketId: id, ...rest })))
}

function linkOf(n, page) {
  return { url: `https://host-${n}.example.com/${page}`, rank: 1, hops: 1 }
}

function cpuSeconds() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}
