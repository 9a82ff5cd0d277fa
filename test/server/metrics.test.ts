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

/** A line of the text format, version 0.0.4: empty, a comment, or a sample. */
const LINE =
  /^$|^# (?:HELP|TYPE) [a-z_]+ \S.*$|^[a-z_]+(?:\{[a-z_]+="(?:[^"\\\n]|\\[\\"n])*"(?:,[a-z_]+="(?:[^"\\\n]|\\[\\"n])*")*\})? (?:-?[\d.]+(?:e[+-]?\d+)?|[+-]?Inf|NaN)$/

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
    const kind = name === 'escalona_response_seconds' ? 'HISTOGRAM' : 'GAUGE'
    assert.equal(type, name.endsWith('_total') ? 'COUNTER' : kind, name)
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
  const responses = families.get('escalona_responses_total')!.metrics
  assert.deepEqual(
    Object.fromEntries(responses.map(({ labels, value }) => [`${labels!.class} ${labels!.code}`, Number(value)])),
    { '2xx 200': 5, '4xx 429': 2, '4xx 418': 1, 'other other': 2, '5xx 503': 0 },
    '429 and 503 are there from the start',
  )
  const failures = families.get('escalona_failures_total')!.metrics
  assert.deepEqual(
    Object.fromEntries(failures.map(({ labels, value }) => [`${labels!.reason} ${labels!.outcome}`, Number(value)])),
    { 'timeout retried': 3, 'status-5xx retried': 1, 'timeout ended': 1, 'other ended': 2 },
  )
  assert.match(
    text,
    /_bucket\{le="0\.008"\} 1\n.*_bucket\{le="0\.016"\} 3\n.*_bucket\{le="\+Inf"\} 6\n.*_sum 1\.5\n.*_count 6\n/,
  )
  assert.deepEqual([values('escalona_disk_free_bytes'), values('escalona_disk_size_bytes')], [[1000], [2000]])
  for (const line of text.trimEnd().split('\n')) assert.match(line, LINE)
  assert.equal((await ask(port, '/metrics')).text, text, 'the same again')
})
