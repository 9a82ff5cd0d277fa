// Client processes that do the same task at the same time, and what it cost: them, and the servers.
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { FRESH_SHARE } from './work.mjs'

const SCRIPT = fileURLToPath(new URL('client.mjs', import.meta.url))

/** Starts the clients of a peer. `setup`: what its `open` gets, besides which client it is. */
export async function startClients(servers, clients, setup) {
  const children = await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      const words = { addresses: servers.addresses, name: 'bench', shards: 64, wait: 0, ...setup, clients, client }
      const child = fork(SCRIPT, [JSON.stringify(words)])
      await answer(child)
      return child
    }),
  )
  let known = 0

  async function run(task) {
    await Promise.all(children.map(child => said(child, task)))
    const before = await servers.use()
    const start = performance.now()
    const answers = await Promise.all(children.map(child => said(child, 'go')))
    const seconds = (performance.now() - start) / 1000
    const after = await servers.use()
    const sum = key => answers.reduce((all, one) => all + (one[key] ?? 0), 0)
    const count = sum('count')
    return {
      count,
      fresh: sum('fresh'),
      perSecond: count / seconds,
      engineUs: ((after.cpuSeconds - before.cpuSeconds) / count) * 1e6,
      clientUs: (sum('cpuSeconds') / count) * 1e6,
    }
  }

  return {
    /** Offers batches until so many links are known. */
    async offer(wanted, load = 'usual') {
      const done = await run({ name: 'offer', from: known / clients, to: wanted / clients, load })
      const before = known
      known += done.count * FRESH_SHARE
      if (done.fresh !== known - before) throw new Error(`${done.fresh} links were new instead of ${known - before}`)
      return done
    },
    /** Takes and settles so many links; without a number, all that are left. */
    async visit(wanted) {
      const done = await run({ name: 'visit', visits: wanted && Math.ceil(wanted / clients) })
      if (done.count < (wanted ?? 0)) throw new Error(`${done.count} links were visited instead of ${wanted}`)
      return done
    },
    /** Gives each host that so many links bring a server. */
    place: wanted => run({ name: 'place', known: wanted }),
    known: () => known,
    async close() {
      await Promise.all(
        children.map(child => {
          child.disconnect()
          return new Promise(resolve => child.once('exit', resolve))
        }),
      )
    },
  }
}

function said(child, message) {
  child.send(message)
  return answer(child)
}

/** The next message of a child; an error when it ends instead. */
function answer(child) {
  return new Promise((resolve, reject) => {
    const onExit = code => reject(new Error(`a client ended with ${code}`))
    child.once('exit', onExit)
    child.once('message', message => {
      child.off('exit', onExit)
      resolve(message)
    })
  })
}
