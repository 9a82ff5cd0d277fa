// A load for the scheduler:  node load.mjs OUT URLS HOSTS [zipf|one|uniq] [simple|mixed] [seed]
// Zipf-sized hosts, depths 1 to 8, 10 % duplicates, `www.`, fragments, final slashes, refused URLs; the same file on
// every machine.
import { closeSync, openSync, writeSync } from 'node:fs'

const [, , out, urlCount, hostCount, kind = 'zipf', commands = 'simple', seedText = '1'] = process.argv
const urls = Number(urlCount)
const hosts = Number(hostCount)
const seed = Number(seedText) | 0

let state = 0
function random() {
  state = (state + 0x6d2b79f5) | 0
  let t = Math.imul(state ^ (state >>> 15), 1 | state)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296
}
function restart(n) {
  state = (Math.imul(n | 0, 0x9e3779b1) ^ (seed * 0x85ebca6b)) | 0
  random()
  random()
}
const below = n => Math.floor(random() * n)
const pick = list => list[below(list.length)]

restart(12345)
const words = Array.from({ length: 4000 }, () => {
  let word = ''
  for (let syllables = 2 + below(3); syllables > 0; syllables--) {
    word += pick('bcdfghjlmnprstvxz') + pick('aeiou') + (random() < 0.25 ? pick('bcdfghjlmnprstvxz') : '')
  }
  return word
})
const domains = ['.com.br', '.com', '.br', '.org', '.net', '.gov.br', '.edu.br', '.co.uk', '.de', '.io']
const endings = ['.html', '.html', '.htm', '.php', '.asp', '', '', '', '', '']
const refusedEndings = ['.jpg', '.gif', '.mp3', '.avi', '.doc', '.pdf']

const names = Array.from({ length: hosts }, (_, h) => {
  restart(0x40000000 + h)
  const name = pick(words)
  const sub = random() < 0.25 ? `${pick(words)}.` : ''
  return `${sub}${name}${h % 7 === 0 ? '-' : ''}${h.toString(36)}${pick(domains)}`
})

const share = new Float64Array(hosts)
if (kind === 'zipf') {
  let sum = 0
  for (let h = 0; h < hosts; h++) share[h] = sum += 1 / (h + 1) ** 0.9
  for (let h = 0; h < hosts; h++) share[h] /= sum
}
function hostOf(i) {
  if (kind === 'one') return 0
  if (kind === 'uniq') return i % hosts
  const x = random()
  let low = 0
  let high = hosts - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (share[middle] < x) low = middle + 1
    else high = middle
  }
  return low
}

function address(i) {
  restart(i)
  let text = names[hostOf(i)]
  let depth = 1
  while (depth < 8 && random() < 0.68) depth++
  if (random() < 0.15) depth = 1 + below(8)
  for (let d = 1; d < depth; d++) text += `/${pick(words)}`
  text += `/${pick(words)}-${i.toString(36)}${random() < 0.5 ? `-${pick(words)}` : ''}`
  if (random() < 0.04) return text + pick(refusedEndings)
  text += pick(endings)
  if (random() < 0.22) {
    text += `?id=${below(100000)}`
    if (random() < 0.3) text += `&ref=/${pick(words)}/${below(100)}`
    if (random() < 0.4) text += `&q=${pick(words)}`
  }
  return text
}

const isDuplicate = new Uint8Array(urls)
function line(i) {
  let source = i
  restart(i ^ 0x20000000)
  if (i > 100 && random() < 0.1) {
    source = below(i)
    for (let tries = 0; isDuplicate[source] && tries < 50; tries++) source = below(i)
    isDuplicate[i] = 1
  }
  const [www, fragment, slash, protocol, section] = [random(), random(), random(), random(), below(1000)]
  const text = address(source)
  if (protocol < 0.01) return `https://${text}`
  if (protocol < 0.015) return `ftp://${text}`
  return `http://${www < 0.4 ? 'www.' : ''}${text}${slash < 0.12 ? '/' : ''}${fragment < 0.06 ? `#sec${section}` : ''}`
}

const fd = openSync(out, 'w')
let lines = []
function put(text) {
  lines.push(text)
  if (lines.length === 50_000) flush()
}
function flush() {
  if (lines.length > 0) writeSync(fd, `${lines.join('\n')}\n`)
  lines = []
}

/** About half of what came in goes out again, by all commands. */
let mixed = seed * 7 + 3
function mixedRandom() {
  mixed = (Math.imul(mixed, 1664525) + 1013904223) | 0
  return (mixed >>> 0) / 4294967296
}
function someCommands() {
  for (let n = 0; n < 50; n++) {
    const host = Math.floor(mixedRandom() ** 3 * hosts)
    const what = mixedRandom()
    if (what < 0.35) put(`ESCALONA ${Math.floor(mixedRandom() * 300)}`)
    else if (what < 0.85) put(`ESCALONA_HOST ${names[host]} ${Math.floor(mixedRandom() * 100)}`)
    else if (what < 0.995) put(`VER_HOST ${names[Math.min(hosts - 1, 50 + host)]}`)
    else put(`LIMPA_HOST ${names[host]}`)
  }
}

const BLOCK = 10_000
for (let i = 0; i < urls; i += BLOCK) {
  const n = Math.min(BLOCK, urls - i)
  put(`ADD_URLS ${n}`)
  for (let k = 0; k < n; k++) put(line(i + k))
  if (commands === 'mixed') someCommands()
}
put('LISTA_HOSTS')
put('ESCALONA_TUDO')
put('LIMPA_TUDO')
if (commands === 'mixed') put('LISTA_HOSTS')
flush()
closeSync(fd)
