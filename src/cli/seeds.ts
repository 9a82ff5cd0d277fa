import { EscalonaError } from '../base/errors.ts'
import { openInput } from '../base/files/byte-input.ts'
import { printable, quoted } from '../base/words/printable.ts'
import { type WebRefusal, type WebUrl, webUrl } from '../url/web.ts'

const READ_BYTES = 1 << 16
/** No address is that long. */
const LONGEST_LINE = 1 << 14
const MOST_TOLD = 20

const REASONS: Readonly<Record<WebRefusal, string>> = {
  protocol: 'only http and https',
  malformed: 'no web address; write https://host/path',
  'too-long': 'longer than 2,000 bytes',
  'too-many-segments': 'more than 30 parts in its path',
  'repeated-segment': 'the same part more than three times in its path',
}

/**
 * The seeds of a crawl, a URL a line; empty lines and those that begin with `#` say nothing. A line that is no web address
 * is told and skipped. With no seed at all there is nothing to do.
 */
export async function readSeeds(path: string, tell: (text: string) => void): Promise<WebUrl[]> {
  const name = path === '-' ? '<stdin>' : printable(path)
  const seeds = new Map<string, WebUrl>()
  let mistakes = 0
  let number = 0
  for await (const line of linesOf(path)) {
    number++
    const text = line.trim()
    if (text === '' || text.startsWith('#')) continue
    const seed = webUrl(text)
    if (typeof seed !== 'string') seeds.set(seed.href, seed)
    else if (mistakes++ < MOST_TOLD)
      tell(`${name}:${number}: ${quoted(Buffer.from(text))}: ${REASONS[seed]}; skipped\n`)
  }
  if (mistakes > MOST_TOLD) tell(`${name}: ${mistakes - MOST_TOLD} more lines skipped\n`)
  if (seeds.size > 0) return [...seeds.values()]
  throw new EscalonaError(
    'CRAWL_NO_SEEDS',
    `there is no web address in ${name}; write one a line, such as https://ufmg.br/`,
  )
}

/** The lines of a text; of one that is too long, as much as shows that. */
async function* linesOf(path: string): AsyncGenerator<string> {
  const input = openInput(path)
  try {
    const buffer = Buffer.alloc(READ_BYTES)
    const decoder = new TextDecoder()
    let begun = ''
    for (;;) {
      await input.ready()
      const got = input.read(buffer, 0, READ_BYTES)
      const lines = (begun + decoder.decode(buffer.subarray(0, got), { stream: got > 0 })).split(/\r?\n|\r/)
      begun = lines.pop()!.slice(0, LONGEST_LINE)
      yield* lines
      if (got > 0) continue
      if (begun !== '') yield begun
      return
    }
  } finally {
    input.close()
  }
}
