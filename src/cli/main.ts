#!/usr/bin/env node
import { existsSync } from 'node:fs'
import nodeModule from 'node:module'
import { EscalonaError } from '../base/errors.ts'
import { reasonOf } from '../base/system-error.ts'
import { version } from '../base/version.ts'
import { closest } from '../base/words/closest.ts'
import { languageOf, setLanguage } from '../base/words/language.ts'
import { printable, shellWord } from '../base/words/printable.ts'
import { COMMAND_NAMES, COMMANDS, HELP_TOPICS, helpOf, isCommand, PATTERNS, runCommand } from './commands.ts'
import { answer, say, tell } from './terminal/say.ts'
import { useWords } from './terminal/use-words.ts'

/** From Node 22 on, what a command loads is compiled only once for all its runs. */
const { enableCompileCache } = nodeModule as { readonly enableCompileCache?: () => void }
enableCompileCache?.()

/**
 * Returns the exit code: 0 success; 1 the input had mistakes, or a crawl archived nothing; 2 wrong usage or an error; 128 plus
 * the signal's number when a signal ended it. docs/command-line.md has the full table.
 */
async function main(all: readonly string[]): Promise<number> {
  setLanguage(languageOf(process.env.LC_ALL || process.env.LC_MESSAGES || process.env.LANG))
  const args = withoutLanguage(all)
  const [first] = args
  if (first === undefined) {
    tell(await overview())
    return 2
  }
  if (first === 'help') return help(args[1])
  if (first === 'version') return showVersion()
  const end = args.includes('--') ? args.indexOf('--') : args.length
  const asked = args.slice(0, end)
  const wantsHelp = asked.includes('--help') || asked.includes('-h')
  if (isCommand(first)) {
    if (!wantsHelp) return runCommand(first, args.slice(1))
    answer(await helpOf(first))
    return 0
  }
  if (wantsHelp) return help(first.startsWith('-') ? undefined : 'run')
  if (asked.includes('--version') || asked.includes('-V')) return showVersion()
  await rejectMisspelt(first)
  return runCommand('run', args)
}

/** The arguments without `--lang en|pt`, which may appear anywhere before `--` and overrides the environment. */
function withoutLanguage(all: readonly string[]): string[] {
  const args: string[] = []
  for (let at = 0; at < all.length; at++) {
    const arg = all[at]!
    if (arg === '--') return [...args, ...all.slice(at)]
    const given = arg === '--lang' ? (all[++at] ?? '') : arg.startsWith('--lang=') ? arg.slice(7) : undefined
    if (given === undefined) args.push(arg)
    else if (given === 'en' || given === 'pt') setLanguage(given)
    else throw notUnderstood(useWords().noSuchLanguage(printable(given)))
  }
  return args
}

async function help(topic: string | undefined): Promise<number> {
  if (topic === undefined || topic === 'help' || topic === 'version') answer(await overview())
  else if (isCommand(topic)) answer(await helpOf(topic))
  else if (topic === PATTERNS) answer((await import('./patterns-help.ts')).patternsHelp())
  else {
    const { noCommand, didYouMean } = useWords()
    throw notUnderstood(noCommand(printable(topic)) + didYouMean(closest(topic, HELP_TOPICS)))
  }
  return 0
}

async function overview(): Promise<string> {
  return (await import('./overview.ts')).overview()
}

function showVersion(): number {
  answer(`${version()}\n`)
  return 0
}

/** A word that is not a file but close to a command was probably meant as one; a URL was probably meant for `crawl`. */
async function rejectMisspelt(word: string): Promise<void> {
  if (word.startsWith('--')) return rejectForeignOption(word)
  if (word.startsWith('-') || existsSync(word)) return
  const { isAddress, noCommandOrFile, didYouMean } = useWords()
  if (/^https?:\/\//i.test(word)) throw notUnderstood(isAddress(shellWord(word)))
  const meant = closest(word, [...COMMAND_NAMES, 'help', 'version'])
  if (meant !== undefined) throw notUnderstood(noCommandOrFile(printable(word)) + didYouMean(`escalona ${meant}`))
}

/** Without a command, the options are those of `run`; one of `crawl`, or nearly one, was meant for that command. */
async function rejectForeignOption(word: string): Promise<void> {
  const name = word.slice(2).split('=', 1)[0]!
  const { options } = await COMMANDS.run()
  if (Object.hasOwn(options, name) || closest(name, Object.keys(options)) !== undefined) return
  const meant = closest(name, Object.keys((await COMMANDS.crawl()).options))
  const { unknownOption, didYouMean } = useWords()
  if (meant !== undefined) throw notUnderstood(unknownOption(printable(word)) + didYouMean(`escalona crawl --${meant}`))
}

/** A mistake in front of any command. */
function notUnderstood(message: string): EscalonaError {
  return new EscalonaError('CLI_WRONG_USE', useWords().see(message, 'escalona --help'))
}

/** Everything has been written when `main` returns, so handles that are still open (an unclosed pipe) must not delay the exit. */
process.exit(await main(process.argv.slice(2)).catch(failed))

function failed(error: unknown): number {
  if (isSystemError(error)) {
    const { path = '?' } = error
    say('error', useWords().cannotUse(printable(path), reasonOf(error)), { code: 'SYSTEM_ERROR' })
    return 2
  }
  if (!(error instanceof EscalonaError)) {
    say('error', useWords().defect(printable(String(error))))
    return 2
  }
  // A reader that closes a pipe early has seen enough; that is not an error.
  if (error.code === 'FILE_READER_GONE') return 0
  const more = error.code === 'FRONTIER_NOT_ALLOWED' ? useWords().redisPassword : ''
  say('error', error.message + more, { code: error.code })
  return 2
}

/** A file or folder that cannot be used isn't a bug of ours. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  const { syscall, path } = (error ?? {}) as NodeJS.ErrnoException
  return error instanceof Error && typeof syscall === 'string' && typeof path === 'string'
}
