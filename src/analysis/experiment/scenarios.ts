import { Load } from '../../generate/load.ts'

/** The three cases that the original studies: how n URLs are distributed over hosts. */
export const SCENARIOS = [
  { name: 'one-host', hosts: () => 1 },
  { name: 'a-host-each', hosts: (urls: number) => urls },
  { name: 'many-hosts', hosts: (urls: number) => Math.round(Math.sqrt(urls)) },
] as const

export type ScenarioName = (typeof SCENARIOS)[number]['name']

export interface LoadWish {
  readonly urls: number
  readonly hosts: number
  readonly depth: number
  readonly depthSpread: number
}

/** The URLs of a scenario, as the lines after `ADD_URLS`, and two hosts among them. */
export interface Urls {
  readonly count: number
  readonly lines: Buffer
  readonly firstHost: string
  readonly lastHost: string
}

const SEED = 1
const LF = 0x0a

/** Exactly this many URLs: a generated load may have a few more or fewer, so a larger one is made and cut. */
export function urlsFor({ urls, hosts, depth, depthSpread }: LoadWish): Urls {
  const load = new Load({ hosts, urls: Math.ceil(urls / hosts), urlSpread: 0, depth, depthSpread, seed: SEED })
  const parts: Buffer[] = []
  for (const chunk of load.chunks()) parts.push(Buffer.from(chunk))
  const text = Buffer.concat(parts)
  const start = text.indexOf(LF) + 1
  let end = start
  let last = start
  for (let n = 0; n < urls; n++) {
    last = end
    end = text.indexOf(LF, end) + 1
  }
  const lines = text.subarray(start, end)
  return { count: urls, lines, firstHost: hostOf(text, start), lastHost: hostOf(text, last) }
}

function hostOf(text: Buffer, at: number): string {
  const start = at + 'http://'.length
  return text.toString('latin1', start, text.indexOf('/', start))
}
