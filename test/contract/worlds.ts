// What random operations are about.
import type { Link, Shown } from '../../src/frontier/frontier.ts'
import type { RandomSource } from '../model/random-source.ts'

export interface World {
  readonly hosts: readonly string[]
  readonly servers: readonly string[]
  /** How many different URLs a host has. */
  readonly pages: number
  /** The longest batch of links. */
  readonly batch: number
  /** How often a call is wrong, from 0 to 1. */
  readonly hostility: number
  /** How often a link is an auxiliary link, from 0 to 1. */
  readonly auxiliaries: number
  readonly reopens: boolean
  /** How often a page link is refused when it is offered, from 0 to 1. */
  readonly refusals: number
  /** What visits show; by chance when nothing is said. */
  readonly shown?: readonly (Shown | undefined)[]
  /** Some calls are made without waiting for the one before; default true. */
  readonly atOnce?: boolean
  /** The clock may go back while it is closed; default true. */
  readonly goesBack?: boolean
  /** Hosts are placed at servers; default true. */
  readonly places?: boolean
  /** Options are changed; default false. */
  readonly changes?: boolean
  /** Done links are visited again; default false. */
  readonly revisits?: boolean
  /** `settle` never asks for a second visit, nothing is given back, cleared or run out. */
  readonly oneVisitEach?: boolean
}

/** Some share a domain, some a name but not a port, some have no domain at all. */
const HOSTS = [
  'a.com',
  'b.com',
  'www.a.com',
  'x.a.com:8080',
  'a.com:81',
  'c.co.uk',
  'd.co.uk',
  'localhost',
  '10.0.0.1',
  '10.0.0.1:99',
  '[::1]:80',
  'é.example',
  'E.example',
]
/** `scope` is also given by visits; the last one makes no ordinary key of an object. */
const HELD_FOR = ['scope', 'max-depth', '__proto__']
const SERVERS = ['192.0.2.1', '192.0.2.2', '2001:db8::3']

export function smallWorld(reopens: boolean): World {
  return {
    ...{ hosts: HOSTS, servers: SERVERS, pages: 12, batch: 12 },
    ...{ hostility: 0.05, auxiliaries: 0.08, refusals: 0.1, reopens },
  }
}

/** More hosts and links than fit into the first blocks of anything. */
export function largeWorld(reopens: boolean): World {
  const hosts = [...HOSTS, ...Array.from({ length: 60 }, (_, place) => `h${place}.d${place % 23}.org`)]
  return { ...smallWorld(reopens), hosts, servers: servers(15), pages: 400, batch: 150, hostility: 0.02 }
}

/** Thousands of hosts with few links each: what is kept per host grows while it is in use. */
export function wideWorld(reopens: boolean): World {
  const hosts = [...HOSTS, ...Array.from({ length: 4000 }, (_, place) => `h${place}.d${place % 900}.org`)]
  return {
    ...smallWorld(reopens),
    hosts,
    servers: servers(400),
    pages: 3,
    batch: 400,
    hostility: 0.02,
    auxiliaries: 0.03,
  }
}

export function tortureWorld(reopens: boolean): World {
  return { ...smallWorld(reopens), pages: 300, batch: 30, hostility: 0.02 }
}

function servers(count: number): string[] {
  return Array.from({ length: count }, (_, place) => `198.51.${place >> 8}.${place & 255}`)
}

/** Every URL of a world. */
export function urlsOf(world: World): string[] {
  return world.hosts.flatMap(host => Array.from({ length: world.pages }, (_, page) => urlOf(host, page)))
}

export function randomLinks(random: RandomSource, world: World): Link[] {
  const links = Array.from({ length: random.below(random.pick([2, world.batch])) }, () => randomLink(random, world))
  if (random.chance(world.hostility)) links.splice(random.below(links.length + 1), 0, badLink(random))
  return links
}

/** A link with one thing wrong. */
export function badLink(random: RandomSource): Link {
  const wrong = random.pick<unknown>([
    ...['http://', 'mailto:a@b.com', '', '/x', 'http:///x', `http://long.com/${'x'.repeat(65_536)}`].map(url => ({
      url,
    })),
    ...[-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY].flatMap(value => [{ rank: value }, { hops: value }]),
    { hops: 2 ** 31 },
    { kind: 'picture' },
    { note: 'é'.repeat(2049) },
    { refused: 'é'.repeat(101) },
    { refused: 404 },
    { kind: 'robots', refused: 'scope' },
    ...[-0.1, Number.NaN, Number.POSITIVE_INFINITY].map(gives => ({ gives })),
  ])
  return { url: 'http://bad.com/', rank: 0, hops: 0, ...(wrong as object) }
}

function randomLink(random: RandomSource, world: World): Link {
  const rank = random.chance(0.1) ? random.pick([200, 254, 255, 256, 300]) : random.below(4)
  const hops = random.pick([0, 1, 2, 3, 400, 2 ** 31 - 1])
  const note = random.chance(0.2) ? { note: random.pick(['n', 'http://from.com/ü', 'x'.repeat(300)]) } : {}
  if (!random.chance(world.auxiliaries)) {
    const refused = random.chance(world.refusals) ? { refused: random.pick(HELD_FOR) } : {}
    // Sums of these are exact in any order.
    const gives = random.chance(0.2) ? { gives: random.pick([0, 1 / 4096, 1 / 64, 1, 2.5]) } : {}
    return { url: randomUrl(random, world), rank, hops, ...note, ...refused, ...gives }
  }
  const kind = random.pick(['robots', 'sitemap'] as const)
  return { url: `http://${randomHost(random, world)}/${kind}.txt`, kind, rank, hops, ...note }
}

export function randomUrl(random: RandomSource, world: World): string {
  return urlOf(randomHost(random, world), random.below(world.pages))
}

function urlOf(host: string, page: number): string {
  const path = page === 0 ? '' : page % 3 === 0 ? `?q=${page}` : page % 7 === 0 ? `/ö/${page}` : `/${page}`
  return `http://${host}${path}`
}

export function randomHost(random: RandomSource, world: World): string {
  return random.pick(world.hosts)
}
