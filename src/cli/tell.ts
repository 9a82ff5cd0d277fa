import { writeSync } from 'node:fs'
import { untilReady } from '../base/patience.ts'

/** Writes to standard error, at once and in order. Somebody who closed it does not want to know. */
export function tell(text: string): void {
  const bytes = Buffer.from(text)
  try {
    for (let at = 0; at < bytes.length; ) at += untilReady(() => writeSync(2, bytes, at))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error
  }
}
