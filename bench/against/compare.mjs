// From the lines of JSON of both builds to ratios. Above 1 is better, whatever the figure: times and memory are turned around.

/** The figures of one line of JSON that count: dotted name to number. */
export function figuresOf(line, { less = [], more = [] }) {
  const found = {}
  for (const [path, value] of leaves(line)) {
    if (typeof value === 'number' && [...less, ...more].some(name => isUnder(path, name))) found[path.join('.')] = value
  }
  return found
}

/**
 * One row per figure of either side, from the figures of each round. `ratio`: the median of the rounds, with the least and the greatest;
 * a figure that only one side has has none.
 */
export function compared(rounds, { less = [] }) {
  const names = new Set(
    rounds.flatMap(({ before, after }) => [...Object.keys(before ?? {}), ...Object.keys(after ?? {})]),
  )
  return [...names].map(figure => {
    const isLessBetter = less.some(name => isUnder(figure.split('.'), name))
    const ratios = rounds.flatMap(({ before, after }) => {
      const [was, is] = isLessBetter ? [after?.[figure], before?.[figure]] : [before?.[figure], after?.[figure]]
      return was > 0 && is > 0 ? [is / was] : []
    })
    const side = name => middle(rounds.flatMap(round => round[name]?.[figure] ?? []))
    const row = { figure, before: side('before'), after: side('after') }
    if (ratios.length === 0) return row
    return { ...row, ratio: middle(ratios), least: Math.min(...ratios), most: Math.max(...ratios) }
  })
}

function* leaves(value, path = []) {
  if (typeof value !== 'object' || value === null) yield [path, value]
  else for (const [name, part] of Object.entries(value)) yield* leaves(part, [...path, name])
}

/** Whether a dotted name is a whole part of the path. */
function isUnder(path, name) {
  return `.${path.join('.')}.`.includes(`.${name}.`)
}

/** With an even number of values the mean of the two in the middle: two rounds must not mean the better one. Undefined for none. */
function middle(values) {
  if (values.length === 0) return undefined
  const sorted = values.toSorted((a, b) => a - b)
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2
}
