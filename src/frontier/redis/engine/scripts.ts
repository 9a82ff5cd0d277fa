import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { LuaScript } from './engine.ts'

/**
 * A script of `lua/`, which is beside the code, in dist/ too: its first line says which flags it has; after that line the given files of
 * `lua/parts/` are inserted, in this order.
 */
export function script(path: string, parts: readonly string[] = [], isWrite = true): LuaScript {
  const own = luaFile(path)
  const end = own.indexOf('\n') + 1
  const text = withConstants(
    [own.slice(0, end), ...parts.map(part => luaFile(`parts/${part}`)), own.slice(end)].join(''),
  )
  return { name: path.slice(path.indexOf('/') + 1), text, sha: createHash('sha1').update(text).digest('hex'), isWrite }
}

/** Whether the engine refuses this script while its memory is full. */
export function waitsForMemory({ text }: LuaScript): boolean {
  return !text.startsWith('#!lua flags=allow-oom')
}

/** Puts the values of `-- const: NAME = VALUE, …` in place of their names. Comments are removed: names in them would be replaced too. */
function withConstants(text: string): string {
  const values = new Map<string, string>()
  for (const [, list] of text.matchAll(/^-- const: (.*)$/gm)) {
    for (const [, name, value] of list!.matchAll(/(\w+) = ([^,]+)/g)) values.set(name!, value!)
  }
  return text.replace(/^ *--.*\n/gm, '').replace(/(?<![.\w])[A-Za-z]\w*/g, name => values.get(name) ?? name)
}

function luaFile(path: string): string {
  return readFileSync(new URL(`./lua/${path}.lua`, import.meta.url), 'utf8')
}

/** The parts that go in front of a script. */
export const CALL = ['call']
export const HOSTS = ['call', 'record', 'hosts']
export const OFFERING = ['call', 'record', 'hosts', 'offering']
export const PLANS = [...HOSTS, 'plans']

/**
 * The moves of a shard. `take` and `settle` are without what visits again need: a crawl that makes none does not pay for making these functions at
 * each call.
 */
export const SHARD_SCRIPTS = {
  offer: script('shard/offer', OFFERING),
  take: script('shard/take', [...HOSTS, 'server', 'hold']),
  settle: script('shard/settle', [...OFFERING, 'set-aside', 'rest']),
  takeAgain: script('shard/take', [...PLANS, 'server', 'hold']),
  settleAgain: script('shard/settle', [...OFFERING, 'plans', 'set-aside', 'rest']),
  giveBack: script('shard/give-back', PLANS),
  renew: script('shard/renew', HOSTS),
  placeAt: script('shard/place-at', HOSTS),
  wake: script('shard/wake', HOSTS),
  former: script('shard/former', PLANS),
  revive: script('shard/revive', PLANS),
  requeue: script('shard/requeue', HOSTS),
  setHost: script('shard/set-host', HOSTS),
  clear: script('shard/clear', [...HOSTS, 'set-aside']),
  settleFormer: script('shard/settle-former', [...OFFERING, 'plans']),
  plan: script('shard/plan', PLANS),
  hint: script('shard/hint', PLANS),
  unplan: script('shard/unplan', PLANS),
  weigh: script('shard/weigh', HOSTS),
  wipe: script('shard/wipe', ['call', 'record']),
  note: script('shard/note', CALL),
  noted: script('shard/noted', CALL, false),
  look: script('shard/look', PLANS, false),
  list: script('shard/list', HOSTS, false),
  confirm: script('shard/confirm', [...CALL, 'hold']),
  admit: script('shard/admit', [...CALL, 'server', 'hold']),
  release: script('shard/release', [...CALL, 'server', 'rest']),
  renewTokens: script('shard/renew-tokens', [...CALL, 'server']),
  leaveQueue: script('shard/leave-queue', [...CALL, 'server']),
} as const

/** The moves on what concerns a crawl as a whole. */
export const CRAWL_SCRIPTS = {
  open: script('crawl/open'),
  permit: script('crawl/permit'),
  fence: script('crawl/fence'),
  reserve: script('crawl/reserve'),
  forget: script('crawl/forget'),
  lost: script('crawl/lost'),
  swap: script('crawl/swap'),
} as const
