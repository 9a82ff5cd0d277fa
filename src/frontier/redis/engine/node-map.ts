import { ErrorReply } from '@redis/client'
import { message } from '../../../base/messages/message.ts'
import { LostConnection, RedisConnection, type Reply } from './connection.ts'
import { isRefusal } from './faults.ts'
import type { Primary } from './primary.ts'
import { SLOTS } from './slot.ts'
import { type NodeAddress, shownAddress, type Where } from './where.ts'

/** How many processes are asked at once who has which slots: the first answer counts. */
const ASKED_AT_ONCE = 3

/** Slots in a row, their primary, and its replicas that are alive. */
interface Range {
  readonly from: number
  readonly to: number
  readonly primary: NodeAddress
  readonly replicas: readonly NodeAddress[]
}

/** Which primary has which slot. The first answer is believed: a wrong map is corrected by the first MOVED. */
export class NodeMap {
  private readonly where: Where
  private readonly makePrimary: (address: NodeAddress) => Primary
  private owners: (Primary | undefined)[] = new Array(SLOTS).fill(undefined)
  private primaries = new Map<string, Primary>()
  /** Which processes to ask: those of the URL, and all that the last map named. */
  private known: NodeAddress[]
  private turn = 0
  /** Connections that ask for nothing else: a WAIT would hold the answer up. */
  private readonly connections = new Map<string, RedisConnection>()
  private asking: Promise<void> | undefined
  private hadReplicas = false
  private isEnded = false

  constructor(where: Where, makePrimary: (address: NodeAddress) => Primary) {
    this.where = where
    this.makePrimary = makePrimary
    this.known = [...where.addresses]
  }

  ownerOf(slot: number): Primary | undefined {
    return this.owners[slot]
  }

  all(): readonly Primary[] {
    return [...this.primaries.values()]
  }

  get isComplete(): boolean {
    return !this.owners.includes(undefined)
  }

  /** A primary said that another one has this slot now. */
  move(slot: number, { host, port }: NodeAddress, saidBy: Primary): void {
    this.owners[slot] = this.primaryAt({ host: host === '' ? saidBy.address.host : host, port })
  }

  /** Asks for the map anew. Fails with an ErrorReply when we are refused, with LostConnection when no process answers. */
  refresh(): Promise<void> {
    this.asking ??= this.askSome().finally(() => (this.asking = undefined))
    return this.asking
  }

  end(): void {
    this.isEnded = true
    for (const one of [...this.primaries.values(), ...this.connections.values()]) one.end()
  }

  private async askSome(): Promise<void> {
    const count = Math.min(ASKED_AT_ONCE, this.known.length)
    const some = Array.from({ length: count }, (_, i) => this.known[(this.turn + i) % this.known.length]!)
    this.turn = (this.turn + count) % this.known.length
    try {
      this.take(await Promise.any(some.map(address => this.askOne(address))))
    } catch (error) {
      const { errors } = error as AggregateError
      throw errors.find(isRefusal) ?? errors.find(one => !(one instanceof LostConnection && one.isFinal)) ?? errors[0]
    }
  }

  private async askOne(address: NodeAddress): Promise<readonly Range[]> {
    const key = shownAddress(address)
    let connection = this.connections.get(key)
    if (!connection?.isOpen) {
      connection = await RedisConnection.open(address, this.where)
      this.connections.get(key)?.end()
      this.connections.set(key, connection)
      if (this.isEnded) connection.end()
    }
    return rangesAt(connection)
  }

  private take(ranges: readonly Range[]): void {
    const owners: (Primary | undefined)[] = new Array(SLOTS).fill(undefined)
    const alive = new Set<Primary>()
    this.hadReplicas ||= ranges.some(({ replicas }) => replicas.length > 0)
    for (const { from, to, primary, replicas } of ranges) {
      const owner = this.primaryAt(primary)
      owner.wished = this.where.wait ?? (this.hadReplicas ? 1 : 0)
      owner.replicas = replicas.length
      alive.add(owner)
      owners.fill(owner, from, to + 1)
    }
    this.owners = owners
    for (const [key, primary] of this.primaries) {
      if (alive.has(primary)) continue
      // Demoted, or gone: what is still asked there is asked again at the slot's new primary.
      this.primaries.delete(key)
      primary.end()
    }
    const named = ranges.flatMap(({ primary, replicas }) => [primary, ...replicas])
    const all = new Map([...named, ...this.where.addresses].map(address => [shownAddress(address), address]))
    this.known = [...all.values()]
    for (const [key, connection] of this.connections) {
      if (all.has(key)) continue
      this.connections.delete(key)
      connection.end()
    }
  }

  private primaryAt(address: NodeAddress): Primary {
    const key = shownAddress(address)
    let primary = this.primaries.get(key)
    if (primary === undefined) this.primaries.set(key, (primary = this.makePrimary(address)))
    return primary
  }
}

/** The ranges that a process knows of; without cluster mode it has all slots itself. */
async function rangesAt(connection: RedisConnection): Promise<readonly Range[]> {
  let slots: Reply
  try {
    slots = await connection.send(['CLUSTER', 'SLOTS'])
  } catch (error) {
    if (!(error instanceof ErrorReply) || !/cluster support disabled/i.test(error.message)) throw error
    return [await alone(connection)]
  }
  if (listOf(slots).length === 0) throw new LostConnection(message('redis/slots-missing'))
  return listOf(slots).map(range => rangeOf(range, connection.address))
}

async function alone(connection: RedisConnection): Promise<Range> {
  const [role, , replicas] = listOf(await connection.send(['ROLE']))
  if (String(role) !== 'master') throw new LostConnection(message('redis/is-replica'))
  const count = listOf(replicas).length
  // Replicas of a single primary are counted, never asked.
  return { from: 0, to: SLOTS - 1, primary: connection.address, replicas: new Array(count).fill(connection.address) }
}

/** `[from, to, [host, port, id, …], replica…]`; a host that is empty or unknown is the one that was asked. */
function rangeOf(range: Reply, asked: NodeAddress): Range {
  const [from, to, ...nodes] = listOf(range)
  const [primary, ...replicas] = nodes.map(node => {
    const [host, port] = listOf(node)
    const name = host === null ? '' : String(host)
    return { host: name === '' || name === '?' ? asked.host : name, port: numberOf(port) }
  })
  if (primary === undefined) throw new LostConnection(message('redis/not-an-engine'), true)
  return { from: numberOf(from), to: numberOf(to), primary, replicas }
}

function listOf(reply: Reply | undefined): readonly Reply[] {
  if (!Array.isArray(reply)) throw new LostConnection(message('redis/not-an-engine'), true)
  return reply
}

function numberOf(reply: Reply | undefined): number {
  if (typeof reply !== 'number') throw new LostConnection(message('redis/not-an-engine'), true)
  return reply
}
