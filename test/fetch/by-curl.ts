import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** `7.88.1`; undefined without curl. */
export const CURL_VERSION = /^curl (\S+)/.exec(String(spawnSync('curl', ['--version']).stdout))?.[1]
export const NO_CURL = CURL_VERSION === undefined ? 'curl is missing' : false

/** The last status and the body, transfer codings undone. */
export interface SeenByCurl {
  readonly status: number
  readonly body: string
}

/** Fetches URLs one after the other; for each, what came or that it failed. `options`: lines of a configuration file. */
export async function byCurl(
  urls: readonly string[],
  ...options: readonly string[]
): Promise<(SeenByCurl | 'failed')[]> {
  const folder = mkdtempSync(join(tmpdir(), 'escalona-curl-'))
  const seen: (SeenByCurl | 'failed')[] = []
  try {
    // Some errors make curl leave out the URLs that are left.
    while (seen.length < urls.length) seen.push(...(await oneProcess(folder, urls.slice(seen.length), options)))
    return seen
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function oneProcess(folder: string, urls: readonly string[], options: readonly string[]) {
  const [config, body] = [join(folder, 'config'), (place: number) => join(folder, String(place))]
  const transfers = urls.map((url, place) => `url = "${url}"\noutput = "${body(place)}"`)
  writeFileSync(config, ['write-out = "%{exitcode} %{http_code}\\n"', ...options, ...transfers].join('\n'))
  const args = ['-q', '-s', '--http1.1', '--noproxy', '*', '-H', 'Connection: close', '--max-time', '10', '-K', config]
  const child = spawn('curl', args, { stdio: ['ignore', 'pipe', 'ignore'] })
  let text = ''
  child.stdout.on('data', data => (text += data))
  await once(child, 'close')
  return text
    .trim()
    .split('\n')
    .map((line, place): SeenByCurl | 'failed' => {
      const [exit, status] = line.split(' ')
      const seen = exit === '0' ? { status: Number(status), body: written(body(place)) } : 'failed'
      rmSync(body(place), { force: true })
      return seen
    })
}

/** Nothing is written for an empty body. */
function written(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
