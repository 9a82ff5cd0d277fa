// The parts of the benchmark. Each starts its own servers and clients, and returns rows of figures by name.
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startClients } from './clients.mjs'
import { startServers } from './servers.mjs'

export const ONE = 'Escalona, 1 primary, 1 client'
export const THREE = 'Escalona, 3 primaries, 2 clients'
export const AS_IT_IS = 'scrapy-redis, 1 primary, 1 client'
export const PIPELINED = 'the same, pipelined'
export const WAITING = 'wait=1, 3 primaries with a replica each'
export const BYTES = 'bytes per URL'
export const MANY = 'Escalona, 3 primaries, 2 clients, 10 million known'

const ESCALONA = { module: fileURLToPath(new URL('peer-escalona.mjs', import.meta.url)) }
const SCRAPY_REDIS = { module: fileURLToPath(new URL('peer-scrapy-redis.mjs', import.meta.url)) }
/** The share of the links and visits that goes before the measured ones. */
const WARM_UP = 0.05
/** How many links are made at a time. */
const STEP = 200_000
/** By then, what was buffered for the append-only file is written, and what is freed later has been freed. */
const SETTLING_MS = 1500

/** Offers and visits per second, and what they cost the engine and the client. */
export async function rates({ known, visits }) {
  return {
    [ONE]: await withServers({ primaries: 1 }, servers => ratesOn(servers, 1, known, visits)),
    [THREE]: await withServers({ primaries: 3 }, servers => ratesOn(servers, 2, known, visits)),
  }
}

async function ratesOn(servers, clients, known, visits) {
  const row = await withClients(servers, clients, ESCALONA, async all => ({
    ...(await offers(all, known)),
    ...(await visitsOf(all, visits)),
  }))
  await servers.flush()
  // With servers, in a crawl of its own: all hosts have links left.
  const placed = await withClients(servers, clients, ESCALONA, async all => {
    await all.place(known)
    await all.offer(known)
    return visitsOf(all, visits)
  })
  return {
    ...row,
    placedVisitsPerSecond: placed.visitsPerSecond,
    placedVisitEngineUs: placed.visitEngineUs,
    placedVisitClientUs: placed.visitClientUs,
  }
}

/** The layout of scrapy-redis, as it is and pipelined. A tenth of the links is enough for one that asks one by one. */
export async function peers({ known, visits }) {
  return {
    [AS_IT_IS]: await withServers({}, servers =>
      withClients(servers, 1, SCRAPY_REDIS, async all => ({
        ...(await offers(all, known / 10)),
        ...(await visitsOf(all, Math.min(visits, known / 20))),
      })),
    ),
    [PIPELINED]: await withServers({}, servers =>
      withClients(servers, 1, { ...SCRAPY_REDIS, isPipelined: true }, all => offers(all, known)),
    ),
  }
}

/** What it costs to wait until a replica has it, on the same cluster. */
export function wait({ known }) {
  return withServers({ primaries: 3, replicas: 1 }, async servers => {
    const without = await withClients(servers, 2, { ...ESCALONA, wait: 0 }, all => offers(all, known))
    await servers.flush()
    const waiting = await withClients(servers, 2, { ...ESCALONA, wait: 1 }, all => offers(all, known))
    return { [WAITING]: { ...waiting, shareOfOffers: waiting.offersPerSecond / without.offersPerSecond } }
  })
}

/** What a URL of 49 characters takes in memory, while it waits and after it was settled, and a host with one such URL. */
export async function bytes({ known }) {
  const [few, some] = [known / 50, known / 4]
  const settle = async (all, links) => {
    await all.offer(links, 'even')
    await all.visit()
  }
  const alone = (all, links) => all.offer(links, 'alone')
  const waiting = await bytesPerUrl({ primaries: 3 }, 2, ESCALONA, [few, known], fill)
  const settled = await bytesPerUrl({ primaries: 3 }, 2, ESCALONA, [few, some], settle)
  const aloneAtItsHost = await bytesPerUrl({ primaries: 3 }, 2, ESCALONA, [few, some], alone)
  const peer = await bytesPerUrl({}, 1, { ...SCRAPY_REDIS, isPipelined: true }, [few, known], fill)
  const row = { known, waiting: waiting.memory, settled: settled.memory, aloneAtItsHost: aloneAtItsHost.memory }
  Object.assign(row, { waitingOnDisk: waiting.disk, settledOnDisk: settled.disk })
  return { [BYTES]: { ...row, 'scrapy-redis': peer.memory } }
}

/** What each URL costs between the two numbers of known ones, in memory and in the append-only file. */
function bytesPerUrl(shape, clients, peer, [few, many], work) {
  return withServers(shape, servers =>
    withClients(servers, clients, peer, async all => {
      const bytesAt = async known => {
        await work(all, known)
        await sleep(SETTLING_MS)
        return { memory: (await servers.use()).bytes, disk: await servers.fileBytes(), known: all.known() }
      }
      const [before, after] = [await bytesAt(few), await bytesAt(many)]
      const perUrl = key => (after[key] - before[key]) / (after.known - before.known)
      return { memory: perUrl('memory'), disk: perUrl('disk') }
    }),
  )
}

/** The same rates, and bytes, with 10 million known. */
export async function huge({ visits }) {
  const known = 10_000_000
  return withServers({ primaries: 3 }, async servers => {
    const empty = await servers.use()
    const row = await withClients(servers, 2, ESCALONA, async all => {
      await fill(all, known - 200_000)
      const offered = measured('offer', await all.offer(known))
      await sleep(SETTLING_MS)
      const full = await servers.use()
      return { ...offered, ...(await visitsOf(all, visits)), bytesPerUrl: (full.bytes - empty.bytes) / all.known() }
    })
    return { [MANY]: row }
  })
}

async function offers(all, known) {
  await all.offer(known * WARM_UP)
  return measured('offer', await all.offer(known))
}

async function visitsOf(all, visits) {
  await all.visit(visits * WARM_UP * 2)
  return measured('visit', await all.visit(visits))
}

function measured(what, { perSecond, engineUs, clientUs }) {
  return { [`${what}sPerSecond`]: perSecond, [`${what}EngineUs`]: engineUs, [`${what}ClientUs`]: clientUs }
}

/** In steps, since a client makes its links before it offers them. */
async function fill(all, known) {
  for (let step = all.known() + STEP; step < known; step += STEP) await all.offer(step)
  await all.offer(known)
}

async function withServers(shape, work) {
  const servers = await startServers(shape)
  try {
    return await work(servers)
  } finally {
    await servers.stop()
  }
}

async function withClients(servers, clients, setup, work) {
  const all = await startClients(servers, clients, setup)
  try {
    return await work(all)
  } finally {
    await all.close()
  }
}
