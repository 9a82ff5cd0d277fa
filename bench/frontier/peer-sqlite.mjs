// What a good engineer writes in a day with better-sqlite3: one table of links with a unique 64-bit hash, one of hosts,
// one of leases, a transaction a batch, fsync at each commit. Same promises as the frontier for offer, take and settle.
import { join } from 'node:path'
import { peerRequire } from './peers.mjs'

export const takesAtOnce = 1000

const LEASE_MS = 60_000
const [WAITING, LEASED, DONE] = [0, 1, 2]

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS hosts (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,
    next_at INTEGER NOT NULL, leased INTEGER NOT NULL, waiting INTEGER NOT NULL
  );
  CREATE INDEX IF NOT EXISTS hosts_ready ON hosts (next_at) WHERE leased = 0 AND waiting > 0;
  CREATE TABLE IF NOT EXISTS links (
    id INTEGER PRIMARY KEY, hash INTEGER NOT NULL UNIQUE, url TEXT NOT NULL, host INTEGER NOT NULL,
    depth INTEGER NOT NULL, hops INTEGER NOT NULL, attempt INTEGER NOT NULL, state INTEGER NOT NULL
  );
  CREATE INDEX IF NOT EXISTS links_waiting ON links (host, depth, id) WHERE state = ${WAITING};
  CREATE TABLE IF NOT EXISTS tickets (
    id INTEGER PRIMARY KEY AUTOINCREMENT, link INTEGER NOT NULL, host INTEGER NOT NULL, due INTEGER NOT NULL
  );
  CREATE INDEX IF NOT EXISTS tickets_due ON tickets (due);
`

export function open(folder, clock) {
  const Database = peerRequire('better-sqlite3')
  const db = new Database(join(folder, 'frontier.db'))
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.pragma('cache_size = -262144')
  db.pragma('wal_autocheckpoint = 65536')
  db.exec(SCHEMA)

  const findHost = db.prepare('SELECT id FROM hosts WHERE name = ?').pluck()
  const addHost = db.prepare('INSERT INTO hosts (name, next_at, leased, waiting) VALUES (?, 0, 0, 0)')
  const addWaiting = db.prepare('UPDATE hosts SET waiting = waiting + ? WHERE id = ?')
  const addLink = db.prepare(
    `INSERT OR IGNORE INTO links (hash, url, host, depth, hops, attempt, state) VALUES (?, ?, ?, ?, ?, 1, ${WAITING})`,
  )
  const readyHosts = db.prepare(
    `SELECT id, name FROM hosts WHERE leased = 0 AND waiting > 0 AND next_at <= ? ORDER BY next_at LIMIT ?`,
  )
  const firstLink = db.prepare(
    `SELECT id, url, depth, hops, attempt FROM links WHERE host = ? AND state = ${WAITING} ORDER BY depth, id LIMIT 1`,
  )
  const setState = db.prepare('UPDATE links SET state = ? WHERE id = ?')
  const leaseHost = db.prepare('UPDATE hosts SET leased = 1, waiting = waiting - 1 WHERE id = ?')
  const freeHost = db.prepare('UPDATE hosts SET leased = 0, next_at = ?, waiting = waiting + ? WHERE id = ?')
  const addTicket = db.prepare('INSERT INTO tickets (link, host, due) VALUES (?, ?, ?)')
  const overdue = db.prepare('SELECT id, link, host FROM tickets WHERE due <= ?')
  const endTicket = db.prepare('DELETE FROM tickets WHERE id = ? RETURNING link, host')

  function offerInside(links) {
    const hosts = new Map()
    let fresh = 0
    for (const { url, rank: depth, hops } of links) {
      const name = url.slice(8, url.indexOf('/', 8))
      let host = hosts.get(name)
      if (host === undefined) {
        const id = findHost.get(name) ?? addHost.run(name).lastInsertRowid
        hosts.set(name, (host = { id, waiting: 0 }))
      }
      if (addLink.run(hash64(url), url, host.id, depth, hops).changes === 0) continue
      host.waiting++
      fresh++
    }
    for (const { id, waiting } of hosts.values()) if (waiting > 0) addWaiting.run(waiting, id)
    return fresh
  }

  function takeInside(max, nowMs = clock()) {
    for (const { id, link, host } of overdue.all(nowMs)) {
      endTicket.run(id)
      setState.run(WAITING, link)
      freeHost.run(0, 1, host)
    }
    const dueMs = nowMs + LEASE_MS
    const tickets = readyHosts.all(nowMs, max).map(({ id: hostId, name }) => {
      const { id: linkId, ...link } = firstLink.get(hostId)
      setState.run(LEASED, linkId)
      leaseHost.run(hostId)
      const id = addTicket.run(linkId, hostId, dueMs).lastInsertRowid
      return { ...link, id, host: name, dueMs }
    })
    return { tickets }
  }

  function settleInside(settlements, nowMs = clock()) {
    let fresh = 0
    for (const { ticketId, links, delayMs } of settlements) {
      const ticket = endTicket.get(ticketId)
      if (ticket === undefined) throw new Error(`ticket ${ticketId} is closed`)
      setState.run(DONE, ticket.link)
      freeHost.run(nowMs + delayMs, 0, ticket.host)
      if (links.length > 0) fresh += offerInside(links)
    }
    return fresh
  }

  // Tickets that were open at the last closing, or crash, come back.
  db.transaction(takeInside).immediate(0, Number.MAX_SAFE_INTEGER)

  return {
    offer: db.transaction(offerInside).immediate,
    take: db.transaction(takeInside).immediate,
    settle: db.transaction(settleInside).immediate,
    close: () => db.close(),
  }
}

const halves = new Int32Array(2)
const whole = new BigInt64Array(halves.buffer)
/** Two multiplicative hashes of 32 bits, as one number. */
function hash64(text) {
  let [low, high] = [0x2545f491, 0x6c078965]
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    low = Math.imul(low ^ unit, 0x9e3779b1)
    high = Math.imul(high ^ unit, 0x5f356495)
  }
  halves[0] = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ (high >>> 13)
  halves[1] = Math.imul(high ^ (high >>> 16), 0xc2b2ae35) ^ (low >>> 13)
  return whole[0]
}
