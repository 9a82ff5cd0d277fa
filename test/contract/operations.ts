// Random operations as data, so that a failing list of them can be printed, shortened and played again.
import type { Link, Outcome } from '../../src/frontier/frontier.ts'
import type { FrontierOptions, FrontierStrategy } from '../model/frontier-oracle.ts'
import type { RandomSource } from '../model/random-source.ts'

/**
 * Which ticket: from 0 up, one of the open tickets (modulo their number, never the same twice in a call). The others
 * make the call fail.
 */
export type Pick = number | 'unknown' | 'closed' | 'repeated'

export type Operation =
  | { readonly do: 'offer'; readonly links: readonly Link[] }
  | { readonly do: 'take'; readonly max: number; readonly passMs: number }
  | { readonly do: 'settle'; readonly settlements: readonly PickedSettlement[]; readonly passMs: number }
  | { readonly do: 'giveBack'; readonly picks: readonly Pick[] }
  | { readonly do: 'renew'; readonly picks: readonly Pick[]; readonly passMs: number }
  | { readonly do: 'tie'; readonly hosts: readonly string[] }
  | { readonly do: 'setDelay'; readonly host: string; readonly delayMs: number }
  | { readonly do: 'blockUntil'; readonly host: string; readonly inMs: number }
  | { readonly do: 'clear'; readonly host?: string }
  | { readonly do: 'look'; readonly urls: readonly string[] }
  | { readonly do: 'reopen' }
  /** Nobody waits for one call before the next one is made. */
  | { readonly do: 'at once'; readonly operations: readonly Operation[] }

export interface PickedSettlement {
  readonly pick: Pick
  readonly outcome: Outcome
  readonly links: readonly Link[]
  readonly delayMs: number | undefined
}

/** What random operations are about, and how often they are what. */
export interface World {
  readonly hosts: readonly string[]
  /** How many different URLs a host has. */
  readonly pages: number
  /** The longest batch of links. */
  readonly batch: number
  /** How often a call is wrong, from 0 to 1. */
  readonly hostility: number
  readonly reopens: boolean
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

export function smallWorld(reopens: boolean): World {
  return { hosts: HOSTS, pages: 12, batch: 12, hostility: 0.05, reopens }
}

/** More hosts and links than fit into the first blocks of anything. */
export function largeWorld(reopens: boolean): World {
  const hosts = [...HOSTS, ...Array.from({ length: 60 }, (_, place) => `h${place}.d${place % 23}.org`)]
  return { hosts, pages: 400, batch: 150, hostility: 0.02, reopens }
}

export function tortureWorld(reopens: boolean): World {
  return { hosts: HOSTS, pages: 300, batch: 30, hostility: 0.02, reopens }
}

/** Every URL of a world. */
export function urlsOf(world: World): string[] {
  return world.hosts.flatMap(host => Array.from({ length: world.pages }, (_, page) => urlOf(host, page)))
}

export function randomOptions(random: RandomSource, strategy: FrontierStrategy): FrontierOptions {
  return {
    strategy,
    seed: random.below(1000),
    leaseMs: random.pick([40, 1000, 60_000]),
    delayMs: random.pick([0, 0, 30, 700]),
    ...(random.chance(0.5) ? { exploreChance: random.pick([0, 0.2, 0.5, 1]) } : {}),
  }
}

export function randomOperations(random: RandomSource, world: World, count: number): Operation[] {
  return Array.from({ length: count }, () => randomOperation(random, world))
}

export function randomOperation(random: RandomSource, world: World): Operation {
  const dice = random.below(1000)
  if (world.reopens && random.chance(0.02)) return { do: 'reopen' }
  if (dice < 60) {
    return { do: 'at once', operations: Array.from({ length: 2 + random.below(5) }, () => randomCall(random, world)) }
  }
  if (dice < 130) return { do: 'look', urls: Array.from({ length: 8 }, () => randomUrl(random, world)) }
  return randomCall(random, world)
}

/** A call that changes something. */
function randomCall(random: RandomSource, world: World): Operation {
  const dice = random.below(1000)
  if (dice < 230) return { do: 'offer', links: randomLinks(random, world) }
  if (dice < 530) return { do: 'take', max: random.pick([-1, 0, 1, 1, 2, 3, 5, 20]), passMs: randomPass(random) }
  if (dice < 790) return randomSettle(random, world)
  if (dice < 850) return { do: 'renew', picks: randomPicks(random, world), passMs: randomPass(random) }
  if (dice < 890) return { do: 'setDelay', host: randomHost(random, world), delayMs: random.pick([0, 5, 100, 3000]) }
  if (dice < 930)
    return { do: 'blockUntil', host: randomHost(random, world), inMs: random.pick([-50, 0, 5, 100, 4000]) }
  if (dice < 950) return { do: 'tie', hosts: Array.from({ length: random.below(4) }, () => randomHost(random, world)) }
  if (world.oneVisitEach) return { do: 'offer', links: randomLinks(random, world) }
  if (dice < 985) return { do: 'giveBack', picks: randomPicks(random, world) }
  if (dice < 997) return { do: 'clear', host: randomHost(random, world) }
  return { do: 'clear' }
}

function randomSettle(random: RandomSource, world: World): Operation {
  const settlements = randomPicks(random, world).map(pick => ({
    pick,
    outcome: randomOutcome(random, world),
    links: random.chance(0.5) ? randomLinks(random, world) : [],
    delayMs: random.pick([undefined, 0, 0, 3, 50, 1000, 20_000]),
  }))
  return { do: 'settle', settlements, passMs: randomPass(random) }
}

function randomOutcome(random: RandomSource, world: World): Outcome {
  if (!world.oneVisitEach && random.chance(0.3)) return { kind: 'again' }
  if (random.chance(0.3)) return { kind: 'refused', reason: random.pick(['robots', 'scope', '', 'ünïcode']) }
  return { kind: 'done' }
}

function randomPicks(random: RandomSource, world: World): Pick[] {
  const picks: Pick[] = Array.from({ length: random.pick([0, 1, 1, 2, 4, 9]) }, () => random.below(1000))
  if (random.chance(world.hostility)) {
    picks.splice(random.below(picks.length + 1), 0, random.pick(['unknown', 'closed', 'repeated'] as const))
  }
  return picks
}

export function randomLinks(random: RandomSource, world: World): Link[] {
  const links = Array.from({ length: random.below(random.pick([2, world.batch])) }, () => randomLink(random, world))
  if (random.chance(world.hostility)) {
    const url = random.pick([
      'http://',
      'mailto:a@b.com',
      '',
      '/x',
      'http:///x',
      `http://long.com/${'x'.repeat(65_536)}`,
    ])
    links.splice(random.below(links.length + 1), 0, { url, depth: 0, hops: 0 })
  }
  return links
}

function randomLink(random: RandomSource, world: World): Link {
  const depth = random.chance(0.1) ? random.pick([200, 254, 255, 256, 300]) : random.below(4)
  return { url: randomUrl(random, world), depth, hops: random.pick([0, 1, 2, 3, 400]) }
}

function randomUrl(random: RandomSource, world: World): string {
  return urlOf(randomHost(random, world), random.below(world.pages))
}

function urlOf(host: string, page: number): string {
  const path = page === 0 ? '' : page % 3 === 0 ? `?q=${page}` : page % 7 === 0 ? `/ö/${page}` : `/${page}`
  return `http://${host}${path}`
}

function randomHost(random: RandomSource, world: World): string {
  return random.pick(world.hosts)
}

function randomPass(random: RandomSource): number {
  return random.pick([0, 0, 0, 1, 7, 39, 40, 41, 300, 1000, 5000])
}
