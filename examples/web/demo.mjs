// What `npm start` shows of the collector: it collects a synthetic web on loopback. No network is needed.
//   node examples/web/demo.mjs [dist/cli/main.js]
import { spawn } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expected, hostsFile, makeWeb, seedsFile, serveWeb } from './index.mjs'

/**
 * Serves a web of some hundred hosts, lets `escalona crawl` collect it, and stops the server. Returns the crawl's folder: a new one
 * each time, that only this user can read, so that nobody is in anybody's way on a shared machine.
 */
export async function collectSyntheticWeb({ escalona, seed = 1, hosts = 300, limit }) {
  const web = makeWeb({ seed, hosts })
  const pages = expected(web).archived.size
  const folder = mkdtempSync(join(tmpdir(), 'escalona-demo-'))
  const crawl = join(folder, 'crawl')
  const server = await serveWeb(web)
  try {
    writeFileSync(join(folder, 'seeds.txt'), seedsFile(web, server.port))
    writeFileSync(join(folder, 'hosts.txt'), hostsFile(web))
    const polite = ['--delay', '20ms', '--timeout', '2s', '--retries', '2']
    const local = ['--hosts', join(folder, 'hosts.txt'), '--allow-network', '127.0.0.0/8']
    const args = [
      'crawl',
      '-s',
      join(folder, 'seeds.txt'),
      '-n',
      String(limit ?? pages),
      '-o',
      crawl,
      ...polite,
      ...local,
    ]
    console.log(`A web of ${hosts} hosts on loopback; ${pages} of its pages can be reached and may be archived.\n`)
    console.log(`$ escalona ${args.join(' ')}\n`)
    const code = await ending(spawn(process.execPath, [escalona, ...args], { stdio: 'inherit' }))
    if (code !== 0) throw new Error(`escalona ended with ${code}`)
    console.log(`\nThe report: ${pathToFileURL(join(crawl, 'report.html'))}`)
    console.log(`The folder can be deleted when you have seen enough: ${folder}`)
    return crawl
  } finally {
    await server.close()
  }
}

/** Ctrl-C reaches the child too, which then ends by itself; the server stays until it has. */
async function ending(child) {
  const patience = () => {}
  process.on('SIGINT', patience)
  try {
    return await new Promise((resolve, reject) => child.on('error', reject).on('exit', resolve))
  } finally {
    process.off('SIGINT', patience)
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await collectSyntheticWeb({ escalona: resolve(process.argv[2] ?? 'dist/cli/main.js') })
}
