import { crawlsIn, isCrawlFolder } from '../../folder/crawl-file.ts'
import type { UiOptions } from '../../server/ui-server.ts'
import { CrawlView } from '../../view/crawl-view.ts'
import type { Command } from '../commands.ts'
import { onlyFolder, redisPassword } from '../terminal/arguments.ts'
import { type OptionRows, readArguments } from '../terminal/option-table.ts'
import { say, sayAnyway } from '../terminal/say.ts'
import { StopSignals } from '../terminal/signals.ts'
import { readUiOptions, sayLivePage, shownAddress, uiWarnings } from './ui-options.ts'
import { replayWords, uiWords } from './ui-words.ts'

const OPTIONS = {
  port: { value: 'N' },
  'ui-bind': { value: 'ADDRESS' },
  'ui-token': { value: 'T' },
} as const satisfies OptionRows

/** `escalona ui DIR`: shows a crawl in a browser, running or not. */
export const UI: Command = {
  run: args => servePage(args, sayLivePage, true),
  help: uiWords,
  options: OPTIONS,
  names: 'folder',
}

/** `escalona replay DIR`: the archived pages in a browser, safely. */
export const REPLAY: Command = {
  run: args => servePage(args, sayReadingRoom),
  help: () => ({ ...replayWords(), options: uiWords().options }),
  options: OPTIONS,
  names: 'folder',
}

/**
 * Serves the page of a crawl until a signal comes; returns its exit code. `sayWhere` is given the page's address, with its token.
 * `mayBeParent`: the folder may also be one of crawls.
 */
async function servePage(
  args: readonly string[],
  sayWhere: (url: string, options: UiOptions) => void,
  mayBeParent = false,
): Promise<number> {
  const { values, positionals } = readArguments(args, OPTIONS)
  const folder = onlyFolder(positionals)
  const texts = { port: values.port ?? '', bind: values['ui-bind'], token: values['ui-token'] }
  const options = readUiOptions(texts, '--port', process.env)
  // Reading the arguments should not wait for the server's packages.
  const { UiServer } = await import('../../server/ui-server.ts')
  const frontierPassword = redisPassword(process.env)
  const isParent = mayBeParent && !isCrawlFolder(folder) && crawlsIn(folder).length > 0
  const view = isParent ? undefined : new CrawlView(folder, { frontierPassword, isLive: true })
  try {
    const server = await UiServer.listen(options, message => say('warn', message))
    if (view === undefined) {
      const { CrawlsIn } = await import('../../server/crawls-in.ts')
      server.showAll(new CrawlsIn(folder, { frontierPassword }))
    } else server.show(view)
    sayWhere(server.url, options)
    const code = await new Promise<number>(resolve => {
      const signals = new StopSignals(() => resolve(signals.exitCode!))
    })
    await server.close()
    return code
  } finally {
    await view?.close()
  }
}

function sayReadingRoom(address: string, options: UiOptions): void {
  for (const warning of uiWarnings(options)) say('warn', warning)
  const url = new URL(address)
  url.pathname = '/pages'
  const shown = shownAddress(url.href, options)
  sayAnyway(replayWords().where(shown), { event: 'reading room', url: shown })
}
