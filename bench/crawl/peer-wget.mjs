// Peer: wget, recursive over all hosts, robots.txt obeyed, into a WARC file. One request at a time: it has no other way. It stops
// by bytes, not by pages: 20 KB is a page of the static web.   node peer-wget.mjs SEEDS LIMIT FOLDER
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'

const PAGE_BYTES = 20_000
const [seeds, limit, folder] = process.argv.slice(2)
mkdirSync(folder, { recursive: true })
const recursive = [
  '--recursive',
  '--level=inf',
  '--span-hosts',
  '--delete-after',
  `--quota=${Number(limit) * PAGE_BYTES}`,
]
const kept = ['--warc-file=wget', '--no-warc-keep-log', '--no-verbose', `--input-file=${seeds}`]
const { stderr } = spawnSync('wget', [...recursive, ...kept], { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 })
const answers = stderr.split('\n').filter(line => line.includes(' URL:') && !line.includes('/robots.txt'))
console.log(`pages ${answers.length}`)
