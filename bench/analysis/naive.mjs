// Stack distances as the definition says: walk the stack from its top until the word is found.  node naive.mjs LOG
// Prints the same rows as `escalona analyze --json`. One linked list a phase and id, in a map of nodes.
import { readFileSync } from 'node:fs'

const accesses = readFileSync(process.argv[2], 'latin1')
  .split('\n')
  .filter(line => line[0] === 'L' || line[0] === 'E')
  .map(line => line.split(' '))
const lowest = accesses.reduce((least, fields) => Math.min(least, Number(fields[5])), Number.POSITIVE_INFINITY)

const stacks = new Map()
for (const fields of accesses) {
  const key = Number(fields[1]) * 10_000 + Number(fields[3])
  let stack = stacks.get(key)
  if (stack === undefined) stacks.set(key, (stack = { top: undefined, nodes: new Map(), counts: new Map() }))
  const distance = touch(stack, Math.floor((Number(fields[5]) - lowest) / 8))
  stack.counts.set(distance, (stack.counts.get(distance) ?? 0) + 1)
}

function touch(stack, word) {
  let node = stack.nodes.get(word)
  let distance = 0
  if (node === undefined) {
    node = { above: undefined, below: undefined }
    stack.nodes.set(word, node)
  } else {
    distance = 1
    for (let at = node; at !== stack.top; at = at.above) distance++
    if (node === stack.top) return 1
    node.above.below = node.below
    if (node.below !== undefined) node.below.above = node.above
  }
  node.below = stack.top
  if (stack.top !== undefined) stack.top.above = node
  stack.top = node
  return distance
}

const rows = [...stacks].flatMap(([key, { counts }]) =>
  [...counts].map(([distance, count]) => [Math.floor(key / 10_000), key % 10_000, distance, count]),
)
rows.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2])
console.log(JSON.stringify({ histogram: rows }))
