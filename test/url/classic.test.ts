import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readClassic } from '../../src/url/classic.ts'
import { type NaiveVerdict, type Reason, readClassicNaively } from '../model/classic-oracle.ts'
import { randomUrlLine } from '../model/random-script.ts'
import { RandomSource, seeds } from '../model/random-source.ts'

function becomes(line: string, url: string): void {
  const verdict = readClassic(line)
  assert.equal(verdict.kind === 'accepted' ? verdict.url : `refused: ${verdict.reason}`, url, JSON.stringify(line))
}

function stays(url: string): void {
  becomes(url, url)
}

function isRefused(line: string, reason: Reason): void {
  assert.deepEqual(readClassic(line), { kind: 'refused', reason }, JSON.stringify(line))
}

function hostOf(line: string): string | undefined {
  const verdict = readClassic(line)
  return verdict.kind === 'accepted' ? verdict.host : undefined
}

function depthOf(line: string): number | undefined {
  const verdict = readClassic(line)
  return verdict.kind === 'accepted' ? verdict.depth : undefined
}

test('classic 0: a final line end, LF or CRLF, is no part of the URL', () => {
  becomes('http://a.com/x\n', 'http://a.com/x')
  becomes('http://a.com/x\r\n', 'http://a.com/x')
  becomes('http://a.com/x/\r\n', 'http://a.com/x')
})

test('classic 0: blanks and tabs around the URL are dropped', () => {
  becomes('  http://a.com/x', 'http://a.com/x')
  becomes('\thttp://a.com/x\t \t', 'http://a.com/x')
  becomes(' http://a.com/x  \r\n', 'http://a.com/x')
})

test('classic 0: only one CR belongs to the line end', () => {
  isRefused('http://a.com/x\r\r\n', 'malformed')
  isRefused('http://a.com/x\r \n', 'malformed')
})

test('classic 0: other white space is not a blank to drop', () => {
  isRefused('\x0chttp://a.com', 'protocol')
  isRefused('\x0bhttp://a.com', 'protocol')
  isRefused('http://a.com\x0c', 'malformed')
  isRefused('\u00a0http://a.com', 'protocol')
  stays('http://a.com/x\u00a0')
})

test('classic 1: http:// is accepted in any case and written in lower case', () => {
  stays('http://a.com')
  becomes('HTTP://a.com/X', 'http://a.com/X')
  becomes('hTtP://a.com', 'http://a.com')
})

test('classic 1: every other protocol is refused', () => {
  for (const line of ['ftp://ftp.globo.com', 'https://x.com', 'HTTPS://x.com', 'gopher://x.com', 'file:///x']) {
    isRefused(line, 'protocol')
  }
})

test('classic 1: a URL without a protocol is refused', () => {
  for (const line of ['a.com', 'www.a.com', '//a.com', '/x', '://a.com', 'a', 'LISTA_HOSTS'])
    isRefused(line, 'protocol')
})

test('classic 1: nothing, blanks and every beginning of http:// that stops short are refused', () => {
  for (const line of ['', ' ', '\t \t', '\n', '\r\n', 'h', 'ht', 'htt', 'http', 'http:', 'http:/']) {
    isRefused(line, 'protocol')
  }
})

test('classic 1: something near http:// is another protocol', () => {
  for (const line of [
    'http:/a.com',
    'http//a.com',
    'http:\\\\a.com',
    'http: //a.com',
    'xhttp://a.com',
    '<http://a.com>',
  ]) {
    isRefused(line, 'protocol')
  }
})

test('classic 1: the protocol is judged before all else', () => {
  isRefused('https:///x', 'protocol')
  isRefused('ftp://a b.com', 'protocol')
  isRefused('https://a.com/x.pdf', 'protocol')
})

test('classic 2: everything from the first # on is dropped', () => {
  becomes('http://a.com/b#f', 'http://a.com/b')
  becomes('http://a.com/b#f#g', 'http://a.com/b')
  becomes('http://a.com/b#', 'http://a.com/b')
  becomes('http://a.com#f', 'http://a.com')
  becomes('http://a.com/b?q=1#f', 'http://a.com/b?q=1')
  becomes('http://a.com/b#f?q=1', 'http://a.com/b')
})

