// A web of very many hosts with one small page each, all at one address: host n links to the hosts 2n + 1 and 2n + 2, so every
// host is reached from the first. It runs as a process of its own, so that its work is not the collector's.
//   node bench/crawl/many-hosts-web.mjs HOSTS      prints its port
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const FILE = fileURLToPath(import.meta.url)
const HOSTS_A_DOMAIN = 10
const FILLER = '<p>frontier crawl host queue depth page robots archive link graph polite strategy</p>\n'.repeat(20)

/** Starts the web; gives the files that a crawl of it needs, and what stops it. */
export async function serveManyHosts(folder, hosts) {
  const child = fork(FILE, [String(hosts)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const stop = () => child.kill()
  process.on('exit', stop)
  const [port] = await once(child, 'message')
  const seeds = join(folder, 'many-seeds.txt')
  const names = join(folder, 'many-hosts.txt')
  writeFileSync(seeds, `http://${nameOf(0)}:${port}/\n`)
  writeFileSync(names, Array.from({ length: hosts }, (_, host) => `127.0.0.1 ${nameOf(host)}\n`).join(''))
  return { seeds, names, stop }
}

function nameOf(host) {
  return `h${host}.d${Math.floor(host / HOSTS_A_DOMAIN)}.example`
}

if (process.argv[1] === FILE) {
  const hosts = Number(process.argv[2])
  const server = createServer({ keepAlive: true }, (request, response) => {
    if (request.url === '/robots.txt') {
      response.writeHead(404).end()
      return
    }
    const host = Number(/^h(\d+)\./.exec(request.headers.host ?? '')?.[1])
    const { port } = server.address()
    const next = [2 * host + 1, 2 * host + 2].filter(other => other < hosts)
    const links = next.map(other => `<a href="http://${nameOf(other)}:${port}/">${other}</a>`)
    response.setHeader('content-type', 'text/html')
    response.end(`<title>${host}</title>${links.join(' ')}\n${FILLER}`)
  })
  server.listen(0, '127.0.0.1', () => process.send(server.address().port))
  process.on('disconnect', () => process.exit())
}
