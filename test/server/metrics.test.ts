import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { ask, serveStandIn } from './ask-server.ts'

interface Family {
  readonly name: string
  readonly help: string
  readonly type: string
  readonly metrics: readonly { readonly value: string; readonly labels?: Readonly<Record<string, string>> }[]
}

/** It comes without types. */
const parsePrometheus = createRequire(import.meta.url)('parse-prometheus-text-format') as (text: string) => Family[]

test('metrics: a Prometheus parser accepts /metrics: base units, and labels with few values', async t => {
  const { port } = await serveStandIn(t)
  const { headers, text, status } = await ask(port, '/metrics')
  assert.equal(status, 200)
  assert.match(String(headers['content-type']), /^text\/plain; version=0\.0\.4/)
  const families = new Map(parsePrometheus(text).map(family => [family.name, family]))
  const values = (name: string) => families.get(name)!.metrics.map(({ value }) => Number(value))
  assert.deepEqual(values('escalona_pages_total'), [7])
  assert.deepEqual(values('escalona_received_bytes_total'), [12345])
  assert.deepEqual(values('escalona_work_seconds_total'), [1.5])
  assert.deepEqual(values('escalona_open_requests'), [1])
  for (const { name, type, help } of families.values()) {
    assert.match(name, /^escalona_[a-z_]+$/)
    assert.equal(type, name.endsWith('_total') ? 'COUNTER' : 'GAUGE', name)
    assert.notEqual(help, '')
  }
  const labelled = (name: string, label: string) =>
    Object.fromEntries(families.get(name)!.metrics.map(({ labels, value }) => [labels![label], Number(value)]))
  assert.deepEqual(labelled('escalona_links', 'state'), { waiting: 8, leased: 1, done: 8, refused: 3 })
  assert.deepEqual(labelled('escalona_hosts', 'state'), { ready: 1, resting: 1, down: 0 }, 'a host is in one state')
  assert.deepEqual(values('escalona_blocked_hosts'), [4])
  assert.deepEqual(labelled('escalona_state', 'state'), { running: 1, paused: 0, stopping: 0, ended: 0 })
  assert.deepEqual(
    labelled('escalona_refused_links', 'reason'),
    { 'status-4xx': 2, 'robots-unavailable': 1, other: 2 },
    'what hosts can make up is no label',
  )
  assert.equal((await ask(port, '/metrics')).text, text, 'the same again')
})
