import { setImmediate } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { systemClock } from '../base/clock.ts'
import { OutputFile } from '../base/files/output-file.ts'
import { printable } from '../base/words/printable.ts'
import { Load, type LoadShape } from '../generate/load.ts'
import type { SpreadLaw } from '../generate/spread-law.ts'
import { Signals } from './signals.ts'
import { answer, tell } from './tell.ts'
import { WorkBar } from './work-bar.ts'
import { wrongArguments, wrongUse } from './wrong-use.ts'

export const GENERATE_HELP = `Examples
  escalona generate -o carga.txt                     10 hosts with about 3 URLs each
  escalona generate -o big.txt -s 100000 -u 10       about a million URLs
  escalona generate -o - --seed 7 | escalona -       straight into the scheduler

Usage: escalona generate -o FILE [options]
  -o, --output F   the command file to write; - is standard output
  -s N             hosts (default 10)
  -u N             URLs a host, on average (default 3)
  -v N             their spread, the standard deviation (default 1)
  -p N             depth of a URL, the slashes in its path, on average (default 3)
  -q N             its spread (default 1)
      --seed N     another seed, another load; the same seed, the same file everywhere (default 1)
      --quiet      no summary
  -h, --help       this page

The file adds all URLs, the hosts mixed, then runs LISTA_HOSTS, ESCALONA_TUDO and LIMPA_TUDO. All URLs are different.
`

const SEE = 'escalona generate --help'

/** The event loop gets a turn this often: for signals and the progress bar. */
const TURN_MS = 50

/** `escalona generate`: writes a load for the scheduler. Returns the exit code. */
export async function generateCommand(args: readonly string[]): Promise<number> {
  const values = parsed(args)
  if (values.help) {
    answer(GENERATE_HELP)
    return 0
  }
  if (values.output === undefined || values.output === '') throw wrongUse('generate needs -o FILE', SEE)
  const shape = shapeOf(values)
  const startMs = systemClock()
  const load = new Load(shape)
  const output = new OutputFile(values.output)
  const signals = output.isBesideItsPlace ? new Signals(() => output.abandon()) : undefined
  try {
    await write(load, output, values.quiet ?? false, startMs)
    output.commit()
  } finally {
    output.abandon()
    signals?.close()
  }
  if (!values.quiet) tell(summary(load, shape, systemClock() - startMs))
  return 0
}

async function write(load: Load, output: OutputFile, isQuiet: boolean, startMs: number): Promise<void> {
  const bar = new WorkBar(isQuiet, startMs)
  let bytes = 0
  let turnMs = startMs
  try {
    for (const chunk of load.chunks()) {
      output.write(chunk)
      bytes += chunk.length
      const nowMs = systemClock()
      if (nowMs - turnMs < TURN_MS) continue
      turnMs = nowMs
      bar.show(nowMs, load.written / load.urls, `${(bytes / 1e6).toFixed(0)} MB written`)
      await setImmediate()
    }
  } finally {
    bar.hide()
  }
}

function summary(load: Load, shape: LoadShape, elapsedMs: number): string {
  const urls = load.urls.toLocaleString('en-US')
  const hosts = shape.hosts.toLocaleString('en-US')
  const notes = [note('URLs a host', shape.urlSpread, load.urlLaw), note('depth', shape.depthSpread, load.depthLaw)]
  return `escalona: ${urls} URLs of ${hosts} hosts generated, ${(elapsedMs / 1000).toFixed(2)} s\n${notes.join('')}`
}

/** Not every spread exists among whole numbers from 1 up: whoever asked for such a one is told what it became. */
function note(what: string, asked: number, law: SpreadLaw): string {
  if (Math.abs(law.spread - asked) <= 0.01 * Math.max(asked, 0.1)) return ''
  return `escalona: whole numbers from 1 up with a mean of ${law.mean.toFixed(2)} have no spread of ${asked}; for ${what} it is ${law.spread.toFixed(2)}\n`
}

function shapeOf(values: ReturnType<typeof parsed>): LoadShape {
  return {
    hosts: numberOf('-s', values.hosts, 10),
    urls: numberOf('-u', values.urls, 3),
    urlSpread: numberOf('-v', values['url-spread'], 1),
    depth: numberOf('-p', values.depth, 3),
    depthSpread: numberOf('-q', values['depth-spread'], 1),
    seed: numberOf('--seed', values.seed, 1),
  }
}

function numberOf(option: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise
  if (!/^\d+(?:\.\d+)?(?:e\d+)?$/i.test(text))
    throw wrongUse(`${option} takes a number from 0 up, not ${printable(text)}`, SEE)
  return Number(text)
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        output: { type: 'string', short: 'o' },
        hosts: { type: 'string', short: 's' },
        urls: { type: 'string', short: 'u' },
        'url-spread': { type: 'string', short: 'v' },
        depth: { type: 'string', short: 'p' },
        'depth-spread': { type: 'string', short: 'q' },
        seed: { type: 'string' },
        quiet: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values
  } catch (error) {
    throw wrongArguments(error, SEE)
  }
}
