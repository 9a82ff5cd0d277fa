// WARC files as other tools write them, made by the tests themselves.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { gzipSync } from 'node:zlib'

export const START_MS = Date.parse('2026-03-01T12:00:00Z')

export interface Asked {
  readonly url: string
  /** Milliseconds after the first moment. */
  readonly at: number
  readonly status?: number
  readonly headers?: readonly string[]
  readonly body?: string | Buffer
  readonly agent?: string
  /** When the answer is stored, by its record; the same moment unless said otherwise. */
  readonly answeredAt?: number
  readonly isUnanswered?: boolean
}

export interface Style {
  readonly software?: string
  readonly hasRequests?: boolean
  readonly isToTheSecond?: boolean
  readonly isResponseFirst?: boolean
  readonly hasPartners?: boolean
  readonly lineEnd?: string
}

/** A record of any type, with its two empty lines. */
export function record(type: string, fields: readonly string[], block: string | Buffer, lineEnd = '\r\n'): Buffer {
  const bytes = Buffer.from(block)
  const lines = ['WARC/1.0', `WARC-Type: ${type}`, ...fields, `Content-Length: ${bytes.length}`, '', '']
  return Buffer.concat([Buffer.from(lines.join(lineEnd), 'latin1'), bytes, Buffer.from('\r\n\r\n')])
}

/** The records of these requests. */
export function recordsOf(asked: readonly Asked[], style: Style = {}): Buffer[] {
  const { software = 'Synthetic/1.0', hasRequests = true, isResponseFirst = false, hasPartners = true, lineEnd } = style
  const dated = (at: number) => {
    const date = new Date(START_MS + at).toISOString()
    return `WARC-Date: ${style.isToTheSecond ? date.replace(/\.\d+/, '') : date}`
  }
  const info = record('warcinfo', ['WARC-Record-ID: <urn:info>', dated(0)], `software: ${software}\r\n`, lineEnd)
  const groups = asked.map((one, n) => {
    const {
      url,
      at,
      status = 200,
      headers = ['Content-Type: text/html'],
      body = '<p>page</p>',
      agent = 'testbot/1.0',
    } = one
    const uri = `WARC-Target-URI: ${url}`
    const path = new URL(url).pathname
    const request = record(
      'request',
      [`WARC-Record-ID: <urn:req:${n}>`, dated(at), uri],
      `GET ${path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nUser-Agent: ${agent}\r\n\r\n`,
      lineEnd,
    )
    const partner = hasPartners && hasRequests ? [`WARC-Concurrent-To: <urn:req:${n}>`] : []
    const head = `HTTP/1.1 ${status} X\r\n${headers.map(line => `${line}\r\n`).join('')}\r\n`
    const response = record(
      'response',
      [`WARC-Record-ID: <urn:res:${n}>`, dated(one.answeredAt ?? at), uri, ...partner],
      Buffer.concat([Buffer.from(head), Buffer.from(body)]),
      lineEnd,
    )
    const both = [...(hasRequests ? [request] : []), ...(one.isUnanswered ? [] : [response])]
    return isResponseFirst ? both.reverse() : both
  })
  return [info, ...groups.flat()]
}

export function robotsTxt(origin: string, at: number, text: string): Asked {
  return { url: `${origin}/robots.txt`, at, headers: ['Content-Type: text/plain'], body: text }
}

/** Requests one after the other, `gap` milliseconds apart. */
export function pages(origin: string, count: number, gap: number, from = 0): Asked[] {
  return Array.from({ length: count }, (_, n) => ({ url: `${origin}/${from}-${n}`, at: from + n * gap }))
}

export class WarcFolder {
  readonly path: string

  constructor(t: TestContext) {
    this.path = mkdtempSync(join(tmpdir(), 'escalona-audit-'))
    t.after(() => rmSync(this.path, { recursive: true, force: true }))
  }

  /** One gzip member per record for `.warc.gz`, none otherwise. */
  add(name: string, records: readonly Buffer[]): string {
    const path = join(this.path, name)
    writeFileSync(path, Buffer.concat(name.endsWith('.gz') ? records.map(one => gzipSync(one)) : records))
    return path
  }
}
