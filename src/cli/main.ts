#!/usr/bin/env node
import { EscalonaError } from '../base/errors.ts'
import { version } from '../base/version.ts'
import { printable } from '../base/words/printable.ts'
import { HELP } from './help.ts'
import { runCommand } from './run-command.ts'
import { answer, tell } from './tell.ts'

/** Commands of their own, each loaded only when it is called; anything else is a FILE to run. */
const COMMANDS: Readonly<Record<string, () => Promise<(args: readonly string[]) => Promise<number>>>> = {
  analyze: async () => (await import('./analyze-command.ts')).analyzeCommand,
  crawl: async () => (await import('./crawl-command.ts')).crawlCommand,
  experiment: async () => (await import('./experiment-command.ts')).experimentCommand,
  generate: async () => (await import('./generate-command.ts')).generateCommand,
}

/** Exit codes: 0 fine, 1 the input had mistakes, 2 wrong use or a file that can't be read or written. */
async function main(args: readonly string[]): Promise<number> {
  if (args.length === 0) {
    tell(HELP)
    return 2
  }
  const command = Object.hasOwn(COMMANDS, args[0]!) ? COMMANDS[args[0]!] : undefined
  if (command !== undefined) return (await command())(args.slice(1))
  const asked = args.slice(0, args.includes('--') ? args.indexOf('--') : args.length)
  if (asked.includes('--help') || asked.includes('-h')) {
    answer(HELP)
    return 0
  }
  if (asked.includes('--version') || asked.includes('-V')) {
    answer(`${version()}\n`)
    return 0
  }
  return runCommand(args[0] === 'run' ? args.slice(1) : args)
}

/** Everything has been written when `main` is done, so nothing that is still open (a pipe nobody closes) may hold us. */
process.exit(await main(process.argv.slice(2)).catch(failed))

function failed(error: unknown): number {
  if (!(error instanceof EscalonaError)) {
    tell(`escalona: ${printable(String(error))}; this is a defect of Escalona, please report it\n`)
    return 2
  }
  // Who closes a pipe early has seen enough: that is no mistake of anybody's.
  if (error.code === 'FILE_READER_GONE') return 0
  tell(`escalona: ${error.message}\n`)
  return 2
}
