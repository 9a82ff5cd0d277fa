// The course's format of an access log, line by line; throws at the first thing that is wrong.
import assert from 'node:assert/strict'

export interface LoggedAccess {
  readonly kind: 'L' | 'E'
  readonly phase: number
  readonly id: number
  readonly address: number
  readonly bytes: number
}

const BEGIN = /^I (\d+) (\d+\.\d{9})$/
const ACCESS = /^([LE]) (\d+) (\d+) (\d+) (\d+\.\d{9}) (\d+) (\d+)$/
const END = /^F (\d+) (\d+\.\d{9}) (\d+\.\d{9})$/

export function checkLog(text: string): LoggedAccess[] {
  assert.ok(text.endsWith('\n'), 'the last line has no end')
  const lines = text.slice(0, -1).split('\n')
  const begin = BEGIN.exec(lines[0]!)
  assert.ok(begin, `line 1 is ${lines[0]}`)
  assert.equal(begin[1], '1')
  const accesses: LoggedAccess[] = []
  let last = 0
  for (const [i, line] of lines.slice(1, -1).entries()) {
    const parts = ACCESS.exec(line)
    assert.ok(parts, `line ${i + 2} is ${line}`)
    const [, kind, phase, count, id, time, address, bytes] = parts
    assert.equal(Number(count), i + 2, `the count of line ${i + 2}`)
    assert.ok(Number(time) >= last, `line ${i + 2} goes back in time`)
    last = Number(time)
    assert.ok(Number(phase) <= 7, line)
    assert.ok(Number(id) <= 199, line)
    assert.ok(Number(bytes) > 0, line)
    accesses.push({
      kind: kind as 'L' | 'E',
      phase: Number(phase),
      id: Number(id),
      address: Number(address),
      bytes: Number(bytes),
    })
  }
  const end = END.exec(lines.at(-1)!)
  assert.ok(end, `the last line is ${lines.at(-1)}`)
  assert.equal(Number(end[1]), lines.length, 'the count of the last line')
  assert.ok(Number(end[3]) >= last)
  assert.ok(Math.abs(Number(end[2]) - Number(begin[2]) - Number(end[3])) < 1e-6, 'absolute and elapsed time')
  return accesses
}
