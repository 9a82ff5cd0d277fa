// The table of questions: what it promises to the documents, and how questions of other processes are checked.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { QUESTIONS, type QuestionRow } from '../../src/view/questions/questions.ts'
import { matches } from '../../src/view/questions/shape.ts'

const ROWS = Object.entries<QuestionRow>(QUESTIONS)

function documentAt(name: string): string {
  return readFileSync(fileURLToPath(new URL(`../../../docs/${name}`, import.meta.url)), 'utf8')
}

test('questions: docs/reading.md names every question of the socket, and docs/live.md every route', () => {
  const reading = documentAt('reading.md')
  const live = documentAt('live.md')
  for (const [name, { says, route }] of ROWS) {
    if (says !== undefined) assert.ok(reading.includes(`\`${name}\``), `${name} is not in docs/reading.md`)
    if (route === undefined) continue
    const isThere = [...live.matchAll(/`(?:(GET|POST|PATCH) )?(\/api\/[^`?]*)/g)].some(
      ([, , path]) =>
        path === route.path || (route.path.startsWith('/api/crawl/') && `/api/crawl${path}` === route.path),
    )
    assert.ok(
      isThere || live.includes(`\`${route.path.replace('/api/crawl', '')}\``),
      `${route.path} is not in docs/live.md`,
    )
  }
})

test('questions: each is answered by somebody: what frontier and run say, or what is shown', () => {
  for (const [name, { by, says, shows, acts, route }] of ROWS) {
    assert.ok(
      by === 'files' ? shows !== undefined && says === undefined : says !== undefined || acts !== undefined,
      name,
    )
    assert.equal(route !== undefined, shows !== undefined, `${name}: what is shown has a route`)
  }
})

test('questions: one of another process is checked by names and types', () => {
  const asks = (name: keyof typeof QUESTIONS, given: unknown) => matches(QUESTIONS[name].asks, given)
  assert.ok(asks('status', {}))
  assert.ok(asks('explain', { url: 'http://a.example/' }))
  assert.ok(asks('listLinks', { which: { state: 'refused', reasons: ['scope'] }, page: { after: '7', limit: 5 } }))
  assert.ok(asks('listHosts', { page: { limit: 1 } }))
  for (const [name, given] of [
    ['status', null],
    ['status', 'x'],
    ['explain', {}],
    ['explain', { url: 5 }],
    ['listLinks', { which: { state: 'done' }, page: { limit: 5 } }],
    ['listLinks', { which: { state: 'refused', reasons: 'scope' }, page: { limit: 5 } }],
    ['listLinks', { which: { state: 'refused', reasons: [1] }, page: { limit: 5 } }],
    ['listLinks', { which: { state: 'waiting' }, page: { limit: '5' } }],
    ['hostsNamed', { hosts: { 0: 'a' } }],
    ['events', { after: null }],
    ['act', { action: 'pause' }],
  ] as const)
    assert.ok(!asks(name, given), `${name} ${JSON.stringify(given)}`)
})
