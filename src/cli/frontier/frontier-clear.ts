import { createInterface } from 'node:readline/promises'
import { printable } from '../../base/words/printable.ts'
import { say } from '../terminal/say.ts'
import { wrongUse } from '../terminal/wrong-use.ts'
import { type Asked, SEE_FRONTIER } from './frontier-command.ts'
import { frontierWords } from './frontier-words.ts'

/** `clear`: forgets everything, or what waits at one host, after a question. */
export async function clearFrontier({ place, values }: Asked): Promise<number> {
  const words = frontierWords()
  const { host, yes, force = false } = values
  const shownHost = host === undefined ? '' : printable(host)
  if (!yes) {
    if (process.stdin.isTTY !== true || process.stderr.isTTY !== true) throw wrongUse(words.sayYes, SEE_FRONTIER)
    const question = host === undefined ? words.sure(place.shown) : words.sureHost(shownHost, place.shown)
    if (!(await isConfirmed(question))) {
      say('info', words.notCleared)
      return 1
    }
  }
  if (!(await place.clear(host, force))) {
    say('error', words.noSuchHost(shownHost, place.shown))
    return 1
  }
  say('info', host === undefined ? words.cleared(place.shown) : words.hostCleared(shownHost, place.shown))
  return 0
}

async function isConfirmed(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = (await lines.question(question)).trim().toLowerCase()
    return answer === 'yes' || answer === frontierWords().yes
  } finally {
    lines.close()
  }
}
