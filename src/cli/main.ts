#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { EscalonaError } from '../base/errors.ts'
import { HELP } from './help.ts'
import { runCommand } from './run-command.ts'
import { tell } from './tell.ts'

/** Exit codes: 0 fine, 1 the input had mistakes, 2 wrong use or a file that can't be read or written. */
async function main(args: readonly string[]): Promise<number> {
  const [first, ...rest] = args
  switch (first) {
    case undefined:
      tell(`${HELP}\n`)
      return 2
    case '--help':
    case '-h':
    case 'help':
      process.stdout.write(HELP)
      return 0
    case '--version':
    case '-V':
      process.stdout.write(`${version()}\n`)
      return 0
    case 'run':
      return runCommand(rest)
    default:
      return runCommand(args)
  }
}

function version(): string {
  const file = new URL('../../package.json', import.meta.url)
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof EscalonaError)) throw error
  // Who closes a pipe early has seen enough: that is no mistake of anybody's.
  if (error.code === 'FILE_READER_GONE') process.exitCode = 0
  else {
    tell(`escalona: ${error.message}\n`)
    process.exitCode = 2
  }
}
