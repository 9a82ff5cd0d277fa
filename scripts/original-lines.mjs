// What a test prints names places in build/; people look for them in src/ and test/. Only lines that name such a place cost
// anything, while `--enable-source-maps` would make every process of a test read and parse the map of every module it loads.
import { existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { Transform } from 'node:stream'

const PLACE = /(?:file:\/\/)?(?:\/[^\s()'":]*\/)?(build\/(?:src|test)\/[^\s()'":]+\.js):(\d+):(\d+)/g

/** A stream of text that names original lines instead of compiled ones. */
export function originalLines(root) {
  const maps = new Map()
  const mapOf = file => {
    if (!maps.has(file)) {
      const path = join(root, `${file}.map`)
      maps.set(file, existsSync(path) ? new SourceMap(JSON.parse(readFileSync(path, 'utf8'))) : undefined)
    }
    return maps.get(file)
  }
  const translated = text =>
    text.replace(PLACE, (place, file, line, column) => {
      const { originalSource, originalLine, originalColumn } = mapOf(file)?.findEntry(line - 1, column - 1) ?? {}
      if (originalSource === undefined) return place
      const source = relative(root, join(root, dirname(file), originalSource))
      return `${source}:${originalLine + 1}:${originalColumn + 1}`
    })
  let rest = ''
  return new Transform({
    decodeStrings: false,
    encoding: 'utf8',
    transform(chunk, _, done) {
      const text = rest + chunk
      const end = text.lastIndexOf('\n') + 1
      rest = text.slice(end)
      done(null, translated(text.slice(0, end)))
    },
    flush(done) {
      done(null, translated(rest))
    },
  })
}
