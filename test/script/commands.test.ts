import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runCommands } from '../cli/run-cli.ts'
import { runInProcess } from './run-in-process.ts'

/** Runs commands that hold no mistake. */
function outputOf(...commands: string[]): string[] {
  const file = Buffer.from(commands.map(line => `${line}\n`).join(''), 'latin1')
  const { output, mistakes } = runInProcess(file, 'depth')
  assert.deepEqual(mistakes, [])
  return output.toString('latin1').split('\n').slice(0, -1)
}

test('rule 2.1: ADD_URLS writes nothing', () => {
  assert.deepEqual(outputOf('ADD_URLS 2', 'http://a.com', 'http://b.com'), [])
})

test('rule 2.1: ADD_URLS 0 takes no line', () => {
  assert.deepEqual(outputOf('ADD_URLS 0', 'LISTA_HOSTS'), [])
  assert.deepEqual(outputOf('ADD_URLS 0'), [])
})

test('rule 2.1: the n lines after ADD_URLS are URLs, whatever they look like', () => {
  const commands = ['ADD_URLS 6', 'LISTA_HOSTS', 'ADD_URLS 9', '', '   ', 'ESCALON', 'http://a.com/x', 'ESCALONA_TUDO']
  assert.deepEqual(outputOf(...commands), ['http://a.com/x'])
})

test('rule 2.1: empty lines inside ADD_URLS count as lines', () => {
  assert.deepEqual(outputOf('ADD_URLS 2', 'http://a.com', '', 'ESCALONA_TUDO'), ['http://a.com'])
})

test('rule 2.1: a refused URL is no mistake', () => {
  const refused = ['https://a.com', 'http://', 'http://a.com/x.pdf', 'http://a b.com']
  assert.deepEqual(outputOf('ADD_URLS 4', ...refused, 'ESCALONA_TUDO', 'LISTA_HOSTS'), [])
})

test('rule 2.2: ESCALONA_TUDO writes every URL once, and they leave the lists', () => {
  const add = ['ADD_URLS 3', 'http://a.com/x', 'http://b.com', 'http://a.com']
  const all = ['http://a.com', 'http://a.com/x', 'http://b.com']
  assert.deepEqual(outputOf(...add, 'ESCALONA_TUDO'), all)
  assert.deepEqual(outputOf(...add, 'ESCALONA_TUDO', 'ESCALONA_TUDO', 'VER_HOST a.com'), all)
})

test('rule 2.2: ESCALONA n writes at most n, and they leave the lists', () => {
  const add = ['ADD_URLS 3', 'http://a.com/x', 'http://b.com', 'http://a.com']
  assert.deepEqual(outputOf(...add, 'ESCALONA 2'), ['http://a.com', 'http://a.com/x'])
  assert.deepEqual(outputOf(...add, 'ESCALONA 2', 'VER_HOST a.com', 'VER_HOST b.com').slice(2), ['http://b.com'])
  assert.equal(outputOf(...add, 'ESCALONA 3').length, 3)
  assert.equal(outputOf(...add, 'ESCALONA 4').length, 3)
  assert.deepEqual(outputOf(...add, 'ESCALONA 0'), [])
})

test('rule 2.2: ESCALONA on an empty scheduler writes nothing', () => {
  assert.deepEqual(outputOf('ESCALONA 5', 'ESCALONA_TUDO'), [])
})

test('rule 2.2: ESCALONA_HOST writes at most n of one host, and they leave the list', () => {
  const add = ['ADD_URLS 4', 'http://a.com', 'http://b.com/x', 'http://b.com', 'http://b.com/y']
  assert.deepEqual(outputOf(...add, 'ESCALONA_HOST b.com 2'), ['http://b.com', 'http://b.com/x'])
  assert.deepEqual(outputOf(...add, 'ESCALONA_HOST b.com 2', 'ESCALONA_TUDO').slice(2), [
    'http://a.com',
    'http://b.com/y',
  ])
  assert.equal(outputOf(...add, 'ESCALONA_HOST b.com 9').length, 3)
  assert.deepEqual(outputOf(...add, 'ESCALONA_HOST b.com 0'), [])
})

