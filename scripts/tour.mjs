// Makes docs/tour.md and docs/tour.pt-BR.md from real runs of the packed tarball, in an empty folder each.
//   node scripts/tour.mjs           writes them
//   node scripts/tour.mjs --check   only compares them: exit code 1 when they say something else, 0 with "skipped" without a registry
//   node scripts/tour.mjs --check en   only the English one
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { walk } from './tour/walk.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const ALL_PAGES = { en: 'docs/tour.md', pt: 'docs/tour.pt-BR.md' }
/** What npm says when it could not install the package. */
const OFFLINE =
  /^npm (?:error|ERR!) code (?:ENOTCACHED|EAI_AGAIN|ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH)$/m
const isCheck = process.argv.includes('--check')
const PAGES = Object.fromEntries(
  Object.entries(ALL_PAGES).filter(
    ([language]) => process.argv.includes(language) || !Object.keys(ALL_PAGES).some(one => process.argv.includes(one)),
  ),
)
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

const base = mkdtempSync(join(tmpdir(), 'escalona-tour-'))
let status = 0
try {
  const tarball = packed()
  const walks = Object.keys(PAGES).map(language => {
    const folder = emptyFolder(language)
    copyFileSync(tarball, join(folder, `escalona-${version}.tgz`))
    return walk({ folder, version, language })
  })
  const texts = await Promise.all(walks)
  if (texts.some(text => OFFLINE.test(text))) console.log('skipped: the package registry is out of reach')
  else for (const [n, page] of Object.values(PAGES).entries()) compareOrWrite(join(root, page), texts[n])
} finally {
  rmSync(base, { recursive: true, force: true })
}
process.exit(status)

/** npm takes its settings from the environment too, so that the command in the tour stays short. */
function packed() {
  process.env.npm_config_audit = 'false'
  process.env.npm_config_fund = 'false'
  process.env.npm_config_prefer_offline = 'true'
  process.env.npm_config_update_notifier = 'false'
  execFileSync(process.execPath, ['scripts/build.mjs', '--if-needed'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', base], { cwd: root, stdio: 'ignore' })
  return join(base, `escalona-${version}.tgz`)
}

function emptyFolder(name) {
  const folder = join(base, name)
  mkdirSync(folder)
  return folder
}

function compareOrWrite(page, text) {
  if (!isCheck) return writeFileSync(page, text)
  const before = readFileSync(page, 'utf8')
  if (before === text) return
  status = 1
  const [was, is] = [before.split('\n'), text.split('\n')]
  const at = is.findIndex((line, n) => line !== was[n])
  console.log(
    `${page}, line ${at + 1}, says:\n  ${was[at]}\nbut now it is:\n  ${is[at]}\nRun node scripts/tour.mjs and read what changed.`,
  )
}
