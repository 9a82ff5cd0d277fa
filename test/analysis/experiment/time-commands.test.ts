import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  otherCommands,
  SCENARIOS,
  timeCommands,
  urlsFor,
  wholeLife,
} from '../../../src/analysis/experiment/time-commands.ts'

const SHAPE = { depth: 3, depthSpread: 1 }

test('experiment: every scenario has exactly n URLs in its number of hosts', () => {
  for (const { name, hosts } of SCENARIOS) {
    for (const urls of [114, 1000]) {
      const load = urlsFor({ urls, hosts: hosts(urls), ...SHAPE })
      const lines = load.lines.toString('latin1').trimEnd().split('\n')
      assert.equal(lines.length, urls)
      assert.equal(new Set(lines).size, urls)
      const names = new Set(lines.map(line => line.split('/')[2]))
      assert.equal(names.size, hosts(urls), name)
      assert.ok(names.has(load.firstHost) && names.has(load.lastHost))
    }
  }
})

test('experiment: each command gets the time between its beginning and the next one', () => {
  const urls = urlsFor({ urls: 100, hosts: 10, ...SHAPE })
  let ms = 0
  const clock = () => (ms += 1000)
  assert.deepEqual(timeCommands(wholeLife(urls), 'depth', clock), {
    ADD_URLS: 1,
    LISTA_HOSTS: 1,
    ESCALONA_TUDO: 1,
    LIMPA_TUDO: 1,
  })
  assert.deepEqual(Object.keys(timeCommands(otherCommands(urls), 'best', clock)), [
    'ADD_URLS',
    'VER_HOST',
    'ESCALONA_HOST',
    'ESCALONA',
    'LIMPA_HOST',
  ])
})