test('rule 2.3: VER_HOST writes the list in its order, and nothing leaves', () => {
  const add = ['ADD_URLS 4', 'http://a.com/x/y', 'http://b.com', 'http://a.com', 'http://a.com/x']
  const list = ['http://a.com', 'http://a.com/x', 'http://a.com/x/y']
  assert.deepEqual(outputOf(...add, 'VER_HOST a.com'), list)
  assert.deepEqual(outputOf(...add, 'VER_HOST a.com', 'VER_HOST a.com'), [...list, ...list])
})

test('rule 2.3: LISTA_HOSTS writes the hosts in the order in which they became known', () => {
  const add = ['ADD_URLS 4', 'http://z.com', 'http://www.a.com/x', 'http://Z.com/y', 'http://m.com:80']
  assert.deepEqual(outputOf(...add, 'LISTA_HOSTS'), ['z.com', 'a.com', 'm.com:80'])
})

test('rule 2.3: LISTA_HOSTS with no host writes nothing', () => {
  assert.deepEqual(outputOf('LISTA_HOSTS'), [])
})

test('rule 2.3: LIMPA_HOST empties one list and writes nothing', () => {
  const add = ['ADD_URLS 3', 'http://a.com', 'http://a.com/x', 'http://b.com']
  assert.deepEqual(outputOf(...add, 'LIMPA_HOST a.com'), [])
  assert.deepEqual(outputOf(...add, 'LIMPA_HOST a.com', 'VER_HOST a.com', 'ESCALONA_TUDO'), ['http://b.com'])
})

test('rule 2.4: a host that LIMPA_HOST emptied stays known, in its place', () => {
  const add = ['ADD_URLS 2', 'http://a.com', 'http://b.com']
  assert.deepEqual(outputOf(...add, 'LIMPA_HOST a.com', 'LISTA_HOSTS'), ['a.com', 'b.com'])
  const refill = ['LIMPA_HOST a.com', 'ADD_URLS 1', 'http://a.com/new', 'ESCALONA_TUDO']
  assert.deepEqual(outputOf(...add, ...refill), ['http://a.com/new', 'http://b.com'])
})

test('rule 2.5: a URL that LIMPA_HOST dropped may be added again', () => {
  const add = ['ADD_URLS 1', 'http://a.com/x']
  assert.deepEqual(outputOf(...add, 'LIMPA_HOST a.com', ...add, 'VER_HOST a.com'), ['http://a.com/x'])
})

test('rule 2.3: LIMPA_TUDO forgets all URLs and all hosts and writes nothing', () => {
  const add = ['ADD_URLS 2', 'http://a.com', 'http://b.com']
  assert.deepEqual(outputOf(...add, 'LIMPA_TUDO'), [])
  assert.deepEqual(outputOf(...add, 'LIMPA_TUDO', 'LISTA_HOSTS', 'ESCALONA_TUDO', 'VER_HOST a.com'), [])
})

test('rule 2.4: after LIMPA_TUDO hosts become known anew, in a new order', () => {
  const commands = ['ADD_URLS 2', 'http://a.com', 'http://b.com', 'LIMPA_TUDO']
  const again = ['ADD_URLS 2', 'http://b.com', 'http://a.com', 'LISTA_HOSTS', 'ESCALONA_TUDO']
  assert.deepEqual(outputOf(...commands, ...again), ['b.com', 'a.com', 'http://b.com', 'http://a.com'])
})

test('rule 2.4: a host becomes known with its first accepted URL, not with a refused one', () => {
  const add = ['ADD_URLS 3', 'http://a.com/x.pdf', 'http://b.com', 'http://a.com/y']
  assert.deepEqual(outputOf(...add, 'LISTA_HOSTS'), ['b.com', 'a.com'])
})

