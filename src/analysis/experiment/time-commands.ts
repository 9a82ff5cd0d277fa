import type { Clock } from '../../base/clock.ts'
import type { StrategyName } from '../../scheduler/strategy.ts'
import { runScript } from '../../script/run-script.ts'
import { CommandSource } from '../command-source.ts'
import type { PhaseName } from '../phases.ts'
import type { Urls } from './scenarios.ts'

/** How long each command of a script took, in seconds. */
export type CommandTimes = Partial<Record<PhaseName, number>>

/** A command file in parts, so that the URLs of a large one are held only once. */
export type Script = readonly Buffer[]

/** The commands that the original runs, in its order. */
export function wholeLife({ count, lines }: Urls): Script {
  return script(count, lines, ['LISTA_HOSTS', 'ESCALONA_TUDO', 'LIMPA_TUDO'])
}

/** The other commands. Each schedules a quarter of all URLs or of a host's, so that something is left for the next. */
export function otherCommands({ count, lines, firstHost, lastHost }: Urls): Script {
  const quarter = Math.max(1, Math.floor(count / 4))
  const commands = [`VER_HOST ${firstHost}`, `ESCALONA_HOST ${firstHost} ${quarter}`, `ESCALONA ${quarter}`]
  return script(count, lines, [...commands, `LIMPA_HOST ${lastHost}`])
}

function script(count: number, lines: Buffer, commands: readonly string[]): Script {
  return [Buffer.from(`ADD_URLS ${count}\n`), lines, Buffer.from(`${commands.join('\n')}\n`)]
}

/**
 * Runs a script in this process, from memory, discards the output, and measures the time from the beginning of each command
 * to that of the next: reading, executing and printing.
 */
export function timeCommands(script: Script, strategy: StrategyName, clock: Clock): CommandTimes {
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
