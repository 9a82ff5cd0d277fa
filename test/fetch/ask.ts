import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { systemClock } from '../../src/base/clock.ts'
import type { Exchange, Fetched, FetchPurpose, ResolvedAddress } from '../../src/fetch/exchange.ts'
import { Fetcher, type FetcherOptions } from '../../src/fetch/fetcher.ts'

export const LOOPBACK: ResolvedAddress = { ip: '127.0.0.1', family: 4, untilMs: Number.POSITIVE_INFINITY }

export function fetcher(t: TestContext, options: Partial<FetcherOptions> = {}): Fetcher {
  const made = new Fetcher({
    userAgent: 'Escalona-test/1 (+http://contact.example/)',
    timeoutMs: 5000,
    connectTimeoutMs: 5000,
    firstByteTimeoutMs: 5000,
    maxBodyBytes: 1 << 20,
    allowNetworks: ['127.0.0.0/8', '::1'],
    clock: systemClock,
    ...options,
  })
  t.after(() => made.close())
  return made
}

/** Asks once with a fetcher of its own. */
export function ask(
  t: TestContext,
  url: string,
  options: Partial<FetcherOptions> = {},
  wanted: FetchPurpose = 'html',
): Promise<Fetched> {
  return fetcher(t, options).get(url, LOOPBACK, wanted)
}

export function answered(fetched: Fetched): Exchange & { readonly isHtml: boolean; readonly text: string } {
  if (fetched.kind !== 'answer') assert.fail(JSON.stringify(fetched))
  const { exchange, isHtml } = fetched
  return { ...exchange, isHtml, text: Buffer.from(exchange.body).toString('latin1') }
}

export function failure(fetched: Fetched): string {
  return fetched.kind === 'failed' ? fetched.why : `not failed but ${fetched.kind}`
}