test('rule 2.4: a host does not become known by being asked for', () => {
  const commands = ['VER_HOST b.com', 'ESCALONA_HOST b.com 1', 'LIMPA_HOST b.com']
  const add = ['ADD_URLS 2', 'http://a.com', 'http://b.com']
  assert.deepEqual(outputOf(...commands, 'LISTA_HOSTS', ...add, 'LISTA_HOSTS'), ['a.com', 'b.com'])
})

test('rule 2.4: a host keeps its place when its list runs empty and fills again', () => {
  const commands = ['ADD_URLS 2', 'http://a.com', 'http://b.com', 'ESCALONA 1', 'LISTA_HOSTS']
  const again = ['ADD_URLS 1', 'http://a.com/x', 'LISTA_HOSTS', 'ESCALONA_TUDO']
  const hosts = ['a.com', 'b.com']
  const expected = ['http://a.com', ...hosts, ...hosts, 'http://a.com/x', 'http://b.com']
  assert.deepEqual(outputOf(...commands, ...again), expected)
})

test('rule 2.5: a list is ordered by depth, then by arrival', () => {
  const urls = ['/b/c', '/z', '/a/a', '', '/a', '/q/?x=/////', '?x', '/m?n=/'].map(path => `http://a.com${path}`)
  const sorted = ['', '?x', '/z', '/a', '/m?n=', '/b/c', '/a/a', '/q/?x='].map(path => `http://a.com${path}`)
  assert.deepEqual(outputOf(`ADD_URLS ${urls.length}`, ...urls, 'VER_HOST a.com', 'ESCALONA_TUDO'), [
    ...sorted,
    ...sorted,
  ])
})

test('rule 2.5: arrival counts across commands, also in a list that is partly scheduled', () => {
  const commands = ['ADD_URLS 3', 'http://a.com/1', 'http://a.com/2', 'http://a.com/x/1', 'ESCALONA 1']
  const more = ['ADD_URLS 3', 'http://a.com/x/2', 'http://a.com/3', 'http://a.com', 'VER_HOST a.com']
  const list = ['', '/2', '/3', '/x/1', '/x/2'].map(path => `http://a.com${path}`)
  assert.deepEqual(outputOf(...commands, ...more), ['http://a.com/1', ...list])
})

test('rule 2.5: depths far apart and in falling order are sorted', () => {
  const depths = [300, 7, 64, 63, 65, 0, 1, 31, 32, 33, 1000, 128]
  const url = (depth: number) => `http://a.com${'/d'.repeat(depth)}`
  const sorted = depths.toSorted((a, b) => a - b)
  assert.deepEqual(outputOf(`ADD_URLS ${depths.length}`, ...depths.map(url), 'ESCALONA_TUDO'), sorted.map(url))
})

test('rule 2.5: a URL that is in the list is not added again', () => {
  const same = ['http://a.com/x', 'HTTP://www.A.com/x/', 'http://a.com/x#f', ' http://a.com/x// ']
  assert.deepEqual(outputOf(`ADD_URLS ${same.length}`, ...same, 'ESCALONA_TUDO'), ['http://a.com/x'])
})

test('rule 2.5: a duplicate keeps the place of the first', () => {
  const add = ['ADD_URLS 3', 'http://a.com/x', 'http://a.com/y', 'http://a.com/x']
  assert.deepEqual(outputOf(...add, 'ESCALONA_TUDO'), ['http://a.com/x', 'http://a.com/y'])
})

test('rule 2.5: URLs that differ in path case, query or port are not the same', () => {
  const urls = ['http://a.com/x', 'http://a.com/X', 'http://a.com/x?', 'http://a.com/x?q', 'http://a.com/%78']
  assert.deepEqual(outputOf('ADD_URLS 6', ...urls, 'http://a.com:80/x', 'ESCALONA_TUDO'), [
    ...urls,
    'http://a.com:80/x',
  ])
})

