import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvLine } from '../../../src/base/words/csv.ts'

/** The cells of a line as a spreadsheet reads them that divides at this sign: quotes count where a cell begins. */
function cellsAt(line: string, divider: string): string[] {
  const cells: string[] = []
  let cell = ''
  let isQuoted = false
  for (let at = 0; at < line.length; at++) {
    const char = line[at]!
    if (isQuoted && char === '"' && line[at + 1] === '"') cell += line[++at]
    else if (isQuoted ? char === '"' : char === '"' && cell === '') isQuoted = !isQuoted
    else if (!isQuoted && (char === divider || char === '\n')) {
      cells.push(cell)
      cell = ''
    } else cell += char
  }
  return [...cells, cell]
}

const FORMULA = /^[\s"']*?[=+\-@＝＋－＠]/

test('OWASP, CSV injection: no cell begins a formula, wherever a spreadsheet divides the line', () => {
  const signs = ['=', '+', '-', '@', '＝']
  const before = ['', ' ', 'x;', 'x; ', 'x,', 'x\t', 'x\r', 'x\n', 'x"', 'x;"', 'x;""', '\t', '\r', ';;', '",', '"x;']
  for (const sign of signs)
    for (const start of before) {
      const text = `${start}${sign}HYPERLINK("http://evil.example/";"${sign}1")`
      for (const line of [csvLine([text]), csvLine(['a', text, 1]), csvLine([text, text])])
        for (const divider of [',', ';', '\t', '\r']) {
          const cells = cellsAt(line, divider).filter(cell => FORMULA.test(cell))
          assert.ok(
            cells.every(cell => /^[\s"]*'/.test(cell)),
            JSON.stringify([text, divider, cells]),
          )
        }
    }
})

test('RFC 4180: quotes are doubled, and what needs none has none; numbers are no formulas', () => {
  assert.equal(csvLine(['a', 'b c', '', undefined, null, -1, true]), 'a,b c,,,,-1,true\r\n')
  assert.equal(csvLine(['say "x"', 'a,b', 'a\nb', 'a;b']), '"say ""x""","a,b","a\nb","a;b"\r\n')
  assert.equal(csvLine(['http://a.example/?q=1&r=a+b-c@d']), 'http://a.example/?q=1&r=a+b-c@d\r\n')
})
