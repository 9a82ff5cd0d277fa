import { EscalonaError } from '../../../base/errors.ts'
import { said } from '../../../base/messages/message.ts'
import { excerpt } from '../../../base/words/printable.ts'
import type { Argument, Reply } from './connection.ts'
import { faultOf } from './faults.ts'

/** Oldest version of Redis whose scripts have flags. Valkey says which version of Redis it is compatible with. */
const OLDEST_MAJOR = 7

/** Something about an engine's settings that puts a crawl at risk. */
type Advice =
  | 'redis/evicts-rules'
  | 'redis/not-appending'
  | 'redis/never-synced'
  | 'redis/not-required'
  | 'redis/no-info'
  | 'redis/no-config'
type Ask = (command: readonly Argument[]) => Promise<Reply>

/** How many nodes a sentence names. */
const NODES_NAMED = 3

/**
 * Looks at the settings of primaries, as INFO and CONFIG show them. `wait`: as the URL says. Returns a sentence for each setting that puts the
 * crawl at risk, with what to set instead. Throws when no crawl can work there: scripts would not run, or URLs would be deleted.
 */
export async function adviceFor(
  primaries: readonly { readonly node: string; readonly ask: Ask }[],
  wait = 0,
): Promise<readonly string[]> {
  const nodes = new Map<Advice, string[]>()
  await Promise.all(
    primaries.map(async ({ node, ask }) => {
      for (const one of await inspect(node, ask, wait)) nodes.set(one, [...(nodes.get(one) ?? []), node])
    }),
  )
  return [...nodes].map(([advice, all]) => {
    const named = all.slice(0, NODES_NAMED).join(', ')
    return said(advice, { node: all.length > NODES_NAMED ? `${named} …` : named, wait })
  })
}

async function inspect(node: string, ask: Ask, wait: number): Promise<readonly Advice[]> {
  const info = fieldsOf(await allowed(ask(['INFO'])))
  if (info === undefined) return ['redis/no-info']
  const version = info.get('redis_version')
  if (version !== undefined && Number.parseInt(version, 10) < OLDEST_MAJOR)
    throw new EscalonaError('FRONTIER_ENGINE_TOO_OLD', { node, version: excerpt(version, 40) })
  const policy = info.get('maxmemory_policy') ?? 'noeviction'
  const isBounded = info.get('maxmemory') !== '0'
  if (isBounded && policy.startsWith('allkeys'))
    throw new EscalonaError('FRONTIER_ENGINE_EVICTS', { node, policy: excerpt(policy, 40) })
  const advice: Advice[] = []
  // Only robots.txt rules expire.
  if (isBounded && policy.startsWith('volatile')) advice.push('redis/evicts-rules')
  if (info.get('aof_enabled') === '0') advice.push('redis/not-appending')
  else {
    // The only setting that INFO does not show.
    const sync = await allowed(ask(['CONFIG', 'GET', 'appendfsync']))
    if (sync === undefined) advice.push('redis/no-config')
    else if (Array.isArray(sync) && String(sync[1]) === 'no') advice.push('redis/never-synced')
  }
  if (wait > 0 && !requiresReplicas(info)) advice.push('redis/not-required')
  return advice
}

/** Whether a primary refuses changes while it has too few replicas: INFO counts the good ones only then. */
export async function refusesAlone(ask: Ask): Promise<boolean> {
  const info = fieldsOf(await allowed(ask(['INFO', 'replication'])))
  return info !== undefined && requiresReplicas(info)
}

function requiresReplicas(info: ReadonlyMap<string, string>): boolean {
  return info.has('min_slaves_good_slaves')
}

/** Undefined when the engine does not let us ask that: managed ones often forbid it, or leave the command out. */
async function allowed(asked: Promise<Reply>): Promise<Reply | undefined> {
  try {
    return await asked
  } catch (error) {
    if (faultOf(error) !== undefined) throw error
    return undefined
  }
}

/** The lines `key:value` of INFO. */
function fieldsOf(info: Reply | undefined): ReadonlyMap<string, string> | undefined {
  if (info === undefined) return undefined
  return new Map([...String(info).matchAll(/^(\w+):(.*?)\r?$/gm)].map(([, key, value]) => [key!, value!]))
}