test('rule 2.5: a URL that has been scheduled may be added again', () => {
  const add = ['ADD_URLS 1', 'http://a.com/x']
  assert.deepEqual(outputOf(...add, 'ESCALONA 1', ...add, 'ESCALONA_HOST a.com 1', ...add, 'ESCALONA_TUDO'), [
    'http://a.com/x',
    'http://a.com/x',
    'http://a.com/x',
  ])
})

test('rule 2.6: an unknown host writes nothing, not even an empty line', () => {
  const add = ['ADD_URLS 1', 'http://a.com']
  assert.deepEqual(outputOf(...add, 'VER_HOST b.com', 'ESCALONA_HOST b.com 3', 'LIMPA_HOST b.com'), [])
  assert.deepEqual(outputOf(...add, 'VER_HOST a.com.br', 'VER_HOST a.co', 'VER_HOST .com', 'VER_HOST www.'), [])
})

test('rule 2.6: an empty host writes nothing, not even an empty line', () => {
  const add = ['ADD_URLS 1', 'http://a.com']
  assert.deepEqual(outputOf(...add, 'LIMPA_HOST a.com', 'VER_HOST a.com', 'ESCALONA_HOST a.com 3'), [])
})

test('rule 2.6: www. and upper case in the host of a command mean the same host', () => {
  const add = ['ADD_URLS 1', 'http://globo.com/x']
  for (const host of ['www.Globo.com', 'GLOBO.COM', 'WWW.globo.com', 'globo.com/', 'globo.com/x/y', 'globo.com?q']) {
    assert.deepEqual(outputOf(...add, `VER_HOST ${host}`), ['http://globo.com/x'], host)
  }
  assert.deepEqual(outputOf(...add, 'ESCALONA_HOST www.Globo.com 1'), ['http://globo.com/x'])
  assert.deepEqual(outputOf(...add, 'LIMPA_HOST www.Globo.com', 'ESCALONA_TUDO'), [])
})

test('rule 2.6: only one www. in the host of a command is dropped', () => {
  const add = ['ADD_URLS 2', 'http://www.www.a.com', 'http://a.com']
  assert.deepEqual(outputOf(...add, 'VER_HOST www.www.a.com'), ['http://www.a.com'])
  assert.deepEqual(outputOf(...add, 'VER_HOST www.a.com'), ['http://a.com'])
})

test('rule 2.6: a port belongs to the host of a command', () => {
  const add = ['ADD_URLS 2', 'http://a.com', 'http://a.com:80']
  assert.deepEqual(outputOf(...add, 'VER_HOST a.com:80'), ['http://a.com:80'])
})

test('rule 2.7: words are separated by blanks or tabs, and blanks around them do no harm', () => {
  const commands = ['\tADD_URLS \t 1  ', '  http://a.com \t', ' \tVER_HOST\ta.com\t', 'ESCALONA_HOST  \t a.com \t 1']
  assert.deepEqual(outputOf(...commands), ['http://a.com', 'http://a.com'])
})

test('rule 2.7: empty lines between commands are skipped', () => {
  assert.deepEqual(outputOf('', 'ADD_URLS 1', 'http://a.com', '', ' \t', '', 'ESCALONA_TUDO', '', ''), ['http://a.com'])
})

test('rule 2.7: CRLF is accepted, and the output has LF', () => {
  const ending = runCommands('ADD_URLS 2\r\nhttp://a.com\r\nhttp://b.com/ \r\n\r\nVER_HOST a.com\r\nESCALONA_TUDO\r\n')
  assert.deepEqual(ending, { code: 0, output: ['http://a.com', 'http://a.com', 'http://b.com'], errors: [] })
})

test('rule 2.7: LF and CRLF may be mixed', () => {
  const ending = runCommands('ADD_URLS 2\r\nhttp://a.com\nhttp://b.com\r\nESCALONA_TUDO\n')
  assert.deepEqual(ending, { code: 0, output: ['http://a.com', 'http://b.com'], errors: [] })
})

