// The engines that shared crawls are tested on: Redis 7.0, the oldest one that is supported, and Valkey, the one that is recommended.
import { existsSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'

export interface EngineProgram {
  readonly name: string
  /** A file, or the name of a command. */
  readonly path: string
  /** Why its tests are skipped; undefined: they run. */
  readonly skip: string | undefined
}

export const REDIS: EngineProgram = {
  name: 'Redis',
  path: process.env.ESCALONA_REDIS_SERVER || 'redis-server',
  skip: undefined,
}

export const VALKEY: EngineProgram = valkey()

export const ENGINES: readonly EngineProgram[] = [REDIS, VALKEY]

/** Declares a test on each engine; one that this machine does not have is counted as skipped. */
export function testOnEngines(name: string, body: (t: TestContext, program: EngineProgram) => Promise<void>): void {
  for (const program of ENGINES)
    test(`${name} (${program.name})`, { ...(program.skip && { skip: program.skip }) }, t => body(t, program))
}

/** As `needsValkey` in scripts/needs.mjs leaves it. */
function valkey(): EngineProgram {
  const installed = fileURLToPath(
    new URL('../../../node_modules/.cache/escalona-valkey/valkey-server', import.meta.url),
  )
  const path = process.env.ESCALONA_VALKEY_SERVER || installed
  const skip = existsSync(path) ? undefined : 'there is no Valkey: node scripts/setup.mjs --redis says why'
  return { name: 'Valkey', path, skip }
}
