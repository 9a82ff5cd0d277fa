import { join } from 'node:path'
import { unixClock } from '../../base/clock.ts'
import { EscalonaError } from '../../base/errors.ts'
import { makeFolder } from '../../base/files/make-folder.ts'
import { replaceFile } from '../../base/files/whole-file.ts'
import { isSystemError, reasonOf } from '../../base/system-error.ts'
import { version } from '../../base/version.ts'
import { printable } from '../../base/words/printable.ts'
import { isWhere } from '../../frontier/redis/engine/where.ts'
import { reportFiles } from '../../report/report-files.ts'
import { endingWords } from '../crawl/ending-words.ts'
import { say } from '../terminal/say.ts'
import { wrongUse } from '../terminal/wrong-use.ts'
import { type Asked, SEE_FRONTIER } from './frontier-command.ts'
import { frontierWords } from './frontier-words.ts'

/** `report`: `report.html` and `report.json` about the whole crawl. */
export async function writeReport({ place, where, values }: Asked): Promise<number> {
  const folder = values.output ?? (isWhere(where) ? '' : where)
  if (folder === '') throw wrongUse(frontierWords().noOutput, SEE_FRONTIER)
  const { json, html } = reportFiles({ ...(await place.report()), atMs: unixClock(), version: version() })
  try {
    makeFolder(folder)
    replaceFile(join(folder, 'report.json'), write => write(Buffer.from(json)))
    replaceFile(join(folder, 'report.html'), write => write(Buffer.from(html)))
  } catch (error) {
    if (!isSystemError(error)) throw error
    const message = endingWords().reportUnwritable(printable(folder), reasonOf(error))
    throw new EscalonaError('FILE_UNWRITABLE', message, { cause: error })
  }
  say('info', frontierWords().reported(printable(join(folder, 'report.html'))))
  return 0
}
