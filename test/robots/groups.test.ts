import assert from 'node:assert/strict'
import { test } from 'node:test'
import { productToken } from '../../src/robots/groups.ts'
import { parseRobots } from '../../src/robots/robots.ts'
import { expectVerdicts, fileOf } from './verdicts.ts'

const CLOSED_FOR = (name: string) => fileOf(`User-agent: ${name}`, 'Disallow: /')

test('RFC 9309 2.2.1: a group holds for the crawler that it names, and for nobody else', () => {
  const file = fileOf('User-agent: ant', 'Disallow: /a', '', 'User-agent: bee', 'Disallow: /b')
  expectVerdicts(file, 'ant', { allowed: ['/b', '/'], refused: ['/a'] })
  expectVerdicts(file, 'bee', { allowed: ['/a', '/'], refused: ['/b'] })
  expectVerdicts(file, 'cat', { allowed: ['/a', '/b'] })
})

test('RFC 9309 2.2.1: names are compared without regard to case', () => {
  for (const name of ['ant', 'ANT', 'Ant', 'aNt']) {
    expectVerdicts(CLOSED_FOR(name), 'ant', { refused: ['/x'] })
    expectVerdicts(CLOSED_FOR('ant'), name, { refused: ['/x'] })
  }
})

test('RFC 9309 2.2.1: a name ends where something else than letters, digits, _ and - begins', () => {
  for (const written of ['ant/1.0', 'ant/*', 'ant 2.1', 'ant bee', 'ant*', 'ant.example', 'ant;q', 'ant\tbee']) {
    expectVerdicts(CLOSED_FOR(written), 'ant', { refused: ['/x'] })
  }
  expectVerdicts(CLOSED_FOR('ant-bee_cat/3'), 'ant-bee_cat', { refused: ['/x'] })
})

test('ours: digits belong to a name, in the file and in the question', () => {
  for (const name of ['MJ12bot', '360Spider', '008', 'ant2']) {
    expectVerdicts(CLOSED_FOR(name), name, { refused: ['/x'] })
    expectVerdicts(CLOSED_FOR(`${name}/1.0`), `${name.toLowerCase()}/2.1 (+http://a.example/)`, { refused: ['/x'] })
  }
  expectVerdicts(CLOSED_FOR('MJ12bot'), 'MJ', { allowed: ['/x'] })
  expectVerdicts(CLOSED_FOR('MJ'), 'MJ12bot', { allowed: ['/x'] })
})

test('ours: the product token is what letters, digits, _ and - there are at the start', () => {
  for (const [text, token] of [
    ['escalona/1.0 (+https://a.example/)', 'escalona'],
    ['MJ12bot', 'MJ12bot'],
    ['a_b-c.d', 'a_b-c'],
    ['ant bee', 'ant'],
    [' ant', ''],
    ['ção', ''],
    ['', ''],
  ] as const) {
    assert.equal(productToken(text), token)
  }
})

test('RFC 9309 2.2.1: a name is compared whole', () => {
  for (const written of ['an', 'ants', 'ant-news', 'a', 'giant', '_ant', 'ant2']) {
    expectVerdicts(CLOSED_FOR(written), 'ant', { allowed: ['/x'] })
  }
  expectVerdicts(CLOSED_FOR('ant'), 'ant-news', { allowed: ['/x'] })
})

test('ours: a crawler may give its version with its name', () => {
  expectVerdicts(CLOSED_FOR('ant'), 'ant/1.0', { refused: ['/x'] })
  expectVerdicts(CLOSED_FOR('ant'), 'Ant/1.0 (+http://ant.example/)', { refused: ['/x'] })
})

test('ours: what is no product token is nobody in particular', () => {
  const file = fileOf('User-agent: *', 'Disallow: /', 'User-agent: ant bee', 'Disallow: /y')
  for (const agent of ['ant', 'ant bee']) expectVerdicts(file, agent, { allowed: ['/x'], refused: ['/y'] })
  expectVerdicts(file, '(ant)', { refused: ['/x', '/y'] })
  expectVerdicts(file, '', { refused: ['/x'] })
  expectVerdicts(CLOSED_FOR('ant'), '', { allowed: ['/x'] })
  for (const written of ['', '/', '.', 'ção']) expectVerdicts(CLOSED_FOR(written), '', { allowed: ['/x'] })
})

test('RFC 9309 2.2.1: the group for everybody holds for those whom no other group names', () => {
  for (const file of [
    fileOf('User-agent: *', 'Disallow: /x', 'User-agent: ant', 'Disallow: /y'),
    fileOf('User-agent: ant', 'Disallow: /y', 'User-agent: *', 'Disallow: /x'),
  ]) {
    expectVerdicts(file, 'ant', { allowed: ['/x'], refused: ['/y'] })
    expectVerdicts(file, 'bee', { allowed: ['/y'], refused: ['/x'] })
  }
})

