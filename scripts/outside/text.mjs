// The words of real pages beside those that Resiliparse finds: as many, and the same ones.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { variousPages } from './support/debian-docs.mjs'
import { ownModules } from './support/own-modules.mjs'

const PAGES = 1000
/** Of their words. Resiliparse writes cells of a table as one word, we don't. */
const MOST_DIFFERENT = 0.01

export async function check(context) {
  const python = await context.python(['resiliparse'])
  const { extract } = await ownModules(context, ['src/extract/extract'])
  const wanted = { textUnits: Infinity }
  const lines = (await variousPages(context, PAGES)).map(path => {
    const body = readFileSync(path)
    const url = 'http://debian.example/'
    const { charset, text } = extract({ body, url, contentType: 'text/html', robotsTags: [], agent: '', wanted })
    return `${JSON.stringify({ path, charset, text })}\n`
  })
  const file = join(context.scratch, 'texts.jsonl')
  writeFileSync(file, lines.join(''))
  const script = fileURLToPath(new URL('text.py', import.meta.url))
  const { ours, theirs, different, sameLetters } = JSON.parse(await context.run(python, [script, file]))
  const share = Math.max(Math.abs(ours - theirs), different) / theirs
  const says = `${ours} words of ${PAGES} pages, Resiliparse ${theirs}, ${different} different, the letters of ${sameLetters} pages the same`
  if (!(share <= MOST_DIFFERENT)) throw new Error(says)
  return says
}
