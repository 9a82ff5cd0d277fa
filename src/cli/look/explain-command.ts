import { catalogue } from '../../base/words/language.ts'
import { printable } from '../../base/words/printable.ts'
import { CrawlView } from '../../view/crawl-view.ts'
import { historyWords } from '../../view/history-lines.ts'
import type { HistoryLine } from '../../view/questions/explained-shapes.ts'
import type { Command } from '../commands.ts'
import { folderAndUrl, redisPassword } from '../terminal/arguments.ts'
import { type OptionRows, readArguments } from '../terminal/option-table.ts'
import { answer, safeJson } from '../terminal/say.ts'
import { useWords } from '../terminal/use-words.ts'

const OPTIONS = { json: {} } as const satisfies OptionRows

/** `escalona explain DIR URL`: what became of one URL, and why. */
export const EXPLAIN: Command = {
  run: explainCommand,
  help: () => ({ head: words().head, options: useWords().rowOptions }),
  options: OPTIONS,
  names: 'folder',
}

async function explainCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, OPTIONS)
  const [folder, url] = folderAndUrl(positionals)
  const view = new CrawlView(folder, { frontierPassword: redisPassword(process.env) })
  try {
    const { history, lines } = await view.ask('explain', { url })
    answer(values.json ? `${safeJson(history)}\n` : `${shownHistory(history.url, lines).join('\n')}\n`)
    return 0
  } finally {
    await view.close()
  }
}

/** What `escalona explain` prints about a URL. */
export function shownHistory(url: string, lines: readonly HistoryLine[]): string[] {
  const width = Math.max(13, ...Object.values(historyWords().titles).map(title => title.length + 1))
  return [printable(url), ...lines.map(({ title, text }) => `  ${`${title}:`.padEnd(width)} ${printable(text)}`)]
}

const words = catalogue({
  en: {
    head: `Examples
  escalona explain crawl https://example.org/private/
  escalona explain crawl example.org --json

Usage: escalona explain DIR URL

What became of one URL, and why: its state, the reason and what to do about it, its place in the
queue, what robots.txt and the current settings say about it, where it was found, and where it is in
the archive.

`,
  },
  pt: {
    head: `Exemplos
  escalona explain crawl https://example.org/privado/
  escalona explain crawl example.org --json

Uso: escalona explain DIR URL

O destino de uma URL, e por quê: o estado, o motivo e o que fazer a respeito, o lugar na fila, o que
dizem dela o robots.txt e as configurações atuais, onde foi achada, e onde está no arquivo.

`,
  },
})