test('classic 2: a fragment counts for nothing: no blank, no extension, no depth, no slash of it matters', () => {
  becomes('http://a.com/b#f g', 'http://a.com/b')
  becomes('http://a.com/b#f\x07', 'http://a.com/b')
  becomes('http://a.com/b#x.pdf', 'http://a.com/b')
  becomes('http://a.com/b/#f/', 'http://a.com/b')
  assert.equal(depthOf('http://a.com/b#/c/d'), 1)
  isRefused('http://a.com/x.pdf#y', 'extension')
})

test('classic 2: a fragment in place of the host leaves an empty host', () => {
  isRefused('http://#f', 'malformed')
  isRefused('http://www.#f', 'malformed')
})

test('classic 2: a blank in front of the fragment is inside the URL', () => {
  isRefused('http://a.com/b #f', 'malformed')
  isRefused('http://a.com/b\t#f', 'malformed')
})

test('classic 2: an encoded %23 is no fragment', () => {
  stays('http://a.com/b%23f')
})

test('classic 3: one www. at the start of the host is dropped', () => {
  becomes('http://www.ufmg.br', 'http://ufmg.br')
  becomes('http://www.ufmg.br/www.x', 'http://ufmg.br/www.x')
})

test('classic 3: www. is dropped in any case', () => {
  becomes('http://WWW.a.com', 'http://a.com')
  becomes('http://wWw.a.com', 'http://a.com')
})

test('classic 3: a second www. stays', () => {
  becomes('http://www.www.a.com', 'http://www.a.com')
  assert.equal(hostOf('http://WWW.WWW.a.com'), 'www.a.com')
})

test('classic 3: www. inside the host, the path or the query stays', () => {
  stays('http://a.www.com')
  stays('http://a.com/www.b.com')
  stays('http://a.com?u=http://www.b.com')
  stays('http://xwww.a.com')
})

test('classic 3: what only begins like www. stays', () => {
  stays('http://www')
  stays('http://ww.a.com')
  stays('http://wwww.a.com')
  stays('http://www-a.com')
  stays('http://www:80/x')
})

test('classic 3: www.com is the host com', () => {
  becomes('http://www.com', 'http://com')
})

test('classic 4: the host ends at the first / or ?', () => {
  assert.equal(hostOf('http://a.com/b'), 'a.com')
  assert.equal(hostOf('http://a.com?b'), 'a.com')
  assert.equal(hostOf('http://a.com?b/c'), 'a.com')
  assert.equal(hostOf('http://a.com/b?c'), 'a.com')
  assert.equal(hostOf('http://www.a.com#b'), 'a.com')
  assert.equal(hostOf('http://a.com'), 'a.com')
})

test('classic 4: the host is written in lower case, the rest as it is', () => {
  becomes('http://A.Com/B?C=D', 'http://a.com/B?C=D')
  assert.equal(hostOf('http://WWW.UFMG.br/X'), 'ufmg.br')
  becomes('http://AZ[@`{.com/AZ', 'http://az[@`{.com/AZ')
})

test('classic 4: lower case is for ASCII letters only', () => {
  stays('http://Étude.com')
  stays('http://Ω.com')
  becomes('http://ÀB.com', 'http://Àb.com')
})

test('classic 4: a port stays part of the host', () => {
  assert.equal(hostOf('http://a.com:80/x'), 'a.com:80')
  stays('http://a.com:80/x')
  stays('http://a.com:8080')
})

test('classic 4: any other text before the first / or ? is a host', () => {
  assert.equal(hostOf('http://user:word@A.com/x'), 'user:word@a.com')
  assert.equal(hostOf('http://[::1]:80/x'), '[::1]:80')
  assert.equal(hostOf('http://http://a.com'), 'http:')
  assert.equal(hostOf('http://./x'), '.')
  assert.equal(hostOf('http://a..com'), 'a..com')
})

test('classic 4: an empty host is malformed', () => {
  for (const line of [
    'http://',
    'http://www.',
    'http:///x',
    'HTTP://',
    'http://?q',
    'http://www./x',
    'http://WWW.?q',
  ]) {
    isRefused(line, 'malformed')
  }
  isRefused('http://  \n', 'malformed')
  isRefused('http:////', 'malformed')
})

test('classic 4: a blank anywhere inside is malformed', () => {
  for (const line of ['http://a b.com', 'http:// a.com', 'http://a.com /x', 'http://a.com/x y', 'http://a.com/x?y z']) {
    isRefused(line, 'malformed')
    isRefused(line.replace(' ', '\t'), 'malformed')
  }
})

