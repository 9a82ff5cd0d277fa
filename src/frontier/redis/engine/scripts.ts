import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Script } from './engine.ts'

/**
 * A script of `lua/`: its first line says which flags it has; after that line the given parts are put in front of it, in this
 * order. The files lie beside the code, in dist/ too.
 */
export function script(name: string, parts: readonly string[] = [], isWrite = true): Script {
  const own = luaFile(name)
  const end = own.indexOf('\n') + 1
  const text = withConstants([own.slice(0, end), ...parts.map(luaFile), own.slice(end)].join(''))
  return { name, text, sha: createHash('sha1').update(text).digest('hex'), isWrite }
}

/** Whether the engine refuses this script while its memory is full. */
export function waitsForMemory({ text }: Script): boolean {
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

function luaFile(name: string): string {
  return readFileSync(new URL(`./lua/${name}.lua`, import.meta.url), 'utf8')
}

/** The parts that go in front of a script. */
export const CALL = ['call']
export const HOSTS = ['call', 'record', 'hosts']
export const OFFERING = ['call', 'record', 'hosts', 'offering']

/** The moves of a shard. */
export const SHARD_SCRIPTS = {
  offer: script('offer', OFFERING),
  take: script('take', [...HOSTS, 'server', 'hold']),
  settle: script('settle', [...OFFERING, 'burying', 'rest']),
  giveBack: script('give-back', HOSTS),
  renew: script('renew', HOSTS),
  placeAt: script('place-at', HOSTS),
  wake: script('wake', HOSTS),
  former: script('former', HOSTS),
  revive: script('revive', HOSTS),
  requeue: script('requeue', HOSTS),
  setHost: script('set-host', HOSTS),
  clear: script('clear', [...HOSTS, 'burying']),
  settleFormer: script('settle-former', OFFERING),
  wipe: script('wipe', ['call', 'record']),
  note: script('note', CALL),
  noted: script('noted', CALL, false),
  look: script('look', HOSTS, false),
  list: script('list', HOSTS, false),
  confirm: script('confirm', [...CALL, 'hold']),
  admit: script('admit', [...CALL, 'server', 'hold']),
  release: script('release', [...CALL, 'server', 'rest']),
  renewTokens: script('renew-tokens', [...CALL, 'server']),
  leaveLine: script('leave-line', [...CALL, 'server']),
} as const
