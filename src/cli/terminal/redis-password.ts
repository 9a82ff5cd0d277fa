import type { Environment } from '../crawl/host-secrets.ts'

/** The password of a frontier that machines share, for a URL without one. */
export function redisPassword(env: Environment): string | undefined {
  return env.ESCALONA_REDIS_PASSWORD || undefined
}
