import type { Clock } from '../../base/clock.ts'
import { LF } from '../../base/structures/bytes.ts'
import { Load } from '../../generate/load.ts'
import type { StrategyName } from '../../scheduler/strategy.ts'
import { runScript } from '../../script/run-script.ts'
import { CommandSource } from '../command-source.ts'
import type { PhaseName } from '../phases.ts'

/** How long each command of a script took, in seconds. */
export type CommandTimes = Partial<Record<PhaseName, number>>

/** A command file in parts, so that the URLs of a large one are held only once. */
type CommandFile = readonly Buffer[]

/** The commands that the original runs, in its order. */
export function wholeLife({ count, lines }: Urls): CommandFile {
  return script(count, lines, ['LISTA_HOSTS', 'ESCALONA_TUDO', 'LIMPA_TUDO'])
}

/** The other commands. Each schedules a quarter of all URLs or of a host's, so that something is left for the next. */
export function otherCommands({ count, lines, firstHost, lastHost }: Urls): CommandFile {
  const quarter = Math.max(1, Math.floor(count / 4))
  const commands = [`VER_HOST ${firstHost}`, `ESCALONA_HOST ${firstHost} ${quarter}`, `ESCALONA ${quarter}`]
  return script(count, lines, [...commands, `LIMPA_HOST ${lastHost}`])
}

function script(count: number, lines: Buffer, commands: readonly string[]): CommandFile {
  return [Buffer.from(`ADD_URLS ${count}\n`), lines, Buffer.from(`${commands.join('\n')}\n`)]
}

/** Runs a script from memory, discards the output, and measures the time from the beginning of each command to the next. */
export function timeCommands(script: CommandFile, strategy: StrategyName, clock: Clock): CommandTimes {
  const times: CommandTimes = {}
  let current: PhaseName | undefined
  let beganMs = 0
  const change = (to: PhaseName | undefined) => {
    const nowMs = clock()
    if (current !== undefined) times[current] = (times[current] ?? 0) + (nowMs - beganMs) / 1000
    current = to
    beganMs = nowMs
  }
  let part = 0
  let at = 0
  const memory = {
    read(buffer: Buffer, offset: number, length: number): number {
      if (at === script[part]?.length) {
        part++
        at = 0
      }
      const got = script[part]?.copy(buffer, offset, at, at + length) ?? 0
      at += got
      return got
    },
  }
  const run = runScript({
    source: new CommandSource(memory, command => change(command.name)),
    sink: { write() {} },
    strategy,
    seed: [1, 2],
    expectedBytes: script.reduce((sum, { length }) => sum + length, 0),
    onMistake: (line, message) => {
      throw new Error(`line ${line} of the experiment's own script: ${message}`)
    },
  })
  while (!run.next().done);
  change(undefined)
  return times
}

/** The three cases that the original studies: how n URLs are distributed over hosts. */
export const SCENARIOS = [
  { name: 'one-host', hosts: () => 1 },
  { name: 'a-host-each', hosts: (urls: number) => urls },
  { name: 'many-hosts', hosts: (urls: number) => Math.round(Math.sqrt(urls)) },
] as const

export type ScenarioName = (typeof SCENARIOS)[number]['name']

interface LoadSize {
  readonly urls: number
  readonly hosts: number
  readonly depth: number
  readonly depthSpread: number
}

/** The URLs of a scenario, as the lines after `ADD_URLS`, and two hosts among them. */
interface Urls {
  readonly count: number
  readonly lines: Buffer
  readonly firstHost: string
  readonly lastHost: string
}

const SEED = 1

/** Exactly this many URLs: a generated load may have a few more or fewer, so a larger one is made and cut. */
export function urlsFor({ urls, hosts, depth, depthSpread }: LoadSize): Urls {
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
