import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chanceAt } from '../../src/base/random.ts'
import { compileRobots, parseRobots } from '../../src/robots/robots.ts'
import { RobotsRules, type Verdict } from '../../src/robots/rules.ts'
import { SOAK } from '../model/random-source.ts'
import { fileOf } from './verdicts.ts'

const SEED = Number(process.env.ESCALONA_SEED ?? 20261115)
const ROUNDS = 2000 * SOAK

/** RFC 9309 2.2.2, word by word: all rules are tried, and the best of those that match is kept. */
function naiveVerdict(lines: readonly string[], path: string): Verdict {
  let best: { allowed: boolean; octets: number; line: number } | undefined
  for (const [at, text] of lines.entries()) {
    const [key, written = ''] = text.split(': ')
    if (key === 'User-agent' || written === '') continue
    const rule = written.replaceAll('%61', 'a')
    const isWhole = rule.endsWith('$')
    const parts = (isWhole ? rule.slice(0, -1) : rule).split('*').map(part => part.replaceAll('$', '\\$'))
    if (!new RegExp(`^${parts.join('.*')}${isWhole ? '$' : ''}`).test(path.replaceAll('%61', 'a'))) continue
    const found = { allowed: key === 'Allow', octets: rule.length, line: at + 1 }
    const isBetter = best === undefined || found.octets > best.octets
    if (isBetter || (found.octets === best?.octets && found.allowed && !best.allowed)) best = found
  }
  return { allowed: best?.allowed ?? true, line: best?.line }
}

test(`RFC 9309 2.2.2: random rules decide as when all are tried (${ROUNDS} files, seed ${SEED})`, () => {
  let n = 0
  const below = (limit: number) => Math.floor(chanceAt(SEED, n++) * limit)
  const text = (most: number, parts: readonly string[]) =>
    Array.from({ length: below(most + 1) }, () => parts[below(parts.length)]).join('')
  const seen = { allowed: 0, refused: 0, silent: 0 }
  for (let round = 0; round < ROUNDS; round++) {
    // With few wildcards for a prefix they are compared at once, with many the path is sieved first.
    const rules = Array.from({ length: below(round % 4 === 0 ? 60 : 12) }, () => {
      const path =
        chanceAt(SEED, n++) < 0.9 ? `/${text(5, ['a', 'b', '/', '*', '*', '%61', '$'])}` : text(2, ['a', '*', '$'])
      return `${below(2) === 0 ? 'Allow' : 'Disallow'}: ${path}${below(4) === 0 ? '$' : ''}`
    })
    const lines = ['User-agent: ant', ...rules]
    const robots = parseRobots(fileOf(...lines))
    const compiled = new RobotsRules(compileRobots(fileOf(...lines), 'ant'))
    for (let url = 0; url < 10; url++) {
      const path = `/${text(6, ['a', 'b', '/', '%61', '$'])}`
      const verdict = robots.allows('ant', `http://site.example${path}`)
      assert.deepEqual(verdict, naiveVerdict(lines, path), `${path} in round ${round}:\n${lines.join('\n')}`)
      assert.deepEqual(compiled.verdict(`http://site.example${path}`), verdict)
      seen[verdict.line === undefined ? 'silent' : verdict.allowed ? 'allowed' : 'refused']++
    }
  }
  assert.ok(Math.min(...Object.values(seen)) > ROUNDS, JSON.stringify(seen))
})
