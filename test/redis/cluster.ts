import { SLOTS } from '../../src/frontier/redis/engine/slot.ts'
import { CLUSTERED, makeServers, type Owner, type Server, type ServerOptions, until } from './servers.ts'

export interface ClusterOptions extends ServerOptions {
  readonly primaries?: number
  /** Per primary. */
  readonly replicas?: number
}

/** Primaries with equal ranges of slots in order, then their replicas; node timeout 2 s. */
export async function startCluster(owner: Owner, options: ClusterOptions = {}): Promise<Cluster> {
  const { primaries = 3, replicas = 1 } = options
  const servers = await makeServers(owner, primaries * (1 + replicas), options, CLUSTERED)
  await Promise.all(servers.map(server => server.start()))
  const cluster = new Cluster(servers, options.password)
  await cluster.form(primaries)
  return cluster
}

export class Cluster {
  readonly servers: readonly Server[]
  private readonly password: string | undefined

  constructor(servers: readonly Server[], password: string | undefined) {
    this.servers = servers
    this.password = password
  }

  /** The URL of a crawl, with the addresses of all servers. */
  url(name: string, query = ''): string {
    const login = this.password === undefined ? '' : `:${encodeURIComponent(this.password)}@`
    return `redis://${login}${this.servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}/${name}${query}`
  }

  /** Without redis-cli, which takes its time. */
  async form(primaries: number): Promise<void> {
    const { servers } = this
    await Promise.all(
      servers.map(async (server, i) => {
        await server.ask('CLUSTER', 'SET-CONFIG-EPOCH', String(i + 1))
        if (i < primaries) {
          const [from, to] = [i, i + 1].map(n => Math.floor((SLOTS * n) / primaries))
          await server.ask('CLUSTER', 'ADDSLOTSRANGE', String(from), String(to! - 1))
        }
      }),
    )
    for (const server of servers) {
      for (const other of servers) {
        if (other !== server) await server.ask('CLUSTER', 'MEET', '127.0.0.1', String(other.port), await busPort(other))
      }
    }
    await until('all to know each other', 10_000, async () => {
      const known = await Promise.all(servers.map(server => knownBy(server)))
      return known.every(count => count === servers.length)
    })
    await Promise.all(
      servers.slice(primaries).map(async (server, i) => {
        const id = String(await servers[i % primaries]!.ask('CLUSTER', 'MYID'))
        await server.ask('CLUSTER', 'REPLICATE', id)
      }),
    )
    await this.whole()
  }

  /** Resolves once every running server sees all slots served, and all replicas copying. */
  async whole(servers: readonly Server[] = this.servers): Promise<void> {
    await until('the cluster to be whole', 60_000, async () => {
      const looks = await Promise.all(servers.map(server => isWhole(server, servers.length)))
      return looks.every(isFine => isFine)
    })
  }

  /** The server that is the primary of a slot, as `seenBy` sees it. */
  async primaryOf(slot: number, seenBy: Server = this.servers[0]!): Promise<Server> {
    const ranges = (await seenBy.ask('CLUSTER', 'SLOTS')) as readonly Range[]
    const range = ranges.find(([from, to]) => from <= slot && slot <= to)!
    return this.at(range[2]![1])
  }

  /** A replica of a primary, as itself sees it. */
  async replicaOf(primary: Server): Promise<Server> {
    const [, , replicas] = (await primary.ask('ROLE')) as [string, number, readonly [string, string][]]
    return this.at(Number(replicas[0]![1]))
  }

  at(port: number): Server {
    return this.servers.find(server => server.port === port)!
  }

  /** Sets an option of all servers that are up. */
  async configure(option: string, value: string): Promise<void> {
    await Promise.all(this.servers.filter(({ isUp }) => isUp).map(server => server.ask('CONFIG', 'SET', option, value)))
  }

  /** Cuts a replica off from its primary's data; in the cluster it goes on as before. */
  async cutOff(replica: Server, primary: Server): Promise<void> {
    await replica.ask('CONFIG', 'SET', 'masterauth', 'a-wrong-password')
    await primary.ask('CLIENT', 'KILL', 'TYPE', 'replica')
  }

  /** Moves a slot by hand, so many keys at once. Returns how many keys it held. */
  async moveSlot(slot: number, from: Server, to: Server, keysAtOnce = 1): Promise<number> {
    const [source, target] = [await from.ask('CLUSTER', 'MYID'), await to.ask('CLUSTER', 'MYID')].map(String)
    const setSlot = (server: Server, ...how: string[]) => server.ask('CLUSTER', 'SETSLOT', String(slot), ...how)
    await setSlot(to, 'IMPORTING', source!)
    await setSlot(from, 'MIGRATING', target!)
    let moved = 0
    for (;;) {
      const keys = await from.raw('CLUSTER', 'GETKEYSINSLOT', String(slot), String(keysAtOnce))
      if (keys.length === 0) break
      const login = this.password === undefined ? [] : ['AUTH', this.password]
      await from.ask('MIGRATE', '127.0.0.1', String(to.port), '', '0', '5000', ...login, 'KEYS', ...keys)
      moved += keys.length
    }
    await setSlot(to, 'NODE', target!)
    await setSlot(from, 'NODE', target!)
    return moved
  }
}

type Node = readonly [string, number, string, ...unknown[]]
type Range = readonly [number, number, ...Node[]]

async function busPort(server: Server): Promise<string> {
  return String(((await server.ask('CONFIG', 'GET', 'cluster-port')) as string[])[1])
}

async function knownBy(server: Server): Promise<number> {
  const nodes = String(await server.ask('CLUSTER', 'NODES'))
  return nodes.split('\n').filter(line => line !== '' && !line.includes('handshake')).length
}

async function isWhole(server: Server, count: number): Promise<boolean> {
  const info = String(await server.ask('CLUSTER', 'INFO'))
  if (!info.includes('cluster_state:ok') || !info.includes('cluster_slots_ok:16384')) return false
  const ranges = (await server.ask('CLUSTER', 'SLOTS')) as readonly Range[]
  const nodes = new Set(ranges.flatMap(([, , ...all]) => all.map(([, port]) => port)))
  const { role, master_link_status: link } = await server.info('replication')
  return nodes.size === count && (role === 'master' || link === 'up')
}