test('rule 2.7: a leading BOM is accepted', () => {
  const ending = runCommands('\xef\xbb\xbfADD_URLS 1\nhttp://a.com\nESCALONA_TUDO\n')
  assert.deepEqual(ending, { code: 0, output: ['http://a.com'], errors: [] })
  assert.deepEqual(runCommands('\xef\xbb\xbf'), { code: 0, output: [], errors: [] })
})

test('ours: the last line needs no line end', () => {
  const add = 'ADD_URLS 1\nhttp://a.com\n'
  assert.deepEqual(runCommands(`${add}ESCALONA_TUDO`), { code: 0, output: ['http://a.com'], errors: [] })
  assert.deepEqual(runCommands(`${add}ESCALONA_TUDO\r`), { code: 0, output: ['http://a.com'], errors: [] })
  assert.deepEqual(runCommands(`${add}LISTA_HOSTS\nADD_URLS 1\nhttp://b.com`), {
    code: 0,
    output: ['a.com'],
    errors: [],
  })
})

test('ours: an empty file, and one of empty lines only, is fine and gives nothing', () => {
  for (const text of ['', '\n', '\r\n\r\n', '  \n\t\n']) {
    assert.deepEqual(runCommands(text), { code: 0, output: [], errors: [] })
  }
})

test('ours: a number may have leading zeros and any size', () => {
  const add = ['ADD_URLS 002', 'http://a.com', 'http://a.com/x']
  assert.deepEqual(outputOf(...add, 'ESCALONA 01'), ['http://a.com'])
  for (const many of ['4294967296', '4294967297', '9007199254740993', '18446744073709551616', '9'.repeat(500)]) {
    assert.equal(outputOf(...add, `ESCALONA ${many}`).length, 2, many)
    assert.equal(outputOf(...add, `ESCALONA_HOST a.com ${many}`).length, 2, many)
  }
})

test('classic: bytes that are not UTF-8 pass from line to output unchanged', () => {
  const add = ['ADD_URLS 3', 'http://a.com/\xe9\xff', 'http://\xc9B.com/\x80', 'http://a.com/\xe9\xfe']
  const [first, second, third] = ['http://a.com/\xe9\xff', 'http://a.com/\xe9\xfe', 'http://\xc9b.com/\x80']
  assert.deepEqual(outputOf(...add, 'ESCALONA_TUDO'), [first, second, third])
  assert.deepEqual(outputOf(...add, 'VER_HOST www.\xc9B.com'), [third])
  assert.deepEqual(outputOf(...add, 'LISTA_HOSTS'), ['a.com', '\xc9b.com'])
})

test('ours: a command file the way the course writes them', () => {
  const commands = [
    'ADD_URLS 7',
    'http://www.lagoa.br/barco/remo',
    'http://serra.org/trilha.html',
    'http://www.lagoa.br/',
    'https://serra.org/segura',
    'http://lagoa.br/mapa.JPG',
    'http://WWW.serra.org#inicio',
    'http://lagoa.br/barco',
    'LISTA_HOSTS',
    'VER_HOST www.lagoa.br',
    'ESCALONA_HOST serra.org 1',
    'ESCALONA 2',
    'LIMPA_HOST lagoa.br',
    'ESCALONA_TUDO',
    'LISTA_HOSTS',
    'LIMPA_TUDO',
    'LISTA_HOSTS',
  ]
  const expected = [
    'lagoa.br',
    'serra.org',
    'http://lagoa.br',
    'http://lagoa.br/barco',
    'http://lagoa.br/barco/remo',
    'http://serra.org',
    'http://lagoa.br',
    'http://lagoa.br/barco',
    'http://serra.org/trilha.html',
    'lagoa.br',
    'serra.org',
  ]
  assert.deepEqual(outputOf(...commands), expected)
  const crlf = runCommands(commands.map(line => `${line}\r\n`).join(''))
  assert.deepEqual(crlf, { code: 0, output: expected, errors: [] })
})
