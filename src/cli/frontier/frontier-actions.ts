// What `escalona frontier` does; loaded when an action is run, and not for help or a mistake.

import { isWhere, parseWhere } from '../../frontier/redis/engine/where.ts'
import { FolderPlace } from '../../view/places/folder-place.ts'
import type { FrontierPlace } from '../../view/places/place.ts'
import { redisPassword } from '../terminal/redis-password.ts'
import { say } from '../terminal/say.ts'
import { clearFrontier } from './frontier-clear.ts'
import type { ActionName, Asked } from './frontier-command.ts'
import { exportFrontier, importFrontier } from './frontier-dump.ts'
import { explainUrl, showPlaceHosts, showStats } from './frontier-look.ts'
import { writeReport } from './frontier-report.ts'

/** Each returns the exit code. */
export const RUN: Readonly<Record<ActionName, (asked: Asked) => Promise<number>>> = {
  stats: showStats,
  hosts: showPlaceHosts,
  explain: explainUrl,
  export: exportFrontier,
  import: importFrontier,
  report: writeReport,
  clear: clearFrontier,
}

export async function placeAt(where: string): Promise<FrontierPlace> {
  const password = redisPassword(process.env)
  if (!isWhere(where)) return new FolderPlace(where, password)
  const { RedisPlace } = await import('../../view/places/redis-place.ts')
  return new RedisPlace(parseWhere(where, password), message => say('warn', message))
}
