import { readFileSync, statSync } from 'node:fs'
import { isIP } from 'node:net'
import { EscalonaError } from '../base/errors.ts'
import { type Message, message } from '../base/messages/message.ts'

const MOST_BYTES = 64 << 20
const LONGEST_NAME = 253

type Complain = (line: number, what: Message) => void

/** `127.0.0.1 name name # comment`. The first line with a name wins. A line that doesn't begin with an address is an error. */
export function parseHostsFile(text: string): Map<string, string> {
  if (text.length > MOST_BYTES) throw new EscalonaError('FETCH_BAD_HOSTS/too-large')
  return parse(text, (line, what) => {
    throw new EscalonaError('FETCH_BAD_HOSTS', { line, what })
  })
}

/** What can't be read or understood is ignored. */
export function systemHosts(path = '/etc/hosts'): Map<string, string> {
  try {
    return statSync(path).size > MOST_BYTES ? new Map() : parse(readFileSync(path, 'utf8'), () => {})
  } catch {
    return new Map()
  }
}

function parse(text: string, complain: Complain): Map<string, string> {
  const hosts = new Map<string, string>()
  for (const [i, line] of text.split('\n').entries()) addLine(hosts, line, what => complain(i + 1, what))
  return hosts
}

function addLine(hosts: Map<string, string>, line: string, complain: (what: Message) => void): void {
  const [ip = '', ...names] = line.split('#', 1)[0]!.match(/\S+/g) ?? []
  if (ip === '') return
  if (isIP(ip) === 0) {
    complain(message('fetch/not-an-address', { text: ip.slice(0, 60) }))
    return
  }
  for (const name of names) {
    if (name.length > LONGEST_NAME) complain(message('fetch/name-too-long', { most: LONGEST_NAME }))
    const key = name.toLowerCase()
    if (!hosts.has(key)) hosts.set(key, ip)
  }
}