test('classic 4: every control character is malformed, wherever it stands', () => {
  for (let code = 0; code < 0x20; code++) {
    const char = String.fromCharCode(code)
    for (const line of [`http://a${char}.com/x`, `http://a.com/x${char}y`, `http://a.com/x?${char}y`]) {
      isRefused(line, 'malformed')
    }
  }
  isRefused('http://a\x7f.com', 'malformed')
  isRefused('http://a.com/\x7f', 'malformed')
})

test('classic 4: the characters next to the control characters are kept', () => {
  stays('http://a.com/!~')
  stays('http://a.com/\u0080\u009f')
})

test('classic 4: malformed is judged before the extension', () => {
  isRefused('http://a.com/a b.pdf', 'malformed')
  isRefused('http:///x.pdf', 'malformed')
  isRefused('http://a.com/\x01.pdf', 'malformed')
})

test('classic 5: every slash at the very end is dropped', () => {
  becomes('http://a.com/b//', 'http://a.com/b')
  becomes('http://a.com/b/', 'http://a.com/b')
  becomes('http://a.com/', 'http://a.com')
  becomes('http://a.com////', 'http://a.com')
  becomes('http://www.a.com:80/', 'http://a.com:80')
  becomes(`http://a.com/b${'/'.repeat(1000)}`, 'http://a.com/b')
})

test('classic 5: a slash in front of a query stays', () => {
  stays('http://a.com/b/?q=1')
  stays('http://a.com/?q=1')
  stays('http://a.com//?')
})

test('classic 5: a slash at the end of a query is at the very end of the URL', () => {
  becomes('http://a.com/?q=a/', 'http://a.com/?q=a')
  becomes('http://a.com?/', 'http://a.com?')
  becomes('http://a.com/b/?//', 'http://a.com/b/?')
})

test('classic 5: a slash in front of a dropped fragment is at the very end of the URL', () => {
  becomes('http://a.com/b/#f', 'http://a.com/b')
})

test('classic 5: slashes elsewhere stay, doubled or not', () => {
  stays('http://a.com//b///c')
  stays('http://a.com/b?q=//x')
})

test('classic 6: a path that ends in one of the six extensions is refused', () => {
  for (const extension of ['jpg', 'gif', 'mp3', 'avi', 'doc', 'pdf']) {
    isRefused(`http://a.com/x.${extension}`, 'extension')
    isRefused(`http://a.com/b/c/x.y.${extension}`, 'extension')
  }
})

test('classic 6: extensions are refused in any case', () => {
  for (const name of ['x.PDF', 'x.Pdf', 'x.JPG', 'x.gIF', 'x.MP3', 'x.aVi', 'x.DOC']) {
    isRefused(`http://a.com/${name}`, 'extension')
  }
})

test('classic 6: the query does not count', () => {
  isRefused('http://a.com/x.PDF?d=1', 'extension')
  isRefused('http://a.com/x.pdf?', 'extension')
  stays('http://a.com/get?f=x.pdf')
  stays('http://a.com?x.pdf')
  stays('http://a.com/x?/y.pdf')
})

test('classic 6: the host has no extension', () => {
  stays('http://my.docs.com')
  stays('http://my.doc')
  stays('http://a.pdf')
  becomes('http://a.pdf/', 'http://a.pdf')
  stays('http://a.pdf?q')
  stays('http://a.pdf/?q')
})

test('classic 6: the extension is judged after the final slashes are gone', () => {
  isRefused('http://a.com/x.pdf/', 'extension')
  isRefused('http://a.com/x.pdf//', 'extension')
  isRefused('http://a.com/x.pdf?/', 'extension')
  stays('http://a.com/x.pdf/?q')
})

test('classic 6: only the end of the path counts', () => {
  stays('http://a.com/x.pdf/y')
  stays('http://a.com/x.pdf.html')
  stays('http://a.com/x.pdfs')
  stays('http://a.com/x.docx')
  stays('http://a.com/x.jpeg')
  stays('http://a.com/pdf')
  stays('http://a.com/xpdf')
  stays('http://a.com/x.pd')
  stays('http://a.com/x.png')
})

test('classic 6: a name that is nothing but the extension is refused', () => {
  isRefused('http://a.com/.pdf', 'extension')
  isRefused('http://a.com//.mp3', 'extension')
})

test('classic 6: an extension with an encoded or non-ASCII letter is another one', () => {
  stays('http://a.com/x%2Epdf')
  stays('http://a.com/x.p\u0111f')
})

