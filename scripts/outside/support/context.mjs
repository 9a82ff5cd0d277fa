// What a check of scripts/outside/ is given: tools, and a crawl to read.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeCrawl } from './crawl.mjs'
import { runProgram } from './run-program.mjs'
import { mavenJars, npmTool, pythonWith, Skipped } from './tools.mjs'

export { Skipped }

/**
 * `python(packages)`: the Python of a virtual environment that has them. `npmTool(name)`: the folder of an npm package.
 * `mavenJars(coordinates)`: a class path. All of them throw `Skipped` when this machine cannot have them.
 * `run(program, args, options)`: what it prints. `escalona(args)`: what the built command prints. `crawl()`: see crawl.mjs; made once.
 * `wacz()`: the crawl as a WACZ file. `onClose(end)`: called at the end, newest first. `scratch`: a folder that is removed then.
 */
export function openContext() {
  const root = fileURLToPath(new URL('../../..', import.meta.url))
  const cache = process.env.ESCALONA_OUTSIDE_CACHE ?? join(root, 'node_modules', '.cache', 'escalona-outside')
  mkdirSync(cache, { recursive: true })
  const scratch = mkdtempSync(join(tmpdir(), 'escalona-outside-'))
  const endings = []
  const escalona = args => runProgram(process.execPath, [join(root, 'dist', 'cli', 'main.js'), ...args])
  const context = {
    root,
    cache,
    scratch,
    escalona,
    run: runProgram,
    python: packages => pythonWith(cache, packages),
    npmTool: name => npmTool(cache, name),
    mavenJars: coordinates => mavenJars(cache, coordinates),
    crawl: once(() => makeCrawl({ scratch, escalona })),
    wacz: once(async () => {
      const { folder } = await context.crawl()
      const file = join(scratch, 'crawl.wacz')
      await escalona(['wacz', folder, '-o', file, '--text', '-q'])
      return file
    }),
    onClose: end => endings.push(end),
    close: async () => {
      for (const end of endings.reverse()) await end()
      rmSync(scratch, { recursive: true, force: true })
    },
  }
  return context
}

function once(make) {
  let made
  return () => (made ??= make())
}
