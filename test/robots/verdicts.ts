import assert from 'node:assert/strict'
import { parseRobots } from '../../src/robots/robots.ts'

/** A file of these lines, one character a byte where it is not given as bytes. */
export function fileOf(...lines: readonly string[]): Uint8Array {
  return Buffer.from(`${lines.join('\n')}\n`)
}

/** Asserts what a crawler may ask for; paths stand for URLs of one site. */
export function expectVerdicts(
  file: Uint8Array,
  agent: string,
  expected: { readonly allowed?: readonly string[]; readonly refused?: readonly string[] },
): void {
  const robots = parseRobots(file)
  for (const isAllowed of [true, false]) {
    for (const path of (isAllowed ? expected.allowed : expected.refused) ?? []) {
      const { allowed, line } = robots.allows(agent, `http://site.example${path}`)
      assert.equal(allowed, isAllowed, `${path} for ${agent}, decided by line ${line}`)
      assert.ok(allowed || line !== undefined, 'nothing is refused without a line that says so')
    }
  }
}
