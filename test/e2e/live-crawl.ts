// A crawl of the synthetic web with its live page.
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { type Journey, journey, type Running, running } from '../journey/crawl.ts'
import type { Request } from '../web/synthetic-web.ts'

export interface LiveCrawl extends Journey {
  readonly command: Running
  /** The address of the page with its token, as it was printed. */
  readonly address: string
}

/** Hosts without end keep it busy until it is stopped. Each is asked a few times per second: the browser shares the cores. */
export async function liveCrawl(t: TestContext): Promise<LiveCrawl> {
  const trip = await journey(t, { hosts: 70, endlessHosts: 12, waitMs: 20 })
  const command = running(t, [...trip.args, '--ui', '--delay', '250ms', '--workers', '1'], { longestMs: 180_000 })
  return { ...trip, command, address: await addressOf(command) }
}

/** What a command says about where its live page is. */
export async function addressOf(command: Pick<Running, 'says' | 'stderr'>): Promise<string> {
  await command.says(/live page: http\S+/)
  return /live page: (http:\/\/127\.0\.0\.1:\d+\/\?token=\S+)/.exec(command.stderr)?.[1] ?? assert.fail(command.stderr)
}

/** Waits until this holds; says what was waited for when it does not come true. */
export async function until(what: string, holds: () => boolean | Promise<boolean>, longestMs = 20_000): Promise<void> {
  const endMs = performance.now() + longestMs
  while (!(await holds())) {
    assert.ok(performance.now() < endMs, `not within ${longestMs / 1000} s: ${what}`)
    await wait(50)
  }
}

/** Requests to a host, by its name without port, in the order of their beginnings. */
export function requestsTo(log: readonly Request[], host: string): Request[] {
  return log.filter(request => request.host === host)
}