test('classic 7: depth is the number of slashes in the path', () => {
  assert.equal(depthOf('http://ufmg.br'), 0)
  assert.equal(depthOf('http://ufmg.br/dcc'), 1)
  assert.equal(depthOf('http://ufmg.br/dcc/pos'), 2)
  assert.equal(depthOf('http://ufmg.br//aux/x'), 3)
  assert.equal(depthOf(`http://ufmg.br${'/d'.repeat(100_000)}`), 100_000)
})

test('classic 7: the query does not count', () => {
  assert.equal(depthOf('http://ufmg.br/b/?q=/x'), 2)
  assert.equal(depthOf('http://ufmg.br/b?q=/x/y'), 1)
  assert.equal(depthOf('http://ufmg.br?q=/x/y'), 0)
  assert.equal(depthOf('http://ufmg.br/?'), 1)
})

test('classic 7: dropped slashes do not count', () => {
  assert.equal(depthOf('http://ufmg.br/'), 0)
  assert.equal(depthOf('http://ufmg.br/b///'), 1)
})

test('classic: the rest is kept as written', () => {
  stays('http://a.com/%7Efoo/../b/./c;p=1?x=%20&y=+')
  stays('http://a.com/caminho/não?é=ção')
  stays('http://a.com/\u{1f600}')
})

test('classic: bytes and text of one URL are read alike', () => {
  for (const line of ['HTTP://WWW.a.com/é/', ' http://a.com/b#f', 'ftp://a.com', 'http://', 'http://a.com/x.pdf', '']) {
    assert.deepEqual(readClassic(Buffer.from(line)), readClassic(line), JSON.stringify(line))
  }
})

test('classic: bytes are read where they lie in a larger buffer', () => {
  const around = Buffer.from('xxhttp://www.a.com/b/yy')
  assert.deepEqual(readClassic(around.subarray(2, 21)), {
    kind: 'accepted',
    url: 'http://a.com/b',
    host: 'a.com',
    depth: 1,
  })
})

test('classic: a line that is not UTF-8 is accepted', () => {
  const verdict = readClassic(Buffer.from('http://a.com/\xff\xe9/b', 'latin1'))
  assert.equal(verdict.kind, 'accepted')
  assert.equal(verdict.kind === 'accepted' && verdict.depth, 2)
})

/** The oracle's words, where a character is a byte, as text. */
function asText(verdict: NaiveVerdict): NaiveVerdict {
  if (verdict.kind === 'refused') return verdict
  const [url, host] = [verdict.url, verdict.host].map(text => Buffer.from(text, 'latin1').toString())
  return { ...verdict, url: url!, host: host! }
}

test('ours: random lines are read as the naive oracle reads them', t => {
  const reached = { accepted: 0, protocol: 0, malformed: 0, extension: 0 }
  for (const seed of seeds(t, 20, 20)) {
    const random = new RandomSource(seed)
    for (let n = 0; n < 1500; n++) {
      const line = randomUrlLine(random, 1)
      const end = random.pick(['', '\n', '\r\n'])
      if (end === '' && line.endsWith('\r')) continue // whether that CR ends a line, only a whole file can tell
      const expected = asText(readClassicNaively((line + end).replace(/\r?\n$/, '')))
      const where = `ESCALONA_SEED=${seed}, line ${n}: ${JSON.stringify(line + end)}`
      assert.deepEqual(readClassic(Buffer.from(line + end, 'latin1')), expected, where)
      reached[expected.kind === 'accepted' ? 'accepted' : expected.reason]++
    }
  }
  for (const [verdict, times] of Object.entries(reached)) assert.ok(times > 50, `${verdict} was reached ${times} times`)
})

test('ours: a canonical URL is read as itself, unless a second www. leads it', t => {
  let fixed = 0
  for (const seed of seeds(t, 10, 10)) {
    const random = new RandomSource(seed)
    for (let n = 0; n < 1500; n++) {
      const verdict = readClassic(Buffer.from(randomUrlLine(random, 1), 'latin1').toString())
      if (verdict.kind === 'refused' || verdict.host.startsWith('www.')) continue
      assert.deepEqual(readClassic(verdict.url), verdict, `ESCALONA_SEED=${seed}, line ${n}: ${verdict.url}`)
      fixed++
    }
  }
  assert.ok(fixed > 100, `only ${fixed} canonical URLs were read again`)
})