test('ours: a star with words behind it is a star; one with anything else is nobody', () => {
  expectVerdicts(CLOSED_FOR('* all of you'), 'ant', { refused: ['/x'] })
  expectVerdicts(CLOSED_FOR('*\tx'), 'ant', { refused: ['/x'] })
  expectVerdicts(CLOSED_FOR('*ant'), 'ant', { allowed: ['/x'] })
  expectVerdicts(CLOSED_FOR('**'), 'ant', { allowed: ['/x'] })
})

test('RFC 9309 2.2.1: groups for the same crawler are one group', () => {
  const file = fileOf(
    'User-agent: ant',
    'Disallow: /a',
    'User-agent: bee',
    'Disallow: /b',
    'User-agent: ANT',
    'Disallow: /c',
  )
  expectVerdicts(file, 'ant', { allowed: ['/b'], refused: ['/a', '/c'] })
  expectVerdicts(file, 'bee', { allowed: ['/a', '/c'], refused: ['/b'] })
})

test('RFC 9309 2.2.1: groups for everybody are one group', () => {
  const file = fileOf(
    'User-agent: *',
    'Disallow: /a',
    'User-agent: bee',
    'Disallow: /b',
    'User-agent: *',
    'Disallow: /c',
  )
  expectVerdicts(file, 'ant', { allowed: ['/b'], refused: ['/a', '/c'] })
})

test('RFC 9309 2.2.1: several names in a row share the rules that follow', () => {
  const file = fileOf(
    'User-agent: ant',
    'User-agent: bee',
    '',
    '# both',
    'User-agent: cat',
    '',
    'Disallow: /a',
    'Allow: /a/b',
  )
  for (const agent of ['ant', 'bee', 'cat']) expectVerdicts(file, agent, { allowed: ['/a/b', '/c'], refused: ['/a'] })
  expectVerdicts(file, 'dog', { allowed: ['/a'] })
})

test('RFC 9309 2.2.1: a name after a rule begins another group', () => {
  const file = fileOf('User-agent: ant', 'Disallow: /a', 'User-agent: bee', 'Allow: /a', 'Disallow: /')
  expectVerdicts(file, 'ant', { allowed: ['/b'], refused: ['/a'] })
  expectVerdicts(file, 'bee', { allowed: ['/a'], refused: ['/b'] })
})

test('RFC 9309 2.2.1: a name and the star may share a group', () => {
  const file = fileOf('User-agent: ant', 'User-agent: *', 'Disallow: /a', 'User-agent: bee', 'Disallow: /b')
  expectVerdicts(file, 'ant', { refused: ['/a'] })
  expectVerdicts(file, 'cat', { refused: ['/a'], allowed: ['/b'] })
  expectVerdicts(file, 'bee', { refused: ['/b'], allowed: ['/a'] })
})

test('RFC 9309 2.2.1: a group without rules allows everything to the crawler that it names', () => {
  const last = fileOf('User-agent: *', 'Disallow: /', 'User-agent: ant')
  expectVerdicts(last, 'ant', { allowed: ['/x'] })
  expectVerdicts(last, 'bee', { refused: ['/x'] })
  const empty = fileOf('User-agent: ant', 'Disallow:', 'User-agent: *', 'Disallow: /')
  expectVerdicts(empty, 'ant', { allowed: ['/x'] })
  expectVerdicts(empty, 'bee', { refused: ['/x'] })
})

test('RFC 9309 2.1: rules before the first name hold for nobody', () => {
  const file = fileOf('Disallow: /', 'Allow: /a/b', 'User-agent: ant', 'Disallow: /a')
  expectVerdicts(file, 'ant', { allowed: ['/b'], refused: ['/a/b'] })
  expectVerdicts(file, 'bee', { allowed: ['/a', '/b'] })
})

test('RFC 9309 2.2.1: without a group everything is allowed', () => {
  for (const file of [
    fileOf(),
    new Uint8Array(0),
    fileOf('Sitemap: http://site.example/x'),
    fileOf('<html>', '</html>'),
  ]) {
    expectVerdicts(file, 'ant', { allowed: ['/', '/x?y', ''] })
  }
})

test('ours: one file answers many crawlers, in any order', () => {
  const robots = parseRobots(
    fileOf('User-agent: ant', 'Disallow: /a', 'User-agent: bee', 'Disallow: /b', 'User-agent: *', 'Disallow: /c'),
  )
  for (let round = 0; round < 3; round++) {
    for (const [agent, path] of [
      ['ant', '/a'],
      ['bee', '/b'],
      ['cat', '/c'],
      ['dog', '/c'],
    ] as const) {
      for (const other of ['/a', '/b', '/c']) {
        assert.equal(robots.allows(agent, `http://site.example${other}`).allowed, other !== path, `${agent} ${other}`)
      }
    }
  }
})
