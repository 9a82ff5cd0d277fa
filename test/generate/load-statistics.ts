// Reads a generated command file and measures it.
export interface Sample {
  readonly mean: number
  readonly spread: number
}

export interface LoadFacts {
  readonly announced: number
  readonly urls: number
  readonly hosts: number
  readonly urlsAHost: Sample
  readonly depth: Sample
  readonly wordLetters: Sample
  readonly wordsAHost: Sample
  /** How often two neighbours have the same host. */
  readonly neighboursAlike: number
  readonly lastCommands: string[]
  readonly firstBadLine: string | undefined
}

const URL_LINE = /^http:\/\/([a-z.]+)\.com\/([a-z/]+)\.html$/

class Sum {
  private n = 0
  private sum = 0
  private squares = 0

  add(value: number): void {
    this.n++
    this.sum += value
    this.squares += value * value
  }

  get sample(): Sample {
    const mean = this.sum / this.n
    return { mean, spread: Math.sqrt(this.squares / this.n - mean * mean) }
  }
}

export function factsOf(text: string): LoadFacts {
  const lines = text.trimEnd().split('\n')
  const announced = Number(/^ADD_URLS (\d+)$/.exec(lines[0]!)?.[1])
  const perHost = new Map<string, number>()
  const depth = new Sum()
  const letters = new Sum()
  const hostWords = new Sum()
  let neighboursAlike = 0
  let lastHost = ''
  let firstBadLine: string | undefined
  const urls = new Set<string>()
  for (const line of lines.slice(1, -3)) {
    const [, host, path] = URL_LINE.exec(line) ?? []
    if (host === undefined || path === undefined) {
      firstBadLine ??= line
      continue
    }
    urls.add(line)
    if (!perHost.has(host)) {
      const words = host.split('.')
      hostWords.add(words.length)
      for (const word of words) letters.add(word.length)
    }
    perHost.set(host, (perHost.get(host) ?? 0) + 1)
    const words = path.split('/')
    depth.add(words.length)
    for (const word of words) letters.add(word.length)
    if (host === lastHost) neighboursAlike++
    lastHost = host
  }
  const counts = new Sum()
  for (const count of perHost.values()) counts.add(count)
  return {
    announced,
    urls: urls.size,
    hosts: perHost.size,
    urlsAHost: counts.sample,
    depth: depth.sample,
    wordLetters: letters.sample,
    wordsAHost: hostWords.sample,
    neighboursAlike,
    lastCommands: lines.slice(-3),
    firstBadLine,
  }
}
