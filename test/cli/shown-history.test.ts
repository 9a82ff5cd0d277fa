import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shownHistory } from '../../src/cli/look/explain-command.ts'
import { historyLines } from '../../src/view/history-lines.ts'
import type { UrlHistory } from '../../src/view/questions/explained-shapes.ts'

const UNKNOWN: UrlHistory = {
  url: 'https://a.example/',
  state: 'unknown',
  redirectsTo: undefined,
  heldBy: undefined,
  robots: { kind: 'unknown' },
  host: undefined,
  from: undefined,
  hops: undefined,
  attempts: undefined,
  page: undefined,
  answer: undefined,
  failure: undefined,
}

const shown = (history: UrlHistory) => shownHistory(history.url, historyLines(history))

test('ours: explain labels every line, and says what a setting does and where a redirect leads', () => {
  const unknown = shown(UNKNOWN)
  assert.ok(unknown.slice(1).every(line => /^ {2}\S/.test(line)))
  assert.ok(unknown.some(line => /^ {2}why: +no page has linked to it/.test(line)))
  const held = shown({ ...UNKNOWN, state: 'held', reason: 'address', heldBy: 'address' }).join('\n')
  assert.match(held, /settings: +keep it out \(address\)/)
  const moved = shown({ ...UNKNOWN, state: 'redirected', redirectsTo: 'https://b.example/', hops: 0 }).join('\n')
  assert.match(moved, /state: +redirected\n {2}to: +https:\/\/b\.example\/\n {2}found on: +it is a seed\n/)
  const view = { host: 'a.example', isDown: false, delayMs: 0, failures: 0, server: undefined }
  const host = {
    ...view,
    state: 'idle',
    waiting: 0,
    pages: 1,
    leased: 0,
    readyInMs: 0,
  } as unknown as UrlHistory['host']
  assert.match(shown({ ...UNKNOWN, host }).join('\n'), /host: +a\.example: 1 page, 0 waiting/)
})
